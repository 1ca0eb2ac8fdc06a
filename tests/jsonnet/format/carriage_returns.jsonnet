{
  a: 1,

  b: "x", // comment
  c: [
    1,
  ],
}
