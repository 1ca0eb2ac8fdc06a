std.manifestYamlDoc(import 'data.json')
