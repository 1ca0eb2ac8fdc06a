local missing = import 'missing.libsonnet';
local there = import 'there.libsonnet';
local text = importstr 'there.libsonnet';
{ a: missing.a, b: there.a, c: there.b, d: text.x, e: (import 'broken.libsonnet').a }
