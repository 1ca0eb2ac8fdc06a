"""Random programs: made by type, so that most of them evaluate; the same for the same seed.

A program is a tree of `Node`s. Each knows the type that it was made for, so that
a failing program can be made smaller: a node gives way to a literal of its type
or to a node below it of the same type (`smaller`), as long as the failure stays.

One node in `ODD` is made for another type than its place wants, so that errors
of types come too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

NUM, STR, BOOL, NULL, ANY = "num", "str", "bool", "null", "any"
NUMS, STRS, OBJ, FUNC = "[num]", "[str]", "{}", "function"
VALUES = (NUM, STR, BOOL, NULL, NUMS, STRS, OBJ)
ODD = 60

LITERALS: dict[str, tuple[str, ...]] = {
    NUM: (*"0 1 2 3 7 10 -1 0.5 1.5 -2.25 100 255 1e3 1e15 1e21 0.1 1e-7 4294967296".split(),),
    STR: (
        '""', '"a"', '"b"', '"abc"', '"é"', '"日本"', '"😀"', '"a b"', '"%d"', '"1"', '"x,y"',
        '"\\n"', '"\\u007f"', "'it\"s'", '@"a\\b"', '"true"', '"key: v"', '"A"', '" pad "',
    ),
    BOOL: ("true", "false"),
    NULL: ("null",),
    NUMS: ("[]", "[1]", "[3, 1, 2]", "[1, 1, 2]", "[0.5, -1]"),
    STRS: ("[]", '["a"]', '["b", "a"]', '["x", "x"]', '["é", "z"]'),
    OBJ: ("{}", "{ a: 1 }", "{ b: 2, a: 1 }", '{ a: "s", h:: 1 }', "{ a: { b: [1] } }"),
    FUNC: ("function(x) x",),
}  # fmt: skip
SIMPLEST = {kind: values[0] for kind, values in LITERALS.items()} | {ANY: "0"}
FIELDS = ("a", "b", "c", "h")

# Result type -> templates; `<type>` is a hole, `<a>` and `<f1>` are explained in `Maker`.
TEMPLATES: dict[str, str] = {
    NUM: """<f2>(<num>, <num>)|(function(x, y=x) x + y)(<num>)
        (function(x, y=1) x - y)(y=<num>, x=<num>)
        (function(x) x)(<num>) tailstrict
        (local f(n) = if n <= 0 then <num> else n + f(n - 1); f(5))
        { a: <num>, b: self.a + 1 }.b|({ a: 1, f(x): x + self.a } + { a: <num> }).f(<num>)
        (<obj> + { n:: <num> }).n|[<num>, <num>, <num>][<num>]|std.length(std.toString(<any>))
        std.parseJson(std.manifestJson(<num>))|std.atan2(<num>, <num>)|std.hypot(<num>, <num>)
        std.log2(<num>)|std.deg2rad(<num>)|std.exp(<num>)|std.find(<num>, <nums>)[0]
        (local o = <obj>; std.length(o) + std.length(o + o))|std.get(<obj>, "a", default=<num>)
        <num> + <num>|<num> - <num>|<num> * <num>|<num> / <num>|<num> % <num>
        -<num>|+<num>|~<num>|<num> & <num>|<num> \\| <num>|<num> ^ <num>|<num> << 3|<num> >> 2
        <nums>[0]|<nums>[<num>]|<obj>.a|<obj>["b"]|std.length(<str>)|std.length(<nums>)
        std.length(<obj>)|std.length(<strs>)|std.abs(<num>)|std.floor(<num>)|std.ceil(<num>)
        std.round(<num>)|std.sign(<num>)|std.max(<num>, <num>)|std.min(<num>, <num>)
        std.clamp(<num>, 0, 10)|std.sqrt(<num>)|std.pow(<num>, 2)|std.mod(<num>, <num>)
        std.sum(<nums>)|std.avg(<nums>)|std.minArray(<nums>)|std.maxArray(<nums>)
        std.maxArray(<nums>, onEmpty=<num>)|std.count(<nums>, <num>)|std.codepoint("é")
        std.parseInt(<str>)|std.parseInt("" + std.floor(<num>))|std.parseHex("ff")
        std.foldl(<f2>, <nums>, <num>)|std.foldr(<f2>, <nums>, <num>)|<f1>(<num>)
        std.exponent(<num>)|std.mantissa(<num>)|std.get(<obj>, <name>, <num>)
        (local <v:num> = <num>; <num>)|(if <bool> then <num> else <num>)|std.id(<num>)
        (assert <bool> : <str>; <num>)|std.trace("t", <num>)|std.length(<f1>)""",
    STR: """std.format("%s-%s", [<any>, <any>])|"%+6.3g\\|%-5s\\|%x" % [<num>, <str>, 255]
        ("%" + std.length(<str>) + "d") % <num>|"%*d" % [5, <num>]|"%c" % 233|"%s %(a)s" % <obj>
        <str> % [<any>]
        <str>[<num>:<num>]|<str>[<num>:<num>:<num>]|std.splitLimit(<str>, <str>, <num>)[0]
        std.slice(<str>, <num>, <num>, 1)|std.manifestYamlDoc(<obj>, <bool>, <bool>)
        std.manifestYamlStream([<any>], <bool>, <bool>, <bool>)|std.sha512(<str>)|std.sha3(<str>)
        std.manifestJsonEx(<any>, <str>, <str>, <str>)|std.manifestTomlEx(<obj>, <str>)
        std.strReplace(<str>, <str>, <str>)
        std.manifestIni({ main: <obj>, sections: { s: <obj> } })
        <str> + <str>|<str> + <num>|<num> + <str>|<str> + <any>|<strs>[0]|<str>[0]
        <str>[<num>]
        <str>[1:]|<str>[:2]|<str>[::2]|<str>[-2:]|"%s" % [<any>]|"%d" % <num>|"%5.2f" % <num>
        "%-8s|" % <str>|"%(a)s" % <obj>|"%05d" % <num>|"%x" % std.abs(<num>)|"%g" % <num>
        "%e" % <num>
        std.toString(<any>)|std.type(<any>)|std.asciiUpper(<str>)|std.asciiLower(<str>)
        std.substr(<str>, 0, 2)|std.substr(<str>, <num>, <num>)|std.join(<str>, <strs>)
        std.lines(<strs>)|std.char(65)|std.strReplace(<str>, "a", <str>)|std.trim(<str>)
        std.stripChars(<str>, <str>)|std.lstripChars(<str>, "a ")|std.rstripChars(<str>, "a ")
        std.repeat(<str>, 2)|std.escapeStringJson(<str>)|std.escapeStringBash(<str>)
        std.escapeStringDollars(<str>)|std.escapeStringXML(<str>)|std.escapeStringPython(<str>)
        std.base64(<str>)|std.base64Decode(std.base64(<str>))|std.md5(<str>)|std.sha1(<str>)
        std.manifestJson(<any>)|std.manifestJsonMinified(<any>)|std.manifestJsonEx(<any>, "  ")
        std.manifestYamlDoc(<any>)|std.manifestYamlDoc(<any>, true, false)
        std.manifestYamlStream([<any>, <any>])|std.manifestTomlEx(<obj>, " ")
        std.manifestPython(<any>)
        std.manifestPythonVars(<obj>)|std.manifestIni({ sections: { s: <obj> } })
        std.manifestXmlJsonml(["t", <obj>, <str>])|std.decodeUTF8(std.encodeUTF8(<str>))
        std.deepJoin([<str>, <strs>])|std.resolvePath("a/b", <str>)
        std.foldl(<f2s>, <strs>, <str>)
        (local <v:str> = <str>; <str>)|(if <bool> then <str> else <str>)|std.sha256(<str>)
        <obj>.h|std.objectFields(<obj>)[0]|std.join("", std.stringChars(<str>))|error <str>""",
    BOOL: """<strs> == <strs>|<obj> != <obj>|[<any>] == [<any>]|{ a: <any> } == { a: <any> }
        <str> >= <str>|<strs> < <strs>|<any> == null|[<any>] < [<any>]|std.member(<strs>, <any>)
        <num> < <num>|<num> <= <num>|<num> > <num>|<num> == <num>|<num> != <num>
        <str> < <str>
        <str> == <str>|<any> == <any>|<any> != <any>|<nums> < <nums>|<nums> == <nums>
        <obj> == <obj>
        !<bool>|<bool> && <bool>|<bool> \\|\\| <bool>|<name> in <obj>|std.isEmpty(<str>)
        std.member(<nums>, <num>)|std.member(<str>, "a")|std.contains(<strs>, <str>)
        std.startsWith(<str>, <str>)|std.endsWith(<str>, <str>)|std.objectHas(<obj>, <name>)
        std.objectHasAll(<obj>, <name>)|std.isNumber(<any>)|std.isString(<any>)
        std.isObject(<any>)
        std.isArray(<any>)|std.isBoolean(<any>)|std.isFunction(<any>)|std.isNull(<any>)
        std.isEven(<num>)|std.isOdd(<num>)|std.isInteger(<num>)|std.isDecimal(<num>)
        std.xor(<bool>, <bool>)|std.xnor(<bool>, <bool>)|std.all([<bool>, <bool>])
        std.any([<bool>, <bool>])|std.equalsIgnoreCase(<str>, <str>)|std.equals(<any>, <any>)
        std.setMember(<num>, std.set(<nums>))|(if <bool> then <bool> else <bool>)
        std.assertEqual(<num>, <num>)|<b1>(<num>)""",
    NULL: "null|<nulls>[0]|(if false then <num>)|std.parseJson('null')|std.prune(null)",
    NUMS: """[<num>, <num>, <num>, <num>]|<nums>[<num>:<num>:<num>]
        std.slice(<nums>, <num>, <num>, <num>)
        [x + y for x in <nums> for y in <nums> if x < y]|std.makeArray(std.length(<nums>), <f1>)
        std.objectValues({ a: <num>, b: <num> })|std.sort(<nums>, keyF=<f1>)
        std.uniq(std.sort(<nums>, <f1>), <f1>)|std.foldr(function(x, a) a + [x], <nums>, [])
        std.setUnion(std.set(<nums>, <f1>), std.set(<nums>, <f1>), <f1>)
        std.setDiff(std.set(<nums>, <f1>), std.set(<nums>, <f1>), keyF=<f1>)
        std.parseJson(std.manifestJsonMinified(<nums>))|std.parseYaml(std.manifestYamlDoc(<nums>))
        std.repeat([<num>, <num>], <num>)|[<num>, error <str>][0:1]|std.removeAt(<nums>, <num>)
        [<num>, <num>]|[<num>]|<nums> + <nums>|<nums>[1:]|<nums>[::2]|<nums>[-2:]
        <nums>[:<num>]
        [<num> for <v:num> in <nums>]|[<num> for <v:num> in <nums> if <bool>]
        [<num> for <v:num> in <nums> for <v:num> in <nums>]|std.range(0, 4)|std.range(<num>, 3)
        std.map(<f1>, <nums>)|std.filter(<b1>, <nums>)|std.filterMap(<b1>, <f1>, <nums>)
        std.mapWithIndex(<f2>, <nums>)|std.sort(<nums>)|std.sort(<nums>, <f1>)|std.uniq(<nums>)
        std.set(<nums>)|std.set(<nums>, <f1>)|std.setUnion(std.set(<nums>), std.set(<nums>))
        std.setInter(std.set(<nums>), std.set(<nums>))
        std.setDiff(std.set(<nums>), std.set(<nums>))
        std.reverse(<nums>)|std.makeArray(3, <f1>)|std.repeat(<nums>, 2)
        std.flattenArrays([<nums>, <nums>])
        std.flattenDeepArray([<nums>, [<nums>]])|std.flatMap(function(x) [x, x], <nums>)
        std.slice(<nums>, 0, 3, 1)|std.remove(<nums>, <num>)|std.removeAt(<nums>, 0)
        std.find(<num>, <nums>)
        std.findSubstr("a", <str>)|std.encodeUTF8(<str>)|std.base64DecodeBytes(std.base64(<nums>))
        std.join([0], [<nums>, <nums>])|(local <v:num> = <num>; <nums>)
        (if <bool> then <nums> else <nums>)
        std.prune(<nums>)|std.foldl(function(a, x) [x] + a, <nums>, <nums>)
        std.parseJson("[1, 2.5]")""",
    STRS: """std.splitLimit(<str>, <str>, <num>)|[k for k in std.objectFields(<obj>)]
        std.map(function(o) o.key, std.objectKeysValues(<obj>))
        [std.type(x) for x in [<any>, <any>]]
        std.splitLimitR(<str>, <str>, <num>)|std.sort(<strs>, std.length)
        std.set(<strs>, std.asciiLower)
        [<str>, <str>]|<strs> + <strs>|<strs>[1:]|[<str> for <v:str> in <strs>]
        std.split(<str>, ",")
        std.split(<str>, <str>)|std.splitLimit(<str>, "a", 1)|std.splitLimitR(<str>, "a", 1)
        std.stringChars(<str>)|std.objectFields(<obj>)|std.objectFieldsAll(<obj>)|std.sort(<strs>)
        std.set(<strs>)|std.uniq(<strs>)|std.reverse(<strs>)|std.map(std.asciiUpper, <strs>)
        [std.toString(x) for x in <nums>]|std.setUnion(std.set(<strs>), std.set(<strs>))
        std.map(function(x) x + <str>, <strs>)|(local <v:str> = <str>; <strs>)
        std.prune(<strs>)""",
    OBJ: """<obj> + { a+: <any>, b+:: <any> }|<obj> { a: super.a, [if <bool> then "c"]+: <num> }
        { local s = self, a: s.b, b: <any> }|{ a: <any> } + <obj> + { c: self.a, h:: super.a }
        { a: { b: <any> } } + { a+: { b: super.b, c: $.d, d: 1 }, d: <any> }
        <obj> + { a::: <any> }
        std.parseYaml(std.manifestYamlDoc(<obj>))|std.parseJson(std.manifestJson(<obj>))
        { assert self.a == <any> : "m", a: <any> }
        { [k]: <obj>[k] for k in std.objectFields(<obj>) }
        std.mapWithKey(function(k, v) k + std.type(v), <obj>)
        std.mergePatch(<obj>, { a: null, b: <any> })
        ({ a: <any>, b: 1 } { b: super.b + 1 }) + { c: super.b }|(<obj> + <obj>) { a+: super.a }
        { a: <any>, b: [$.a, self.a], c: { a: $.a, b: "a" in super } }|<obj> + { c: "a" in super }
        { f(x, y=self.a): [x, y], a: <any>, b:: self.f(<any>) }
        { a: 1 } + { a: super["a"], b: <any> }
        { a: <num>, b: <num> }|{ a: <str>, b: <any>, h:: <num> }|{ a: <num>, b: self.a }
        { a: <num>, c: { a: <any>, b: $.a } }|{ [<name>]: <any> }
        { a: <any>, [if <bool> then "c"]: <any> }
        <obj> + <obj>|<obj> + { a: <any> }|<obj> + { a+: <num> }|<obj> + { b: super.a }
        <obj> { c: <any> }
        <obj> + { a:: <any> }|<obj> + { h::: <any> }|{ a: 1, b: <obj>.a }
        { local <v:num> = <num>, a: <num> }|{ assert <bool> : <str>, a: <any> }
        { [x]: <any> for x in <strs> }|{ ["k" + x]: x + <num> for x in <nums> if <bool> }
        std.mergePatch(<obj>, <obj>)|std.prune(<obj>)|std.mapWithKey(function(k, v) [k, v], <obj>)
        std.objectRemoveKey(<obj>, <name>)|std.parseJson('{"a": 1, "b": [2]}')
        std.parseYaml("a: 1\\nb: x")
        std.foldl(function(o, x) o { ["f" + x]: x }, <nums>, <obj>)
        (if <bool> then <obj> else <obj>)
        (local <v:num> = <num>; <obj>)|{ f(x):: x + <num>, a: self.f(<num>) }
        { a: <obj>, b: self.a.a }
        { a: <num> } + { a: super.a + 1 } + { a: super.a * 2 }|std.objectKeysValues(<obj>)[0]""",
}  # fmt: skip
_HOLES = {"nums": NUMS, "strs": STRS, "obj": OBJ}


@dataclass(frozen=True)
class Node:
    """A piece of a program: its type, and its text with nodes in between."""

    kind: str
    parts: tuple[str | Node, ...]

    def __str__(self) -> str:
        return "".join(map(str, self.parts))

    def below(self) -> Iterator[Node]:
        """Iterate over the nodes under this one."""
        for part in self.parts:
            if isinstance(part, Node):
                yield part
                yield from part.below()


def _split(template: str) -> list[str]:
    """Split a template into text and the names of holes, which stand at odd places."""
    pieces: list[str] = []
    for place, piece in enumerate(template.split("<")):
        name, closed, rest = piece.partition(">")
        if place and closed and (name.isalnum() or name.startswith("v:")):
            pieces += [name, rest]
        elif pieces:
            pieces[-1] += "<" + piece
        else:
            pieces.append(piece)
    return pieces


def _templates(text: str) -> list[list[str]]:
    """Split the alternatives of a type; a bar that is an operator has a backslash."""
    bar = "\0"
    lines = text.replace("\\|", bar).replace('s|"', 's\1"').split("\n")
    found = [part.strip() for line in lines for part in line.split("|")]
    return [_split(part.replace(bar, "|").replace("\1", "|")) for part in found if part]


SPLIT = {kind: _templates(text) for kind, text in TEMPLATES.items()}


class Maker:
    """Makes nodes; `scope` has the variables that are visible, with their types."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = 0

    def program(self) -> Node:
        """Make a whole program."""
        depth = self.random.choice((1, 2, 2, 3, 3, 4, 5))
        return self.node(self.random.choice(VALUES), depth, ())

    def node(self, kind: str, depth: int, scope: tuple[tuple[str, str], ...]) -> Node:
        """Make an expression of a type."""
        chance = self.random
        if kind == ANY:
            made = self.node(chance.choice(VALUES), depth, scope)
            return Node(ANY, (made,))
        wanted = kind
        if chance.randrange(ODD) == 0:
            wanted = chance.choice(VALUES)
        if depth <= 0 or chance.random() < 0.12:
            fitting = [name for name, of in scope if of == wanted]
            if fitting and chance.random() < 0.75:
                return Node(kind, (chance.choice(fitting),))
            return Node(kind, (chance.choice(LITERALS[wanted]),))
        pieces = chance.choice(SPLIT[wanted])
        return Node(kind, ("(", *self.fill(pieces, depth - 1, scope), ")"))

    def fill(
        self, pieces: list[str], depth: int, scope: tuple[tuple[str, str], ...]
    ) -> Iterator[str | Node]:
        """Fill the holes of a template."""
        inner = scope
        bound: list[tuple[str, str]] = []
        for hole in pieces[1::2]:
            if hole.startswith("v:"):
                self.names += 1
                bound.append((f"v{self.names}", hole[2:]))
        inner = (*scope, *bound)
        comprehension = bool(bound) and " for " in "".join(pieces[::2])
        waiting = iter(bound)
        for place, piece in enumerate(pieces):
            if place % 2 == 0:
                yield piece
            elif piece.startswith("v:"):
                yield next(waiting)[0]
            elif comprehension and place > 2 and pieces[place - 1].rstrip().endswith(" in"):
                yield self.node(_HOLES.get(piece, piece), depth, scope)
            else:
                yield self.hole(piece, depth, inner)

    def hole(self, name: str, depth: int, scope: tuple[tuple[str, str], ...]) -> Node:
        """Make what a hole asks for: a type, or a function of one of a few kinds."""
        makers: dict[str, Callable[[], Node]] = {
            "f1": lambda: self.function(("x",), NUM, NUM, depth, scope),
            "f2": lambda: self.function(("x", "y"), NUM, NUM, depth, scope),
            "f2s": lambda: self.function(("x", "y"), STR, STR, depth, scope),
            "b1": lambda: self.function(("x",), NUM, BOOL, depth, scope),
            "name": lambda: Node(STR, (f'"{self.random.choice(FIELDS)}"',)),
            "nulls": lambda: Node(NULL, ("[null]",)),
        }
        if name in makers:
            return makers[name]()
        return self.node(_HOLES.get(name, name), depth, scope)

    def function(
        self,
        parameters: tuple[str, ...],
        takes: str,
        gives: str,
        depth: int,
        scope: tuple[tuple[str, str], ...],
    ) -> Node:
        """Make a function whose body sees its parameters."""
        inner = (*scope, *((name, takes) for name in parameters))
        body = self.node(gives, depth, inner)
        return Node(FUNC, (f"(function({', '.join(parameters)}) ", body, ")"))


