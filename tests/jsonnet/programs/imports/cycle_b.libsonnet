(import 'cycle_a.libsonnet') + 1
