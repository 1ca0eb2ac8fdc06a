local a = 1,
      b = 2;


local f(x, y=3) = x + y;


{


  a: a,


  b: b,
  c:: f(1, 2),
  d: [
    1,
    2,
    3,
  ],
  e: { f: 1 },


  g: if a > 1
  then b
  else a,
  h: [x for x in [1] if x],
  i: (1 + 2) * 3,
  j: a.b[1][1:2],
  k: function(x) x,
}
