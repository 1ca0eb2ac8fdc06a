// A large nested object: many services, each made by functions from a few
// settings, with merged labels, environments and ports.
local labels(app, tier) = {
  'app.kubernetes.io/name': app,
  'app.kubernetes.io/part-of': 'platform',
  tier: tier,
};
local container(name, index) = {
  name: name,
  image: 'registry.example.org/%s:v%d.%d' % [name, index % 7, index % 13],
  ports: [{ name: 'port-' + p, containerPort: 8000 + p } for p in std.range(0, 3)],
  env: [
    { name: std.asciiUpper(name) + '_' + key, value: std.toString(index * std.length(key)) }
    for key in ['HOST', 'TIMEOUT', 'RETRIES', 'DEBUG']
  ],
  resources: {
    limits: { cpu: '%dm' % (index * 10), memory: index + 'Mi' },
    requests: self.limits { cpu: '10m' },
  },
};
local service(index) = {
  local name = 'service-' + index,
  metadata: { name: name, labels: labels(name, if index % 2 == 0 then 'web' else 'worker') },
  spec: {
    replicas: 1 + index % 5,
    selector: { matchLabels: $.metadata.labels },
    template: {
      metadata: { labels+: $.metadata.labels },
      containers: [container(name + '-' + c, index + c) for c in std.range(1, 3)],
    },
  },
};
{
  ['service-' + index]: service(index) + { metadata+: { annotations: { checksum: std.md5('' + index) } } }
  for index in std.range(1, 1500)
}
