// Fields of an imported object, read again and again.
local data = import 'data.json';
local names = std.objectFields(data);
std.foldl(
  function(total, i)
    local record = data[names[i % std.length(names)]];
    total + record.id + record.position.x + std.length(record.name) + record.position.y,
  std.range(1, 200000),
  0
)
