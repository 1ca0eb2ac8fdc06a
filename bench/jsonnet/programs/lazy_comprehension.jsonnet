// A long array of which few elements are ever wanted.
local expensive(i) = std.foldl(function(a, b) a + b * i, std.range(1, 100), 0);
local table = [{ index: i, value: expensive(i), next: i * 7919 % 300000 } for i in std.range(0, 299999)];
local walk(i, n, sum) =
  if n == 0 then sum
  else walk(table[i].next, n - 1, sum + table[i].value % 1000) tailstrict;
walk(1, 300, 0)
