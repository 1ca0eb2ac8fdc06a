"""Records YAML and TOML as people write it, in plain.json, once other readers
have read every document back.

Usage: record_plain.py FORMAT_LINES, with the path of the example of that name.
Takes PyYAML and ruamel.yaml.
"""

import itertools
import json
import pathlib
import random
import subprocess
import sys
import tomllib

import yaml
from ruamel.yaml import YAML

WORDS = """
y Y yes Yes YES n N no No NO true True TRUE tRUE false False FALSE on On ON oN off Off OFF null Null NULL nULL
~ = << . .. ... - -- --- ---- ? : + .inf .Inf .INF .iNF -.inf +.inf .nan .NaN .NAN -.nan nan inf 0 1 -1 +1 00
007 0o7 0o8 0O7 08 09 0x1F 0xg 0b1 0b2 1_000 _1 1_ 1__0 1e5 1E5 1e+5 1.5 1. .5 -.5 +.5 1.e5 1.5e3 1.5e+3 1e
1:20 1:60 1:2:3 190:20:30 1:20.5 12:30:45 0:0 -1:20 2001-12-14 2001-1-1 2001-12-14t21:59:43.10-05:00
2001-12-14T21:59:43Z 2001-12-14T21:59:43Zx 2001-12-14x 2001-13-45 20011214 1-2 1.2.3 10.0.0.1 3.11-slim 1Gi
500m 12ab 0123abcd 555-1234 deadbeef 0xdeadbeef 0.0.0.0:80 host:80 a:b a: :a ::: http://x.y/z?q#f #a a#b a#
@a `a %a &a *a !a |a >a 'a "a a'b a"b a\\b [a] {a} a,b ,a ]a }a -a ?a !!str <<: =a a=b ~a > | & * ! % @ ` '
" [ ] { } , # 12e03 -2E+05 0.1 685.230_15e+03 -0 +0 0. 0x 0o 0b 12345678901234567890 0e0 e5
""".split()
TEXTS = [
    "", " ", "  ", "a ", " a", "a b", "a  b", "a\tb", "\ta", "a\t", "a: b", "a :b", "a #b", "a# b", "- a", "? a",
    ": a", "-\ta", "--- a", "... a", "a\nb", "a\n", "a\n\n", "a\n\n\n", "\na", "\n\na", "\n", "\n\n", " a\nb",
    "a\n b", "\n a", "\ta\nb", "a\n\tb\n", "a \nb", "a\n ", "a\n \n", "a\t\nb", "#a\nb", "- a\n- b\n",
    "a: b\nc: d\n", "---\na\n", "...\n", "%YAML\na", "\r", "a\rb", "a\r\nb", "\x00", "\x07", "\x1b[0m", "\x7f",
    "\x80", "\x85", "a\x85b", "\xa0", "\u2028", "a\u2029b", "\ufeff", "a\ufeff", "\ufffe", "\uffff", "\ufffd",
    "\ud7ff", "\ue000", "\U0001f600", "a\U0010ffff", "\u00e9: b", "\u00e9 #b", "\u4e2d\n\u6587\n", "x" * 200,
    "x" * 2000, "x\n" * 40, "x: y " * 300, "\"\\" * 400, "2001-12-14 21:59:43", "2001-12-14  21:59:43.1 +5",
    "2001-12-14 21:59:43 x", "0x1 ", "yes no", "echo \"hi\"\nexit 0\n", "it's \"both\"", "C:\\dir", "\u200b",
]
ALPHABET = list("-?:,[]{}#&*!|>'\"%@`~=<.+_/\\ \t\n01eExyn") + ["\u00e9", "\x85", "\ufeff", "\r"]
TREES = [
    [], {}, [[]], [{}], {"a": []}, {"a": {}}, [[1, 2], [3]], [[[1], 2], 3], [{"a": 1, "b": 2}, {"c": 3}],
    {"a": [1, 2], "b": {"c": [{"d": [[1]]}]}}, [1e16, 1.5, 1e-7, 0.0, -0.0, 1e300, 5e-324, 0.1, 100.0],
    [None, True, False, 0, -1, 9223372036854775807], {"a": "x\ny", "b": ["x\ny\n", ["\n x\n\n", {"c": "z\n"}]]},
    [["x\n"], [["x\n\n", "y"]]],
]
TABLES = [
    {}, {"a": 1}, {"a": {}}, {"a": {"b": {}}}, {"a": {"b": {"c": 1}}}, {"a": {"b": {"c": 1}, "d": 2}},
    {"a": []}, {"a": [{}]}, {"a": [{"b": 1}, {"c": {"d": 1}}]}, {"a": [{"b": [{"c": 1}, {"d": 2}]}, {}]},
    {"a": [{"b": 1}, 2]}, {"a": [[{"b": 1}]]}, {"a": 1, "b": {"c": 1}, "d": 1}, {"a b": {"": {"c.d": 1}}},
    {"f": [1e16, 1.0, -0.0, 5e-324]}, {"t": "a\nb\n", "u": ["a\nb"], "v": {"w": "\nx\"\"\"y\\\r\n\tz"}},
]


def strings():
    yield from WORDS
    yield from TEXTS
    for word in WORDS + TEXTS[:60]:
        if len(word) < 30:
            yield from (word + "\n", word + " x", "x " + word, word + ":", word + "\nx", "x\n" + word, word + ".")
    yield from ("".join(pair) for pair in itertools.product(ALPHABET, repeat=2))
    rng = random.Random(5)
    for _ in range(300):
        yield "".join(rng.choice(ALPHABET) for _ in range(rng.randint(3, 9)))


def values():
    found = list(dict.fromkeys(strings()))
    for at in range(0, len(found), 50):
        some = found[at : at + 50]
        yield {string: string for string in some}
    for string in TEXTS:
        yield [string, {"a": [string], "b": [[string]]}]
    yield from TEXTS
    yield from TREES


def written(program, name, documents):
    text = "\n".join(json.dumps(document) for document in documents)
    done = subprocess.run([program, name], input=text.encode(), capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.decode().split("\n")[:-1]]


def main():
    vectors = []
    readers = {
        "yaml": [yaml.safe_load, lambda text: YAML(typ="safe", pure=True).load(text)],
        "toml": [tomllib.loads],
    }
    tables = TABLES + [value for value in values() if isinstance(value, dict)]
    for name, documents in (("yaml", list(values())), ("yaml-indented", TREES), ("toml", tables)):
        for value, text in zip(documents, written(sys.argv[1], name, documents)):
            for reader in readers[name[:4]]:
                read = reader(text)
                if read != value:
                    sys.exit("%r was written as %r, which reads %r" % (value, text, read))
            vectors.append({"format": name, "value": value, "output": text})
    origin = "read back by PyYAML %s and ruamel.yaml, or by tomllib" % yaml.__version__
    lines = ",\n".join(json.dumps(vector) for vector in vectors)
    text = '{"origin": %s, "vectors": [\n%s\n]}\n' % (json.dumps(origin), lines)
    pathlib.Path(__file__).with_name("plain.json").write_text(text)
    print(len(vectors), "vectors")


main()