def program(seed: int) -> Node:
    """Make the program of a seed."""
    return Maker(seed).program()


def _replaced(root: Node, old: Node, new: Node) -> Node:
    if root is old:
        return new
    parts = tuple(
        _replaced(part, old, new) if isinstance(part, Node) else part for part in root.parts
    )
    return Node(root.kind, parts)


def _candidates(root: Node) -> Iterator[Node]:
    """Iterate over programs that are a step smaller, the smallest first."""
    for node in root.below():
        yield Node(root.kind, (str(node),)) if not node.parts[1:] else node
    for node in (root, *root.below()):
        text = str(node)
        simplest = SIMPLEST.get(node.kind)
        if simplest is not None and text != simplest and len(text) >= len(simplest):
            yield _replaced(root, node, Node(node.kind, (simplest,)))
        for inner in node.below():
            if inner.kind == node.kind or node.kind == ANY:
                yield _replaced(root, node, inner)


def smaller(root: Node, fails: Callable[[str], bool], steps: int = 400) -> Node:
    """Make a failing program smaller until no step leaves it failing."""
    found = True
    while found and steps > 0:
        found = False
        for candidate in _candidates(root):
            steps -= 1
            if steps <= 0:
                break
            if len(str(candidate)) < len(str(root)) and fails(str(candidate)):
                root, found = candidate, True
                break
    return root
