// Formatting, again and again with the same formats.
local line(i) = '%05d %-12s|%8.3f|%x %s' % [i, 'name-' + i, i / 7, i, i % 2 == 0];
local named(i) = '%(name)s has %(count)d, a share of %(share).1f' % { name: 'n' + i, count: i, share: i / 100 };
std.length(std.join('\n', [line(i) + named(i) for i in std.range(1, 15000)]))
