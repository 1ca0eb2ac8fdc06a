// A configuration as people write it.
local k = import 'kubernetes.libsonnet';
local util = import 'lib/util.libsonnet';

local config = {
  image:: 'registry.example.org/app:' + self.version,
  version:: std.extVar('version'),
  replicas:: if std.extVar('environment') == 'production' then 5 else 1,
  resources:: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
};

// The deployment.
local deployment = k.apps.v1.deployment.new(name='app', replicas=config.replicas, containers=[
  k.core.v1.container.new('app', config.image)
  + k.core.v1.container.withPorts([{ containerPort: 8080, name: 'http' }, { containerPort: 9090, name: 'metrics' }])
  + k.core.v1.container.withEnvMap({
    LOG_LEVEL: 'info',  // changed by hand
    DATABASE_URL: std.extVar('database'),
  })
  + { resources: config.resources },
]) + k.apps.v1.deployment.metadata.withLabels({ app: 'app' });

local alerts = [
  {
    alert: 'HighErrors',
    expr: 'sum(rate(http_requests_total{code=~"5.."}[5m])) / sum(rate(http_requests_total[5m])) > 0.01',
    'for': '10m',
    labels: { severity: 'page' },
    annotations: { summary: '%s has errors' % name },
  }
  for name in ['a', 'b']
];
{ deployment: deployment }
