{ here: import 'selfish.jsonnet', depth: 1 }
