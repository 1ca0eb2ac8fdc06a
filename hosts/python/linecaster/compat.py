"""What the drop-ins give for your own data, and whether it equals the originals.

    python -m linecaster.compat file.json
    python -m linecaster.compat -e "{'a': float('nan')}" --ensure-ascii false

A file is decoded and encoded again, an expression encoded, a `--text` decoded,
by `linecaster.json`, `.orjson` and `.ujson` and by what each takes the place
of, where that is installed. `--help` lists the options; docs/compat.md explains
the answers.
"""

from __future__ import annotations

import argparse
import builtins
import importlib
import io
import json
import platform
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from linecaster._comparison import Difference, Outcome, brief, compare, run

__all__ = ["main"]

DROP_INS = ("json", "orjson", "ujson")
EQUAL, DIFFERENT, MISUSED = 0, 1, 2
# How much of a value is shown.
WIDTH = 88
# Our own options; all others are keywords of `dumps`.
SHORT = {"-e": "--expression", "-t": "--text", "-o": "--only"}
FLAGS = ("-h", "--help", "--json")
VALUED = ("--expression", "--text", "--only", "--kwargs", "--loads-kwargs")


class UsageError(Exception):
    """The command line asks for what cannot be done."""


class Pair(NamedTuple):
    """A drop-in and what it takes the place of; `None` if that is not installed."""

    name: str
    ours: Any
    theirs: Any
    version: str


class Result(NamedTuple):
    """One call by both sides."""

    pair: Pair
    call: str
    linecaster: Outcome
    original: Outcome | None
    difference: Difference | None

    @property
    def verdict(self) -> str:
        """Say it in a word."""
        if self.original is None:
            return "not compared"
        return "equal" if self.difference is None else "DIFFERENT"


class Input(NamedTuple):
    """What is given to both sides: a document, or a value made anew for each call."""

    name: str
    text: str | bytes | None = None
    value: Callable[[], Any] | None = None
    # Whether what was decoded is encoded again.
    both_ways: bool = False


class Keywords(NamedTuple):
    """The keywords of the calls, each worked out from its text."""

    dumps: dict[str, Any]
    loads: dict[str, Any]


def load_pair(name: str) -> Pair:
    """Import a drop-in and its original."""
    ours = importlib.import_module(f"linecaster.{name}")
    try:
        theirs = importlib.import_module(name)
    except ImportError:
        return Pair(name, ours, None, "not installed")
    version = platform.python_version() if name == "json" else str(theirs.__version__)
    return Pair(name, ours, theirs, version)


def call_both(pair: Pair, call: str, make: Callable[[], Any], keywords: dict[str, Any]) -> Result:
    """Make the same call of both sides."""
    mine = run(getattr(pair.ours, call), make, keywords)
    if pair.theirs is None:
        return Result(pair, call, mine, None, None)
    its = run(getattr(pair.theirs, call), make, keywords)
    return Result(pair, call, mine, its, compare(its, mine))


def results(given: Input, pairs: Sequence[Pair], keywords: Keywords) -> Iterator[Result]:
    """Hold each drop-in against its original."""
    for pair in pairs:
        make = given.value
        if given.text is not None:
            text = given.text
            decoded = call_both(pair, "loads", lambda text=text: text, keywords.loads)  # type: ignore[misc]
            yield decoded
            sides = (decoded.original, decoded.linecaster)
            outcome = next((one for one in sides if one is not None and not one.error), None)
            if outcome is None or not given.both_ways:
                continue
            make = lambda value=outcome.value: value  # noqa: E731
        if make is not None:
            yield call_both(pair, "dumps", make, keywords.dumps)


# --- the command line


class Namespace(dict[str, Any]):
    """The names of an expression: modules, imported when named, and `OPT_*`."""

    def __init__(self, code: types.CodeType) -> None:
        super().__init__()
        for name in names_of(code):
            if name.startswith("OPT_"):
                self[name] = getattr(importlib.import_module("linecaster.orjson"), name)
            elif not hasattr(builtins, name):
                try:
                    self[name] = importlib.import_module(name)
                except ImportError:
                    continue  # An attribute, or a name that evaluating will miss.


