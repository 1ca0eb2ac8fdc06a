{ seen: std.extVar('who') }
