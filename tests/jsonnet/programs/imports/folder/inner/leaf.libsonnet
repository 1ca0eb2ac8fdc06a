{ file: std.thisFile, up: importstr '../../text.txt' }
