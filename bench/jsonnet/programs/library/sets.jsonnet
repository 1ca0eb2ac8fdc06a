// The functions on sets, in bulk.
local a = std.set([i * 3 for i in std.range(1, 10000)]);
local b = std.set([i * 5 for i in std.range(1, 10000)]);
local named = std.set(['n%06d' % (i * 7919 % 10007) for i in std.range(1, 8000)]);
{
  union: std.length(std.setUnion(a, b)),
  inter: std.length(std.setInter(a, b)),
  diff: std.length(std.setDiff(a, b)),
  member: std.count([std.setMember(x, b) for x in a], true),
  keyed: std.length(std.setUnion([{ k: x } for x in a], [{ k: x } for x in b], keyF=function(o) o.k)),
  named: std.length(std.setInter(named, named[100:200])),
}
