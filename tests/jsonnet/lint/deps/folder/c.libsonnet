{ c: import 'vendored.libsonnet' }
