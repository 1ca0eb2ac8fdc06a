{ who: std.extVar('who'), what: std.extVar('what') }
