local lib = {
  new(name, size=1):: { name: name, size: size },
  withLabel(label):: { labels+: [label] },
};
{
  good: lib.new('a') + lib.withLabel('x'),
  extra: lib.new('a', 1, 2),
  named: lib.new(nam='a'),
  missing: lib.withLabl('x'),
  twice: lib.new('a', name='b'),
}
