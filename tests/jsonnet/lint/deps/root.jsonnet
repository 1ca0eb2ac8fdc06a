local a = import 'a.libsonnet';
local text = importstr 'text.txt';
local bytes = importbin 'bytes.bin';
local unused = import 'folder/b.libsonnet';
if false then import 'never.libsonnet' else [a, text, bytes]
