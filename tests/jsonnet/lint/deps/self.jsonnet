import 'self.jsonnet'
