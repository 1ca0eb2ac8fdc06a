"""Makes a large configuration of the kind that Kubernetes monitoring has.

    python -m bench.jsonnet.configuration FOLDER

An API library in many files with functions for every field, mixins with alerts
and recording rules, dashboards as JSON files, and a main file that puts them
together by inheritance and writes dashboards as texts into ConfigMaps: several
megabytes to read and to write. Names and numbers come from a generator of our
own with a fixed seed: every machine gets the same bytes. `data.json` is the
document of the rows about one large JSON file.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

SEED = 20220501
KINDS = 110
MIXINS = 14
DASHBOARDS = 22
RECORDS = 9_000
WORDS = (
    "active alert balance buffer cache cluster commit config container count current daemon "
    "delay disk drop duration endpoint error event failure fetch flow handler health index "
    "ingress job kernel label latency leader limit load log lookup memory metric mount network "
    "node object operator peer pod policy pool probe process proxy queue quota range rate "
    "replica request resource response retry role rule sample schedule scrape secret segment "
    "selector series server service session shard signal size socket source storage stream "
    "sync system target task tenant thread threshold time token topic total traffic usage user "
    "value volume watch worker write zone"
).split()
TYPES = ("string", "integer", "array", "object", "boolean")


class Names:
    """Words and numbers that look alike on every machine."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def word(self) -> str:
        """Choose a word."""
        return WORDS[int(self.random.random() * len(WORDS))]

    def camel(self, count: int = 2) -> str:
        """Make an identifier of so many words."""
        first, *others = (self.word() for _ in range(count))
        return first + "".join(word.capitalize() for word in others)

    def number(self, limit: int) -> int:
        """Choose a number from 0."""
        return int(self.random.random() * limit)

    def sentence(self, count: int) -> str:
        """Make a sentence."""
        words = " ".join(self.word() for _ in range(count))
        return f"{words.capitalize()}."


def field_functions(name: str, kind: str, doc: str, indent: str) -> str:
    """Write the functions of an API library for one field."""
    suffix = name[0].upper() + name[1:]
    lines = [f"// {doc}", f"with{suffix}({name}):: {{ spec+: {{ {name}: {name} }} }},"]
    if kind == "array":
        value = f"if std.isArray({name}) then {name} else [{name}]"
        lines[1] = f"with{suffix}({name}):: {{ spec+: {{ {name}: {value} }} }},"
        lines.append(f"with{suffix}Mixin({name}):: {{ spec+: {{ {name}+: {value} }} }},")
    if kind == "object":
        lines.append(f"with{suffix}Mixin({name}):: {{ spec+: {{ {name}+: {name} }} }},")
    return "".join(f"{indent}{line}\n" for line in lines)


def api_file(names: Names, kind: str) -> str:
    """Write the API library of a kind."""
    head = (
        "{\n"
        "  local this = self,\n"
        f"  // {names.sentence(12)}\n"
        f"  new(name):: {{ apiVersion: 'example.org/v1', kind: '{kind}' }} + this.withName(name),\n"
        "  withName(name):: { metadata+: { name: name } },\n"
        "  withNamespace(namespace):: { metadata+: { namespace: namespace } },\n"
        "  withLabels(labels):: { metadata+: { labels+: labels } },\n"
        "  withAnnotations(annotations):: { metadata+: { annotations+: annotations } },\n"
    )
    parts = [head]
    for place in range(12):
        parts.append(f"  group{place}:: {{\n")
        used: set[str] = set()
        while len(used) < 11:
            field = names.camel(2 + names.number(2))
            if field not in used:
                used.add(field)
                parts.append(
                    field_functions(
                        field, TYPES[names.number(5)], names.sentence(8 + names.number(16)), "    "
                    )
                )
        parts.append("  },\n")
    return "".join(parts) + "}\n"


