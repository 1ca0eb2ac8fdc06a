"""Writes programs/arguments/*.cases: every library function with every kind of argument.

    python tests/jsonnet/arguments.py

For each function the table below has a call that works. From it are made: the
same call with all arguments by name; each argument replaced by a value of each
other type, and by one that must not be evaluated if the function is lazy in it;
calls with an argument too few and one too many, with a name that is none of its
parameters, and with one that is given twice. Outcomes that the files already
have are kept; `bless.py` fills in the rest.
"""

from __future__ import annotations

import sys

from cases import FIRST, PROGRAMS, Case, read

KINDS = ("null", "true", "-1.5", '"é"', "[1]", "{ a: 1 }", "function(x) x", 'error "used"')
F1, F2 = "function(x) x", "function(a, b) [a, b]"
STR, ARR, OBJ, NUM = '"abc"', "[3, 1, 2]", '{ a: 1, b:: "x" }', "2"

# Topic, then function -> the parameters with an argument that works.
TABLE: dict[str, dict[str, dict[str, str]]] = {
    "arrays": {
        "all": {"arr": "[true, false]"},
        "any": {"arr": "[true, false]"},
        "avg": {"arr": ARR},
        "contains": {"arr": ARR, "elem": "1"},
        "count": {"arr": ARR, "x": "1"},
        "deepJoin": {"arr": '["a", ["b"]]'},
        "filter": {"func": "function(x) x > 1", "arr": ARR},
        "filterMap": {"filter_func": "function(x) x > 1", "map_func": F1, "arr": ARR},
        "find": {"value": "1", "arr": ARR},
        "flatMap": {"func": "function(x) [x, x]", "arr": ARR},
        "flattenArrays": {"arrs": "[[1], [2]]"},
        "flattenDeepArray": {"value": "[1, [2]]"},
        "foldl": {"func": F2, "arr": ARR, "init": "0"},
        "foldr": {"func": F2, "arr": ARR, "init": "0"},
        "join": {"sep": '","', "arr": '["a", "b"]'},
        "lines": {"arr": '["a", "b"]'},
        "makeArray": {"sz": "2", "func": F1},
        "map": {"func": F1, "arr": ARR},
        "mapWithIndex": {"func": F2, "arr": ARR},
        "maxArray": {"arr": ARR, "keyF": F1, "onEmpty": "0"},
        "member": {"arr": ARR, "x": "1"},
        "minArray": {"arr": ARR, "keyF": F1, "onEmpty": "0"},
        "range": {"from": "1", "to": "3"},
        "remove": {"arr": ARR, "elem": "1"},
        "removeAt": {"arr": ARR, "i": "1"},
        "repeat": {"what": STR, "count": "2"},
        "reverse": {"arr": ARR},
        "slice": {"indexable": ARR, "index": "0", "end": "2", "step": "1"},
        "sort": {"arr": ARR, "keyF": F1},
        "sum": {"arr": ARR},
        "uniq": {"arr": ARR, "keyF": F1},
    },
    "sets": {
        "set": {"arr": ARR, "keyF": F1},
        "setDiff": {"a": "[1, 2]", "b": "[2]", "keyF": F1},
        "setInter": {"a": "[1, 2]", "b": "[2]", "keyF": F1},
        "setMember": {"x": "1", "arr": "[1, 2]", "keyF": F1},
        "setUnion": {"a": "[1, 2]", "b": "[2]", "keyF": F1},
    },
    "objects": {
        "get": {"o": OBJ, "f": '"b"', "default": "0", "inc_hidden": "true"},
        "mapWithKey": {"func": F2, "obj": OBJ},
        "mergePatch": {"target": OBJ, "patch": "{ c: 1 }"},
        "objectFields": {"o": OBJ},
        "objectFieldsAll": {"o": OBJ},
        "objectFieldsEx": {"obj": OBJ, "hidden": "true"},
        "objectHas": {"o": OBJ, "f": '"b"'},
        "objectHasAll": {"o": OBJ, "f": '"b"'},
        "objectHasEx": {"obj": OBJ, "fname": '"b"', "hidden": "true"},
        "objectKeysValues": {"o": OBJ},
        "objectKeysValuesAll": {"o": OBJ},
        "objectRemoveKey": {"obj": OBJ, "key": '"a"'},
        "objectValues": {"o": OBJ},
        "objectValuesAll": {"o": OBJ},
        "prune": {"a": "[null, 1]"},
    },
    "strings": {
        "asciiLower": {"str": STR},
        "asciiUpper": {"str": STR},
        "char": {"n": "97"},
        "codepoint": {"str": '"a"'},
        "endsWith": {"a": STR, "b": '"c"'},
        "equalsIgnoreCase": {"str1": STR, "str2": '"ABC"'},
        "escapeStringBash": {"str_": STR},
        "escapeStringDollars": {"str_": STR},
        "escapeStringJson": {"str_": STR},
        "escapeStringPython": {"str": STR},
        "escapeStringXML": {"str_": STR},
        "findSubstr": {"pat": '"b"', "str": STR},
        "format": {"str": '"%s"', "vals": '"v"'},
        "isEmpty": {"str": STR},
        "lstripChars": {"str": STR, "chars": '"a"'},
        "parseHex": {"str": '"ff"'},
        "parseInt": {"str": '"12"'},
        "parseOctal": {"str": '"17"'},
        "rstripChars": {"str": STR, "chars": '"c"'},
        "split": {"str": STR, "c": '"b"'},
        "splitLimit": {"str": STR, "c": '"b"', "maxsplits": "1"},
        "splitLimitR": {"str": STR, "c": '"b"', "maxsplits": "1"},
        "startsWith": {"a": STR, "b": '"a"'},
        "strReplace": {"str": STR, "from": '"b"', "to": '"x"'},
        "stringChars": {"str": STR},
        "stripChars": {"str": STR, "chars": '"ac"'},
        "substr": {"str": STR, "from": "1", "len": "1"},
        "toString": {"a": "1"},
        "trim": {"str": '" a "'},
    },
    "numbers": {
        **{
            name: {"n" if name in ("abs", "sign") else "x": "0.5"}
            for name in (
                "abs acos asin atan ceil cos deg2rad exp exponent floor isDecimal isEven "
                "isInteger isOdd log log10 log2 mantissa rad2deg round sign sin sqrt tan"
            ).split()
        },
        "atan2": {"y": "1", "x": "2"},
        "clamp": {"x": "5", "minVal": "1", "maxVal": "3"},
        "hypot": {"x": "3", "y": "4"},
        "max": {"a": "1", "b": "2"},
        "min": {"a": "1", "b": "2"},
        "mod": {"a": "7", "b": "3"},
        "modulo": {"x": "7", "y": "3"},
        "pow": {"x": "2", "n": "3"},
        "xnor": {"x": "true", "y": "false"},
        "xor": {"x": "true", "y": "false"},
    },
    "types": {
        "assertEqual": {"a": "1", "b": "1"},
        "equals": {"x": "1", "y": "1"},
        "extVar": {"x": '"missing"'},
        "id": {"x": "1"},
        "isArray": {"v": "1"},
        "isBoolean": {"v": "1"},
        "isFunction": {"v": "1"},
        "isNull": {"x": "1"},
        "isNumber": {"v": "1"},
        "isObject": {"v": "1"},
        "isString": {"v": "1"},
        "length": {"x": STR},
        "native": {"x": '"none"'},
        "primitiveEquals": {"x": "1", "y": "1"},
        "resolvePath": {"f": '"a/b"', "r": '"c"'},
        "trace": {"str": '"seen"', "rest": "1"},
        "type": {"x": "1"},
    },
    "encodings": {
        "base64": {"input": STR},
        "base64Decode": {"str": '"YWJj"'},
        "base64DecodeBytes": {"str": '"YWJj"'},
        "decodeUTF8": {"arr": "[97, 98]"},
        "encodeUTF8": {"str": STR},
        "md5": {"s": STR},
        "parseJson": {"str": '"[1]"'},
        "parseYaml": {"str": '"a: 1"'},
        "sha1": {"s": STR},
        "sha256": {"s": STR},
        "sha3": {"s": STR},
        "sha512": {"s": STR},
    },
    "manifests": {
        "manifestIni": {"ini": "{ sections: { s: { a: 1 } } }"},
        "manifestJson": {"value": OBJ},
        "manifestJsonEx": {
            "value": OBJ,
            "indent": '"  "',
            "newline": '"\\n"',
            "key_val_sep": '": "',
        },
        "manifestJsonMinified": {"value": OBJ},
        "manifestPython": {"v": OBJ},
        "manifestPythonVars": {"conf": OBJ},
        "manifestToml": {"value": OBJ},
        "manifestTomlEx": {"value": OBJ, "indent": '"  "'},
        "manifestXmlJsonml": {"value": '["a", { b: 1 }, "c"]'},
        "manifestYamlDoc": {
            "value": OBJ,
            "indent_array_in_object": "false",
            "quote_keys": "true",
        },
        "manifestYamlStream": {
            "value": "[1, { a: 2 }]",
            "indent_array_in_object": "false",
            "c_document_end": "true",
            "quote_keys": "true",
        },
    },
}


