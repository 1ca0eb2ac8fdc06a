std.length(std.escapeStringJson(importstr 'data.json'))
