{ file: std.thisFile, local: import 'second.libsonnet' }
