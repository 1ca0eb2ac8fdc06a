local x = 1;
local f(x) = x;
{ a: f(2), b: local x = 3; x, c: [x for x in [1]], d: x }
