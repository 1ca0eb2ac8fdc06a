// Texts parsed into values.
local json = std.manifestJson([{ id: i, name: 'n' + i, list: [i, null, 'é'] } for i in std.range(1, 6000)]);
{
  json: std.length(std.parseJson(json)),
  ints: std.foldl(function(a, i) a + std.parseInt('' + i), std.range(1, 10000), 0),
  octals: std.foldl(function(a, i) a + std.parseOctal('%o' % i), std.range(1, 5000), 0),
}
