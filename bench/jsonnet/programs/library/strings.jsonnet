// The functions on strings, in bulk.
local text = std.repeat('The quick brown fox, jumps over: the lazy dog; été 日本. ', 400);
local words = std.split(text, ' ');
{
  chars: std.length(std.stringChars(text)),
  replaced: std.length(std.strReplace(text, 'quick', 'slow and')),
  upper: std.length(std.join(' ', [std.asciiUpper(w) for w in words])),
  lower: std.length(std.asciiLower(text)),
  found: std.length(std.findSubstr('fox', text)),
  stripped: std.length(std.join('', [std.stripChars(w, ',.:;') for w in words])),
  trimmed: std.length(std.join('', [std.trim(' ' + w + ' ') for w in words])),
  starts: std.count([std.startsWith(w, 't') for w in words], true),
  ends: std.count([std.endsWith(w, 's') for w in words], true),
  parts: std.length([std.splitLimit(w, 'o', 1) for w in words]),
  right: std.length([std.splitLimitR(w, 'o', 1)[0] for w in words]),
  pieces: std.foldl(function(a, i) a + std.length(std.substr(text, i * 3, 40)), std.range(0, 2000), 0),
  points: std.foldl(function(a, w) a + std.codepoint((w + ' ')[0]), words, 0),
  numbers: std.foldl(function(a, i) a + std.parseInt('' + i), std.range(0, 5000), 0),
  hexes: std.foldl(function(a, i) a + std.parseHex('%x' % i), std.range(0, 5000), 0),
  same: std.count([std.equalsIgnoreCase(w, 'THE') for w in words], true),
  lines: std.length(std.lines(words)),
  built: std.length(std.foldl(function(a, w) a + w, words, '')),
}
