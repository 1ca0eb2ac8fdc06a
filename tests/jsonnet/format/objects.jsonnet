{
  a:1, b :2, c: 3, d : 4,
  e::1, f ::2, g:::3,
  h+:1, i+: 2, j+:3, k+::4, l+:::5,
  'm':1, "n":2, ['o']:3, [p]:4, ['q'+r]:5,
  s(x):x, t(x)::x, u (x) :: x, v(x,y=1)::: x,
  w: function(x) x,
  x: (function(x) x),
  local y=1,
  local z(x)=x,
  assert true,
  assert a:"m",
  [if a then 'b']:1,
  aa: {
    ab: {
      ac: 1 } },
  ad: {
         ae: 1,
     af: 2,
   },
  ag:
    1,
  ah:
    {
      a: 1,
    },
  ai: [
    { a: 1 },
    {
      b: 2,
    },
  ],
  aj: |||
    text
  ||| % [1],
  ak: 'very long string that goes on and on and on and on and on and on and on' + 'another long one that goes on',
  al: { [k]: v for k in l },
  am: { local a = 1, [k]: a for k in l if k != 'x' },
  an: { a: 1, b: 2 } { c: 3 },


  ao: 1,



  ap: 2,
  "aq"::: function(x, y) x + y,
  ar: self['a'], as: super['b'], at: $['c'], au: a['b'].c['d-e'],
}
