{
  a: 'double',
  b: 'single',
  c: "it's",
  d: 'say "hi"',
  e: "both ' and \"",
  f: 'both \' and "',
  g: 'escaped " only',
  h: "escaped ' only",
  i: @"verbatim",
  j: @'verbatim',
  k: @"two "" quotes",
  l: @'two '' quotes',
  m: @"it's",
  n: 'é\n\t\\',
  o: '',
  p: '',
  q: 'é 日本 😀',
  r: 1,
  s: 2,
  'not an identifier': 3,
  'also not': 4,
  'if': 5,
  _ok: 6,
  '1': 7,
  t: 8,
  'u v': 9,
  ['computed' + 'x']: 10,
  v: self.a,
  w: self['not an identifier'],
  x: self['if'],
  y: {}.a['b c'].d,
  z: import 'double.jsonnet',
  aa: importstr 'text.txt',
  ab: 'a' + 'b' + "c'd",
  ac: |||
    text "block" 'quotes'
  |||,
  ad: |||-
    six spaces
      deeper
  |||,
  ae: |||
    tab
  |||,
  af: [|||
    in an array
  |||, 'x'],
  ag: std.foo(|||
    argument
  |||),
  ah(x):: x,
  ai: { aj: 1 },
}
