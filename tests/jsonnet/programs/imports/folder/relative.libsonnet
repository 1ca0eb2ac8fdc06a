{ sibling: import 'sibling.libsonnet', below: import 'inner/leaf.libsonnet', above: import '../value.json', file: std.thisFile }
