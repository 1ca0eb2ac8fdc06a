{
  a: nowhere,
}
