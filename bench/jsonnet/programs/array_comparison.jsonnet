// Arrays compared with each other, equal but for their ends.
local a = std.range(1, 300000);
local b = std.range(1, 299999) + [0];
local c = [x for x in a];
[a == b, a < b, a == c, b < c, std.equals(a, c), [a, b] == [c, b]]
