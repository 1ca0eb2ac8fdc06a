std.manifestTomlEx(import 'data.json', '  ')