def calls(name: str, good: dict[str, str]) -> list[str]:
    """Return the calls that are made of one that works."""
    names, values = list(good), list(good.values())

    def call(arguments: list[str]) -> str:
        return f"std.{name}({', '.join(arguments)})"

    named = [f"{parameter}={value}" for parameter, value in good.items()]
    made = [call(values), call(named), call(named[::-1]), call([]), call(values[:-1])]
    made += [call([*values, "0"]), call([*values, "none=0"]), call([*values, f"{names[0]}=0"])]
    for place in range(len(values)):
        for kind in KINDS:
            made.append(call([*values[:place], kind, *values[place + 1 :]]))
    made.append(f"{call(values)} tailstrict")
    return list(dict.fromkeys(made))


def main() -> int:
    """Write the files."""
    for topic, functions in TABLE.items():
        file = PROGRAMS / "arguments" / f"{topic}.cases"
        file.parent.mkdir(exist_ok=True)
        known = (
            {case.code: case for case in read(file) if isinstance(case, Case)}
            if file.exists()
            else {}
        )
        lines = []
        for name, good in functions.items():
            lines += [f"# std.{name}", ""]
            for code in calls(name, good):
                lines += list(known[code].lines()) if code in known else [FIRST + code]
                lines.append("")
        file.write_text("\n".join(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