def names_of(code: types.CodeType) -> Iterator[str]:
    """List the global names of an expression, those of its lambdas included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from names_of(constant)


def expression(text: str) -> Callable[[], Any]:
    """Return a function that evaluates a Python expression."""
    code = compile(text.strip(), "<expression>", "eval")
    namespace = Namespace(code)
    return lambda: eval(code, namespace)


def evaluate(text: str, what: str) -> Any:
    """Evaluate an expression of the command line."""
    try:
        return expression(text)()
    except Exception as error:
        raise UsageError(f"{what}: {type(error).__name__}: {error}") from error


def option_value(text: str) -> Any:
    """Read the value of an option: a word, a Python expression, or else a string."""
    words = {"true": True, "false": False, "none": None, "null": None}
    if text.lower() in words:
        return words[text.lower()]
    if text.isidentifier() and not hasattr(builtins, text) and not text.startswith("OPT_"):
        return text  # A word, even if a module has this name.
    try:
        return expression(text)()
    except (SyntaxError, NameError):
        return text
    except Exception as error:
        raise UsageError(f"{text!r}: {type(error).__name__}: {error}") from error


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    made = argparse.ArgumentParser(
        prog="python -m linecaster.compat",
        description="Show what linecaster.json, .orjson and .ujson give for your data, and whether "
        "it equals what json, orjson and ujson give (those that are installed).",
        epilog="Every other option is a keyword of dumps: --ensure-ascii false, --indent 2, "
        "--default str, --option 'OPT_INDENT_2 | OPT_SORT_KEYS'. Values and expressions are "
        "Python; modules are imported when named. Exit status: 0 if all is equal, 1 if something "
        "differs, 2 if the command cannot be carried out.",
        allow_abbrev=False,
    )
    add = made.add_argument
    add(
        "files",
        nargs="*",
        metavar="FILE",
        help="JSON to decode and encode again; - is standard input",
    )
    add(
        "-e",
        "--expression",
        action="append",
        default=[],
        metavar="EXPR",
        help="a Python expression whose value is encoded",
    )
    add(
        "-t",
        "--text",
        action="append",
        default=[],
        metavar="TEXT",
        help="JSON text to decode, as str",
    )
    add(
        "-o",
        "--only",
        action="append",
        choices=DROP_INS,
        metavar="NAME",
        help="only this drop-in: json, orjson or ujson (may be repeated)",
    )
    add(
        "--kwargs",
        default="",
        metavar="KEYWORDS",
        help="keywords of dumps in Python, such as 'indent=2, sort_keys=True'",
    )
    add("--loads-kwargs", default="", metavar="KEYWORDS", help="keywords of loads")
    add("--json", action="store_true", help="answer in JSON")
    return made  # fmt: skip


def split_options(arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Part the keywords of `dumps` from our own options."""
    own: list[str] = []
    keywords: dict[str, str] = {}
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        name = SHORT.get(name, name)
        if argument == "--":
            return [*own, argument, *rest], keywords
        if name in FLAGS or not name.startswith("--"):
            own.append(argument)
            continue
        given = value if equals else next(rest, None)
        if given is None:
            raise UsageError(f"{name} needs a value")
        if name in VALUED:
            # In one word: the value may begin with a minus.
            own.append(f"{name}={given}")
        else:
            # As in a call that is written out: orjson knows its keywords by identity.
            keywords[sys.intern(name[2:].replace("-", "_"))] = given
    return own, keywords


def inputs(arguments: argparse.Namespace) -> Iterator[Input]:
    """Yield what is to be encoded and decoded."""
    for name in arguments.files:
        try:
            data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except OSError as error:
            raise UsageError(f"{name}: {error.strerror or error}") from error
        yield Input(name, text=data, both_ways=True)
    for text in arguments.text:
        yield Input(shortened(repr(text)), text=text)
    for text in arguments.expression:
        evaluate(text, "expression")
        yield Input(shortened(text), value=expression(text))


