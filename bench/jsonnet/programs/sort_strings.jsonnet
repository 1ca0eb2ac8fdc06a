// Strings in a scattered order.
local words = ['%d-%s' % [i * 7919 % 100003, std.char(97 + i % 26)] for i in std.range(1, 40000)];
local sorted = std.sort(words);
[sorted[0], sorted[20000], sorted[39999], std.length(std.uniq(sorted))]
