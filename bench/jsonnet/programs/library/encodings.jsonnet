// Base 64, UTF-8, digests and escapes of long texts.
local text = std.repeat('plain text, été, "quoted" <tag> $x 日本 😀\n', 800);
local latin = std.repeat('plain text, \u00e9t\u00e9, "quoted" <tag> $x\n', 800);
local bytes = std.encodeUTF8(text);
local encoded = std.base64(latin);
{
  base64: std.length(encoded),
  decoded: std.base64Decode(encoded) == latin,
  decodedBytes: std.length(std.base64DecodeBytes(encoded)),
  array: std.length(std.base64(bytes)),
  utf8: std.decodeUTF8(bytes) == text,
  md5: std.md5(text),
  json: std.length(std.escapeStringJson(text)),
  python: std.length(std.escapeStringPython(text)),
  bash: std.length(std.escapeStringBash(text)),
  dollars: std.length(std.escapeStringDollars(text)),
  xml: std.length(std.escapeStringXML(text)),
}
