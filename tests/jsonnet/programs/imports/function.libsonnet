// A file whose value is a function.
function(x, y=2) { sum: x + y, from: std.thisFile }
