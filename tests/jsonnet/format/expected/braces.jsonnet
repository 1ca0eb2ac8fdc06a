{
  empty: {},
  spaced: {},
  emptyarray: [],
  spacedarray: [],
  one: { a: 1 },
  two: { a: 1 },
  array: [1],
  padded: [1],
  trailing: [1, 2, 3],
  trailingobject: { a: 1 },
  multi: [
    1,
    2,
    3,
  ],
  multiobject: {
    a: 1,
    b: 2,
    c: 3,
  },
  close: [
    1,
    2,
  ],
  closeobject: {
    a: 1,
    b: 2,
  },
  open: [
    1,
    2,
  ],
  openobject: {
    a: 1,
    b: 2,
  },
  call: f(
    1,
    2
  ),
  callclose: f(1,
               2),
  calltrailing: f(
    1,
    2,
  ),
  parens: (
    1 +
    2
  ),
  deep: [[[1], [2]], [[3]]],
  deepobject: { a: { b: { c: 1 } } },
  mixed: [{ a: 1 }, { b: [2, { c: 3 }] }],
  comprehension: [
    x
    for x in [1]
    if x > 0
  ],
  objectcomprehension: {
    [x]: 1
    for x in ['a']
  },
  short: { [x]: 1 for x in ['a'] },
  f(a, b,): 1,
  g(
    a,
    b
  ): 2,
  plus: { a: 1 } + { b: 2 },
  implicit: a { b: 1 },
  explicit: a { b: 1 },
  chained: a { b: 1 } + { c: 2 } + d,
  selfplus: self.a { b: 1 },
  superplus: super.a + { b: 1 },
  callplus: f(1) + { b: 1 },
  importplus: (import 'x') + { b: 1 },
  arrayplus: [1] + { b: 1 },
  parenplus: (a + b) + { c: 1 },
}
