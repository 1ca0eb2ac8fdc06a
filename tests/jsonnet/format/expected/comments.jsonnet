#!/usr/bin/env jsonnet
// A hash comment at the top.
/* A block comment. */
/*
 * A block of
 * several lines.
 */
//no space after the slashes
//no space after the hash
local a = 1;  // after a local
local /* before the name */ b /* after the name */ = /* before the value */ 2/* after it */;  // after

// before the object
{  // after the brace
  // before a field
  a: 1,  // after a field
  /* before */
  b: /* inside */ 2/* after the value */, /* after the comma */
  // hash
  c: [  // after the bracket
    1,  // one
    // between
    2, /* two */
    // last
  ],  // after the array
  d: [/* empty */],
  e: {/* empty */ },
  f: {
    // only a comment
  },
  g(/* no parameters */):: 1,
  h(x/* x */, /* y */ y):: x /* plus */ + /* y */ y,
  i: self.h(/* first */ 1, /* second */ 2/* end */),
  j: if /* condition */ true /* then */ then /* one */ 1 /* else */ else /* two */ 2,
  k: [/* element */ x /* for */ for /* var */ x /* in */ in /* list */ [1] /* if */ if /* test */ true],
  l: (/* open */ 1/* close */),
  m: -/* minus */ 1,
  n: a/* dot */./* field */b,
  o: a[/* index */ 1/* end */],
  p: a[/* from */ 1/* colon */:/* to */ 2],
  // before an assert
  assert /* condition */ true /* colon */ : /* message */ 'm',  // after an assert
  // before a local
  local /* q */ q = 1,  // after a local
  r: function(/* x */ x) /* body */ x,
  s: error /* message */ 'e',
  t: import /* path */ 'x',
  u: a { /* in */ b: 1 /* out */ },
  v: /* several */ /* in a row */ 1,
  w:  // on its own line
    1,
  x: 1,  // after the last field
  // before the closing brace
}  // after the closing brace
// the last line
/* end */
