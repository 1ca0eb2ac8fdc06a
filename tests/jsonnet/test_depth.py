"""Depth and length: no program may overflow the stack, however deep its values are.

go-jsonnet does not survive all of these, so what comes of them is stated here.
"""

from __future__ import annotations

import pytest
from candidate import Candidate
from oracles import DEAD, ERROR, VALUE, Program

HIGH = (("max-stack", "100000000"),)
FOLD = "std.foldl(function(s, i) %s, std.range(1, %d), %s)"
NEST = "local nest(n) = std.foldl(function(a, i) [a], std.range(1, n), 0); "

VALUES = [
    ("calls", "local f(n) = if n == 0 then 0 else 1 + f(n - 1); f(50000)", "50000"),
    ("thunks", "std.foldl(function(a, x) a + x, std.range(1, 200000), 0)", "20000100000"),
    ("lazy sum", "local s(a, n) = if n == 0 then a else s(a + n, n - 1); s(0, 9000)", "40504500"),
    ("nested text", f"std.length({'[' * 200_000}{']' * 200_000})", "1"),
    ("nested objects", f"std.length({'{a:' * 100_000}1{'}' * 100_000})", "1"),
    ("nested value", NEST + "std.length(nest(200000))", "1"),
    ("compared", NEST + "nest(200000) == nest(200000)", "true"),
    ("ordered", NEST + "nest(100000) < nest(100000)", "false"),
    ("minified", NEST + "std.length(std.manifestJsonMinified(nest(200000)))", "400001"),
    ("parsed", "std.length(std.parseJson(std.repeat('[', 5000) + std.repeat(']', 5000)))", "1"),
    ("text of it", NEST + "std.length(std.toString(nest(100000)))", "200001"),
    ("flattened", NEST + "std.flattenDeepArray(nest(50000))", "[\n   0\n]"),
    ("fields", "std.foldl(function(o, i) o + { a+: 1 }, std.range(1, 20000), { a: 0 }).a", "20000"),
    ("layers", FOLD % ("s { a: super.a + 1 }", 20000, "{ a: 0 }") + ".a", "20000"),
    ("chain", "std.foldl(function(o, i) { n: o }, std.range(1, 100000), {}) == {}", "false"),
    ("parentheses", f"{'(' * 50_000}1{')' * 50_000}", "1"),
    ("minuses", f"{'-' * 50_000}1", "1"),
    ("sum of terms", "+".join(["1"] * 50_000), "50000"),
    ("conditions", "if true then " * 20_000 + "7", "7"),
    ("locals", "".join(f"local x{n} = {n}; " for n in range(20_000)) + "x19999", "19999"),
    ("functions", "function(x) " * 20_000 + "x", None),
    ("text concatenated", "std.length(" + "+".join(['"ab"'] * 50_000) + ")", "100000"),
    ("rope", "std.length(std.foldl(function(s, i) s + 'x', std.range(1, 200000), ''))", "200000"),
    ("rope before", "std.length(" + FOLD % ("'x' + s", 200000, "''") + ")", "200000"),
    ("arrays joined", "std.length(" + FOLD % ("s + [i]", 20000, "[]") + ")", "20000"),
    ("wide array", f"std.length([{'1,' * 200_000}])", "200000"),
    ("wide object", "std.length({ ['k' + i]: i for i in std.range(1, 100000) })", "100000"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "value"), [pair[1:] for pair in VALUES], ids=[p[0] for p in VALUES]
)
def test_deep_values(tested: Candidate, code: str, value: str | None) -> None:
    outcome = tested.evaluate(Program(code, options=HIGH))
    if value is None:
        assert outcome.kind == ERROR
    else:
        assert (outcome.kind, outcome.text) == (VALUE, value + "\n")


@pytest.mark.parametrize(
    ("code", "value"), [pair[1:] for pair in VALUES], ids=[p[0] for p in VALUES]
)
def test_the_usual_stack_is_an_error_and_no_overflow(
    tested: Candidate, code: str, value: str | None
) -> None:
    assert tested.evaluate(Program(code)).kind != DEAD


@pytest.mark.parametrize(
    "code",
    [
        "local f(x) = f(x) + 1; f(1)",
        "local a = [a]; a",
        "local o = { a: o }; o",
        "{ a: self.a }",
        "local f(x) = [f(x)]; f(0)",
        "local a = { b: a + { c: 1 } }; std.toString(a)",
    ],
)
def test_endless_programs_end(tested: Candidate, code: str) -> None:
    outcome = tested.evaluate(Program(code))
    assert outcome.kind == ERROR
    assert "max stack frames exceeded" in outcome.text


@pytest.mark.parametrize(
    "text", ["[", "{a:", "(", "-", "[[],", "if true then ", '"a"+', "local x = "]
)
def test_unfinished_and_deep(tested: Candidate, text: str) -> None:
    assert tested.evaluate(Program(text * 50_000)).kind == ERROR
