(import 'found.libsonnet') + { where: std.thisFile }
