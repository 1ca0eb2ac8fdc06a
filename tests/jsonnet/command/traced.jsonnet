std.trace('one', 1) + std.trace('two', 2)
