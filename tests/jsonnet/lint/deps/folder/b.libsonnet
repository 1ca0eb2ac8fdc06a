(import 'c.libsonnet') + (import '../a.libsonnet')
