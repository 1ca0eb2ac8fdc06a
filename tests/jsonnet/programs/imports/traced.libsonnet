std.trace('evaluated', { a: 1 })
