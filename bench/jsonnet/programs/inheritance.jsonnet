// Deep inheritance and many function calls: each level adds to what the level
// below has, and reads it through super and self.
local level(n) = {
  depth: super.depth + 1,
  sum: super.sum + self.weight,
  weight:: n % 3,
  path: if n % 10 == 0 then super.path + '/' + n else super.path,
  twice(x):: super.twice(x) + x % 2,
};
local base = { depth: 0, sum: 0, path: '', twice(x):: x * 2 };
local tower(n) = if n == 0 then base else tower(n - 1) + level(n);
local ackermann(m, n) =
  if m == 0 then n + 1
  else if n == 0 then ackermann(m - 1, 1)
  else ackermann(m - 1, ackermann(m, n - 1));
{
  towers: [
    local t = tower(60 + i % 5);
    { depth: t.depth, sum: t.sum, path: t.path, twice: t.twice(i) }
    for i in std.range(1, 150)
  ],
  ackermann: ackermann(2, 80),
}
