// Every format that values are written in.
local value = {
  ['section' + i]: {
    name: 'n' + i,
    text: 'two\nlines "%d"\n' % i,
    number: i / 8,
    list: [i, 'é', true, { deep: [i] }],
  }
  for i in std.range(1, 1500)
};
{
  json: std.length(std.manifestJson(value)),
  indented: std.length(std.manifestJsonEx(value, ' ')),
  minified: std.length(std.manifestJsonMinified(value)),
  yaml: std.length(std.manifestYamlDoc(value)),
  stream: std.length(std.manifestYamlStream(std.objectValues(value))),
  toml: std.length(std.manifestTomlEx(value, '  ')),
  python: std.length(std.manifestPython(value)),
  ini: std.length(std.manifestIni({ sections: { [k]: { name: value[k].name } for k in std.objectFields(value) } })),
  xml: std.length(std.manifestXmlJsonml(['r'] + [['e', { n: k }, value[k].text] for k in std.objectFields(value)])),
  string: std.length(std.toString(value)),
}
