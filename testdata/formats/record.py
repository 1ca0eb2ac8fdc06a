"""Records what go-jsonnet's manifests make of values, in jsonnet.json.

Usage: record.py JSONNET, with the path of go-jsonnet 0.22's binary.
"""

import itertools
import json
import pathlib
import random
import subprocess
import sys

STRINGS = [
    "", "a", "plain text", "true", "1", "a: b", "a\n", "a\nb", "a\nb\n", "a\n\nb\n", "\n", "\n\n",
    "\na\n", " lead\n", "  two\n one\n", "trail \n", "tab\there", "\ttab\n", "quote\"s", "it's",
    "back\\slash", "\x00", "\x01\x1f", "\x7f", "\x80\x85\x9f", "\u00a0\u00e9", "\u2028\u2029",
    "\ufeff", "\U0001f600", "\u4e2d\u6587", "<a href=\"x\">&amp;</a>", "$HOME ${x}", "#", "- a",
    "a\r\nb", "a\r\n", "\r", "long " * 40, "x" * 100 + "\n" + "y" * 100, "\x85\n", "end\u2028\n",
    "\b\f\t\r", "/", "[a]", "{a}", "'", "`", "%", "@", "~", "null",
]
KEYS = [
    "a", "A", "a-b", "a_b", "a/b", "a.b", "a b", "", "1", "1.5", "-1", "true", "True", "no", "y",
    "null", "Null", ".inf", "-.inf", "+.inf", ".nan", "-", "--", "---", "----", "1_000", "1__0", "_1",
    "1_", "1e5", "1e-5", "1e999", "1E3", "e1", "inf", "-inf", "+inf", "infinity", "-infinity", "nan",
    "-nan", "Infinit", "0b1", "-0b1", "0b", "0b_", "0b2", "0o7", "0x", "0x1", "0xg", "a0xb", "0Xb",
    "2020-01-01", "1-2-3", "-1-2", "1-2", "5.", ".5", ".", "..", "1.2.3", "-.", "1e", "1e-", "1_0e5",
    "1e5_0", "1._5", "1_.5", "9" * 20, "9" * 310, "a:b", "a\nb", "\u00e9", "\x85", "\x7f", "'", "\"",
    "''", "~", "on", "off", "yes", "YES", "oN", "0X1p0", "-0X.8P-1", "0X1p1024",
    "0X1", "0X_1p0", "0X1_p0", "0X1.p", "0X0p9999", "0Xfp1_0", "0", "-0", "0e0", "0_0", "00", "0-0-0", "a" * 50,
    "-5", "5-", "1/2", "key with \\", "\U0001f600", "1e308", "1e309", "17976931348623158" + "0" * 292,
]
NUMBERS = [
    0, -0.0, 1, -1, 42, 0.1, 0.5, 1e-7, 1.5e-5, 0.0001, 0.00001234, 1e15, 1e16, 1e17, 1.5e17, 1e20,
    1e21, 1e22, 1e23, 1e300, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 123456789.125,
    9007199254740991, 9007199254740992, 9007199254740994, 1152921504606846976, 9223372036854775808,
    18446744073709551616, 3.141592653589793, 1 / 3, 2 / 3, 100.0, 1234567.891, -123.456, 0.3,
    4503599627370497.5, 99999999999999.98, 1e-4, 9.9999e-5, 0.1 + 0.2, 12345678901234.5678, 1e-10,
]
SHAPES = [
    [], {}, [[]], [{}], [[], {}], {"a": []}, {"a": {}}, {"a": [[]]}, {"a": [{}]}, [[1]], [[[1]]],
    [[1, 2], [3]], [[[1], 2], 3], [{"a": 1}], [{"a": 1, "b": 2}, {"c": 3}], [[{"a": 1}]],
    {"a": [1, 2]}, {"a": [[1], [2, [3]]]}, {"a": {"b": {"c": 1}}}, {"a": {"b": [1, {"c": [2]}]}},
    [{"a": [1]}], [{"a": [[1]]}], [{"a": {"b": []}}], {"a": "x\ny\n", "b": ["x\ny\n", {"c": "z\n"}]},
    [["x\n"]], [[["x\n", "y\n"]]], {"a": [["x\n"]]}, None, True, False, [None, True, False],
    {"n": None, "t": True}, {"a": 1, "b": {"c": 2}, "d": 3}, {"a": [{"b": 1}, {"c": {"d": 1}}]},
    {"a": [{"b": 1}, 2]}, {"a": [{}, {"b": 1}]}, {"a": {"b": {}}, "c": 1}, {"x": [[{"a": [1, {"b": 2}]}]]},
    {"t": {"a b": {"c.d": {"": 1}}}}, {"a": [{"b": [{"c": 1}, {"c": 2}]}, {"b": [{"c": 3}]}]},
]


