local add(x, y) = x + y;
{ sum: add(1, 2), list: [x * 2 for x in std.range(1, 3)], o: self.sum }
