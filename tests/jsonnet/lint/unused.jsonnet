local unused = 1;
local used = 2;
local f(x, y) = x;
local _ignored = 3;
{
  local inner = 1,
  local needed = 2,
  a: used + needed,
  b: f(1, 2),
  c: [1 for x in [1, 2]],
  d: function(z) 1,
  e: local w = 1; 2,
}
