// Sums over ranges.
[
  std.sum(std.range(1, 500000)),
  std.avg(std.range(1, 500000)),
  std.sum(std.map(function(x) x * 2, std.range(1, 200000))),
  std.foldl(function(a, x) a + x, std.range(1, 200000), 0),
]
