// The functions on numbers, in bulk.
local n = 12000;
local sum(f) = std.foldl(function(a, i) a + f(i), std.range(1, n), 0);
{
  [name]: sum(std[name]) > -1e300
  for name in ['abs', 'ceil', 'cos', 'exponent', 'floor', 'log', 'mantissa', 'round', 'sign', 'sin', 'sqrt', 'tan', 'atan']
} + {
  max: std.foldl(std.max, std.range(1, n), 0),
  min: std.foldl(std.min, std.range(1, n), 0),
  pow: sum(function(i) std.pow(i, 0.5)),
  clamp: sum(function(i) std.clamp(i, 10, 1000)),
  bits: sum(function(i) (i & 255) ^ (i >> 3) | (i << 2)),
  modulo: sum(function(i) i % 17),
}
