(import 'cycle_b.libsonnet') + 1
