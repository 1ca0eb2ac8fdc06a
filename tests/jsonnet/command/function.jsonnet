function(who, times=1) { greeting: std.repeat('hello ' + who + ' ', times) }
