[
  1+2, 1 +2, 1+ 2, 1   +   2,
  1 +
  2,
  1
  + 2,
  a&&b||c, !a, ! a, -a, - a, ~a, +a,
  a==b, a!=b, a<b, a<=b, a>b, a>=b,
  a<<1, a>>1, a&b, a|b, a^b, a%b,
  a in b, !(a in b), "x" in super,
  if a then b, if a then b else c,
  if a
  then b
  else c,
  if a then
    b
  else
    c,
  if a then b else if c then d else e,
  if a then
    b
  else if c then
    d
  else
    e,
  local x = 1; x,
  local x = 1;
  x,
  local x = 1, y = 2;
  x + y,
  local
    x = 1,
    y = 2;
  x + y,
  (local x = 1; x),
  function(x) x, function (x) x, function(x)
    x,
  (function(x) x)(1),
  f(x)(y)(z),
  f(x=1,y = 2), f( 1 ), f(), f( ),
  f(function(x)
    x + 1),
  f({
    a: 1,
  }),
  f([
    1,
  ]),
  f(a, {
    b: 1,
  }),
  a.b.c, a . b, a["b"], a[ "b" ], a[1:2:3], a[1:], a[:1], a[::2], a[ 1 : 2 ],
  a[1:2:], a[::],
  error "x", error   'y',
  assert a; b, assert a : "m"; b,
  assert a:
    "m";
  b,
  f(1) tailstrict, f(1)tailstrict,
  ((1)), (((1))),
  1_000, 0.50, 1E5, 1e+5, 1.0,
  a + b
    + c
    + d,
  a +
  b +
  c,
  self, super.a, $, $.a, self . a,
  null, true, false,
  x { a: 1 } { b: 2 },
  std.map(function(x) x.y, [1, 2, 3]),
  std.join(', ', [
    'a',
    'b',
  ]),
]
