{
  a: if true then 1 else 2,
  b: (error 'x') + 1,
  c: true || false,
  d: assert false; 1,
  e: local x = error 'never'; 2,
}
