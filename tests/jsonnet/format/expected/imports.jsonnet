// The first comment belongs to the file.

local alpha = import 'alpha.libsonnet';  // about alpha
local zeta = import 'zeta.libsonnet';
// about beta
local beta = import 'beta.libsonnet';
local Gamma = import 'gamma.libsonnet';
local text = importstr 'text.txt';
local bytes = importbin 'bytes.bin';

local second = import 'second.libsonnet', first = import 'first.libsonnet';
local nested = (import 'nested.libsonnet').field;
local b = (import 'b.libsonnet'), a = 1;

local value = 5;
local later = import 'later.libsonnet';
local earlier = import 'earlier.libsonnet';
[zeta, alpha, beta, Gamma, text, bytes, second, first, nested, a, b, value, later, earlier]
