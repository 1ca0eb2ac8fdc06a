// Line 1
{
  ok: 1,
  bad: error 'from ' + self.ok,
  call(x):: x.missing,
  lazy(x):: local y = x.a; y + 1,
}