def random_value(rng, depth):
    kind = rng.randrange(7 if depth else 4)
    if kind == 0:
        return rng.choice(STRINGS)
    if kind == 1:
        return rng.choice(NUMBERS)
    if kind == 2:
        return rng.choice([True, False])
    if kind == 3:
        return rng.choice(["word", "two words", 7])
    if kind == 4:
        return [random_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {rng.choice(KEYS): random_value(rng, depth - 1) for _ in range(rng.randrange(4))}


def section(rng):
    body = {}
    for _ in range(rng.randrange(4)):
        body[rng.choice(KEYS)] = random_value(rng, 2)
    return body


def element(rng, depth):
    made = [rng.choice(["a", "b:c", "tag"])]
    if rng.randrange(2):
        made.append({rng.choice(["x", "y", "z"]): random_value(rng, 1) for _ in range(rng.randrange(3))})
    for _ in range(rng.randrange(3)):
        made.append(element(rng, depth - 1) if depth and rng.randrange(2) else rng.choice(STRINGS))
    return made


def programs():
    rng = random.Random(22)
    objects = [v for v in SHAPES if isinstance(v, dict) and "n" not in v]
    objects += [{"s": STRINGS, "n": NUMBERS}, {key: 1 for key in KEYS}]
    objects += [{key: {"v": key} for key in KEYS[:30]}]
    objects += [{"k%d" % k: random_value(rng, 4) for k in range(4)} for _ in range(25)]
    values = SHAPES + objects + [STRINGS, NUMBERS] + STRINGS[:25] + NUMBERS
    for value in values:
        yield "output", [], value
        yield "toString", [], [value]
        yield "manifestJsonMinified", [], value
        yield "manifestPython", [], value
        yield "manifestYamlDoc", [False, False], value
        yield "manifestYamlDoc", [True, False], value
    for value in SHAPES + objects[:8]:
        yield "manifestYamlDoc", [False, True], value
        yield "manifestJsonEx", ["  ", "\n", ": "], value
        yield "manifestJsonEx", ["", "", ":"], value
        yield "manifestJsonEx", ["\t\u00e9", "\r\n", " = "], value
        yield "manifestJsonEx", ["", "\n", ": "], value
    for flags in itertools.product([False, True], repeat=3):
        for value in ([], [1], [{"a b": [1]}, "x\n", []], SHAPES):
            yield "manifestYamlStream", list(flags), value
    for value in objects:
        yield "manifestTomlEx", [""], value
        yield "manifestTomlEx", ["  "], value
        yield "manifestPythonVars", [], value
    for _ in range(30):
        ini = {"sections": {rng.choice(KEYS): section(rng) for _ in range(rng.randrange(4))}}
        if rng.randrange(2):
            ini["main"] = section(rng)
        yield "manifestIni", [], ini
        yield "manifestXmlJsonml", [], element(rng, 3)


def call(function, options, value):
    literal = json.dumps(value)
    arguments = "".join(", " + json.dumps(option) for option in options)
    if function == "output":
        return literal
    return "std.%s(%s%s)" % (function, literal, arguments)


def main():
    vectors = []
    for function, options, value in programs():
        flags = [] if function == "output" else ["-S"]
        program = call(function, options, value)
        done = subprocess.run([sys.argv[1], *flags, "-"], input=program.encode(), capture_output=True)
        if done.returncode:
            sys.exit("%s: %s" % (program, done.stderr.decode()))
        output = done.stdout.decode()[:-1]
        vectors.append(dict(function=function, options=options, value=value, output=output))
    origin = "go-jsonnet 0.22, by record.py"
    lines = ",\n".join(json.dumps(vector) for vector in vectors)
    text = '{"origin": %s, "vectors": [\n%s\n]}\n' % (json.dumps(origin), lines)
    pathlib.Path(__file__).with_name("jsonnet.json").write_text(text)
    print(len(vectors), "vectors")


main()
