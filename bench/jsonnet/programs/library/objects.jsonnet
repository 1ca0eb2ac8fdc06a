// The functions on objects, in bulk.
local big = { ['field' + i]: { id: i, hidden:: i, tags: ['a', 'b' + i] } for i in std.range(1, 4000) };
local keys = std.objectFields(big);
{
  fields: std.length(std.objectFieldsAll(big)),
  values: std.foldl(function(a, v) a + v.id + v.hidden, std.objectValues(big), 0),
  pairs: std.foldl(function(a, p) a + std.length(p.key), std.objectKeysValues(big), 0),
  has: std.count([std.objectHas(big, k + 'x') || std.objectHas(big, k) for k in keys], true),
  got: std.foldl(function(a, k) a + std.get(big[k], 'hidden', 0), keys, 0),
  mapped: std.length(std.mapWithKey(function(k, v) v { name: k }, big)),
  merged: std.length(std.mergePatch(big, { [k]: { id: null, extra: 1 } for k in keys[:2000] })),
  pruned: std.length(std.prune(big { nothing: null, empty: [] })),
  removed: std.length(std.foldl(function(o, k) std.objectRemoveKey(o, k), keys[:30], big)),
  added: std.foldl(function(o, i) o + { n+: i }, std.range(1, 400), { n: 0 }).n,
  compared: std.assertEqual(big.field7, { tags: ['a', 'b7'], id: 7 }),
  chained: std.length(std.foldl(function(o, i) o + { ['x' + i]: i }, std.range(1, 400), {})),
}