def shortened(text: str, width: int = WIDTH) -> str:
    """Cut a text down to one line of the screen."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


# --- the answers


def shown(outcome: Outcome) -> str:
    """Spell an outcome in a line."""
    if outcome.error:
        return shortened(f"{outcome.error}: {outcome.message}")
    value = outcome.value
    if not isinstance(value, (str, bytes)):
        return shortened(brief(value))
    text = shortened(repr(value[:WIDTH]))
    unit = "bytes" if isinstance(value, bytes) else "characters"
    return f"{text} ({len(value)} {unit})" if len(value) > WIDTH or "…" in text[-1] else text


def print_plainly(given: Input, answers: Sequence[Result]) -> None:
    """Print the answers for people."""
    print(given.name)
    for one in answers:
        title = f"  {one.pair.name} {one.pair.version}"
        line = f"{title:24} {one.call}  {one.verdict}"
        if one.original is None or one.difference is None:
            print(f"{line:45} {shown(one.linecaster)}")
            continue
        print(line)
        print(f"      original    {shown(one.original)}")
        print(f"      linecaster  {shown(one.linecaster)}")
        print(f"      first difference: {one.difference.text}")


def as_json(outcome: Outcome | None) -> dict[str, str] | None:
    """Describe an outcome for machines: texts in full, other values in brief."""
    if outcome is None:
        return None
    if outcome.error:
        return {"error": outcome.error, "message": outcome.message}
    value, kind = outcome.value, type(outcome.value).__name__
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    if isinstance(value, str):
        return {"type": kind, "text": value}
    return {"type": kind, "value": brief(value)}


def described(given: Input, answers: Sequence[Result]) -> dict[str, Any]:
    """Describe the answers for machines."""
    return {
        "input": given.name,
        "results": [
            {
                "drop_in": f"linecaster.{one.pair.name}",
                "original_version": None if one.pair.theirs is None else one.pair.version,
                "call": one.call,
                "equal": None if one.original is None else one.difference is None,
                "original": as_json(one.original),
                "linecaster": as_json(one.linecaster),
                "difference": None if one.difference is None else one.difference._asdict(),
            }
            for one in answers
        ],
    }


def answer(arguments: Sequence[str]) -> int:
    """Do what the command line says; return the exit status."""
    known = parser()
    own, extra = split_options(arguments)
    parsed = known.parse_args(own)
    if not (parsed.files or parsed.text or parsed.expression):
        raise UsageError("nothing to compare: give a file, -e EXPR or -t TEXT")
    keywords = Keywords(
        {
            **evaluate(f"dict({parsed.kwargs})", "--kwargs"),
            **{name: option_value(text) for name, text in extra.items()},
        },
        evaluate(f"dict({parsed.loads_kwargs})", "--loads-kwargs"),
    )
    pairs = [load_pair(name) for name in DROP_INS if name in (parsed.only or DROP_INS)]
    if all(pair.theirs is None for pair in pairs):
        names = ", ".join(pair.name for pair in pairs)
        raise UsageError(f"nothing to compare with: {names} is not installed")
    answers = []
    for given in list(inputs(parsed)):
        found = list(results(given, pairs, keywords))
        answers.append((given, found))
        if not parsed.json:
            print_plainly(given, found)
    every = [one for _, found in answers for one in found if one.original is not None]
    different = sum(one.difference is not None for one in every)
    if parsed.json:
        report = [described(given, found) for given, found in answers]
        print(json.dumps({"equal": different == 0, "inputs": report}, indent=2))
    else:
        print(f"{different} of {len(every)} differ" if different else f"all {len(every)} equal")
    return DIFFERENT if different else EQUAL


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 0, 1 or 2."""
    try:
        return answer(sys.argv[1:] if arguments is None else arguments)
    except UsageError as error:
        print(f"linecaster.compat: {error}", file=sys.stderr)
        return MISUSED


if __name__ == "__main__":
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Also where the terminal has fewer characters than the data.
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main())
