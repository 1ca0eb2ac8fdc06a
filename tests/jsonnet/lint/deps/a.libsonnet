import 'folder/c.libsonnet'