def dashboard(names: Names, number: int) -> dict[str, Any]:
    """Make a dashboard with panels as its editor exports them."""
    panels = []
    for place in range(45):
        metric = "_".join(names.word() for _ in range(3))
        panels.append(
            {
                "id": place,
                "title": names.sentence(4),
                "description": names.sentence(14),
                "type": ("timeseries", "stat", "table", "gauge")[place % 4],
                "gridPos": {"h": 7, "w": 12, "x": 12 * (place % 2), "y": 7 * (place // 2)},
                "datasource": {"type": "prometheus", "uid": "${datasource}"},
                "fieldConfig": {
                    "defaults": {
                        "unit": "percentunit",
                        "decimals": names.number(4),
                        "max": None,
                        "thresholds": {
                            "mode": "absolute",
                            "steps": [
                                {"color": "green", "value": None},
                                {"color": "red", "value": names.number(1000) / 8},
                            ],
                        },
                    },
                    "overrides": [],
                },
                "targets": [
                    {
                        "refId": chr(65 + target),
                        "expr": f'sum(rate({metric}{{cluster="$cluster", job=~".+"}}[5m])) by (pod)'
                        f" / {names.number(100) + 1}",
                        "legendFormat": "{{pod}} \u2192 {{container}}",
                        "intervalFactor": 2,
                        "instant": bool(target),
                    }
                    for target in range(3)
                ],
            }
        )
    return {
        "uid": f"{number:08x}",
        "title": names.sentence(3),
        "editable": True,
        "tags": [names.word() for _ in range(4)],
        "time": {"from": "now-1h", "to": "now"},
        "panels": panels,
    }


def mixin_file(names: Names, number: int, dashboards: list[int]) -> str:
    """Write a mixin: settings, alerts, recording rules, dashboards."""
    alerts, rules = [], []
    for place in range(24):
        metric = "_".join(names.word() for _ in range(3))
        name = names.camel(3)
        alerts.append(
            f"          {{\n            alert: '{name[0].upper()}{name[1:]}{place}',\n"
            "            expr: |||\n"
            f"              sum(rate({metric}{{%(selector)s}}[5m])) by (%(by)s)\n"
            f"                > {names.number(1000) / 4} * %(factor)g\n"
            "            ||| % $._config,\n"
            f"            'for': '{names.number(30) + 1}m',\n"
            "            labels: {\n"
            "              severity: if $._config.strict then 'critical' else 'warning',\n"
            "            },\n"
            "            annotations: {\n"
            f"              summary: '{names.sentence(6)}',\n"
            f"              description: '{names.sentence(14)}"
            " {{ $labels.pod }}: %(selector)s.'\n"
            "                           % $._config,\n"
            "            },\n          },\n"
        )
        rules.append(
            f"          {{ record: '{metric}:rate5m',\n"
            f"            expr: 'sum by (%(by)s) (rate({metric}{{%(selector)s}}[5m]))'\n"
            "                  % $._config },\n"
        )
    imports = "".join(
        f"    'dashboard-{one}.json': (import 'dashboards/dashboard-{one}.json') + common,\n"
        for one in dashboards
    )
    return (
        "{\n"
        "  local common = {\n"
        "    timezone: $._config.timezone, refresh: '10s', tags+: $._config.tags,\n"
        "  },\n"
        "  _config+:: {\n"
        f'    selector: \'job="job-{number}", namespace=~"team-.*"\',\n'
        "    by: 'cluster, namespace, pod', factor: 1.5, strict: false, timezone: 'UTC',\n"
        f"    tags: ['mixin-{number}'],\n"
        "  },\n"
        "  prometheusAlerts+:: {\n    groups+: [\n"
        f"      {{ name: 'alerts-{number}', rules: [\n{''.join(alerts)}      ] }},\n    ],\n  }},\n"
        "  prometheusRules+:: {\n    groups+: [\n"
        f"      {{ name: 'rules-{number}', rules: [\n{''.join(rules)}      ] }},\n    ],\n  }},\n"
        f"  grafanaDashboards+:: {{\n{imports}  }},\n"
        "}\n"
    )


COMPONENT = """\
// A component: its mixin, its workloads, its configuration.
local api = import 'api/main.libsonnet';
function(params) {
  local component = self,
  _config:: { name: error 'a component needs a name', replicas: 2, labels: {} } + params,
  _metadata:: {
    name: component._config.name,
    namespace: component._config.namespace,
    labels: {
      'app.kubernetes.io/name': component._config.name,
      'app.kubernetes.io/version': component._config.version,
    } + component._config.labels,
  },
  mixin:: component._config.mixin { _config+:: { strict: component._config.replicas > 2 } },
  rules: api.kind0.new(component._config.name + '-rules') {
    metadata+: component._metadata,
    spec: {
      groups: component.mixin.prometheusAlerts.groups + component.mixin.prometheusRules.groups,
    },
  },
  deployment: api.kind1.new(component._config.name)
              + api.kind1.withNamespace(component._config.namespace)
              + api.kind1.withLabels(component._metadata.labels) {
    spec+: {
      replicas: component._config.replicas,
      template: {
        metadata: { labels: component._metadata.labels },
        spec: {
          containers: [
            {
              name: '%s-%d' % [component._config.name, index],
              image: 'registry.example.org/%s:v%s'
                     % [component._config.name, component._config.version],
              args: ['--%s=%s' % [key, component._config.flags[key]]
                     for key in std.objectFields(component._config.flags)],
              ports: [{ name: 'port-' + p, containerPort: 8000 + p } for p in std.range(0, 4)],
              resources: component._config.resources,
            }
            for index in std.range(1, 4)
          ],
        },
      },
    },
  },
  dashboards: {
    [std.strReplace(name, '.json', '')]: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: component._metadata { name: 'dashboard-' + std.strReplace(name, '.json', '') },
      data: { [name]: std.manifestJsonEx(component.mixin.grafanaDashboards[name], '    ') },
    }
    for name in std.objectFields(component.mixin.grafanaDashboards)
  },
}
"""

MAIN = """\
local component = import 'component.libsonnet';
local defaults = {{
  namespace: 'monitoring',
  version: '1.2.3',
  flags: {{ ['flag-' + i]: 'value-' + i for i in std.range(1, 25) }},
  resources: {{
    requests: {{ cpu: '100m', memory: '128Mi' }},
    limits: self.requests {{ cpu: '1' }},
  }},
}};
local platform = {{
  components:: {{
{components}  }},
}};
local production = platform {{
  components+:: {{
    [name]+: {{ _config+:: {{ replicas: 4, labels+: {{ environment: 'production' }} }} }}
    for name in std.objectFieldsAll(platform.components)
  }},
}};
{{
  [environment.name + '-' + name + '-' + part]: environment.value.components[name][part]
  for environment in [
    {{ name: 'staging', value: platform }},
    {{ name: 'production', value: production }},
  ]
  for name in std.objectFieldsAll(environment.value.components)
  for part in std.objectFields(environment.value.components[name])
}}
"""


def records(names: Names) -> dict[str, Any]:
    """Make the document of the rows about one large JSON file."""
    return {
        f"record-{number:05d}": {
            "id": number,
            "name": f"{names.word()} {names.word()} \u00e9",
            "email": f"{names.word()}.{names.word()}@example.org",
            "active": number % 3 == 0,
            "position": {"x": names.number(10_000) / 16, "y": names.number(1000)},
            "tags": [names.word() for _ in range(5)],
            "about": " ".join(names.sentence(9) for _ in range(4)),
            "history": [
                {"at": 1_600_000_000 + names.number(10**7), "what": names.word(), "value": place}
                for place in range(4)
            ],
        }
        for number in range(RECORDS)
    }


def make(folder: Path) -> None:
    """Write all files into a folder."""
    names = Names(SEED)
    (folder / "api").mkdir(parents=True, exist_ok=True)
    (folder / "mixins").mkdir(exist_ok=True)
    (folder / "mixins" / "dashboards").mkdir(exist_ok=True)
    for number in range(KINDS):
        text = api_file(names, f"Kind{number}")
        (folder / "api" / f"kind{number}.libsonnet").write_text(text)
    imports = "".join(f"  kind{n}: import 'kind{n}.libsonnet',\n" for n in range(KINDS))
    # Every file of the library is read, as those of generated libraries are.
    used = "  assert std.all([std.isFunction(self[k].new) for k in std.objectFields(self)]),\n"
    (folder / "api" / "main.libsonnet").write_text(f"{{\n{imports}{used}}}\n")
    for number in range(DASHBOARDS):
        text = json.dumps(dashboard(names, number), indent=2, ensure_ascii=False)
        (folder / "mixins" / "dashboards" / f"dashboard-{number}.json").write_text(text)
    components = ""
    for number in range(MIXINS):
        mine = [one for one in range(DASHBOARDS) if one % MIXINS == number]
        text = mixin_file(names, number, mine)
        (folder / "mixins" / f"mixin{number}.libsonnet").write_text(text)
        components += (
            f"    c{number}: component(defaults {{ name: 'component-{number}', "
            f"mixin: import 'mixins/mixin{number}.libsonnet' }}),\n"
        )
    (folder / "component.libsonnet").write_text(COMPONENT)
    (folder / "main.jsonnet").write_text(MAIN.format(components=components))
    (folder / "data.json").write_text(json.dumps(records(names), ensure_ascii=False, indent=1))


def main() -> int:
    """Run the command."""
    make(Path(sys.argv[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
