"""`linecaster.json.dump` and `JSONEncoder.iterencode` write in pieces what `json` writes."""

import gc
import json
import sys
import tracemalloc
import weakref
from collections.abc import Iterator
from typing import Any

import linecaster.json as ours
import pytest
from hypothesis import given
from hypothesis import strategies as st
from json_outcomes import Writer, outcome, said
from strategies import trees

CHUNK = 65_536
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"indent": 2},
    {"sort_keys": True, "ensure_ascii": False},
    {"separators": ("\u2028", "é"), "indent": "漢", "ensure_ascii": False},
    {"skipkeys": True, "check_circular": False},
)
# Longer than some chunks.
FILLER = {f"key {i}": [i, i / 8, None, "text é 漢 \U0001f600", {"a": []}] for i in range(4_000)}


class Pairs(dict):  # type: ignore[type-arg]
    """A dict that only `json` itself knows to read."""

    def items(self) -> Any:
        return [("x", 1), ("y", [2])]

    def __bool__(self) -> bool:
        return True


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def circular() -> Any:
    value: list[Any] = [1, 2]
    value.append({"again": value})
    return value


def parts(module: Any, value: Any, **options: Any) -> tuple[list[str], Any]:
    """What `iterencode` gives out, and what it raises then."""
    given: list[str] = []
    try:
        given.extend(module.JSONEncoder(**options).iterencode(value))
    except Exception as error:
        return given, said(error)
    return given, None


def written(module: Any, value: Any, **options: Any) -> tuple[str, Any]:
    file = Writer()
    raised = outcome(module.dump, value, file, **options)
    return file.text, raised


@given(trees(surrogates=True), st.sampled_from(OPTIONS))
def test_chunks_are_the_text(value: Any, options: dict[str, Any]) -> None:
    given, raised = parts(ours, value, **options)
    theirs, error = parts(json, value, **options)
    assert ("".join(given), raised) == ("".join(theirs), error)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_long_texts(options: dict[str, Any]) -> None:
    for value in (FILLER, [FILLER, {"k": "x" * 300_000}, FILLER], [*range(200_000)]):
        text = json.dumps(value, **options)
        chunks = list(ours.JSONEncoder(**options).iterencode(value))
        assert "".join(chunks) == text
        assert len(chunks) > 1
        assert all(type(chunk) is str and chunk for chunk in chunks)
        longest = 300_002 if "k" in str(value)[-10_000:] else 100
        widths = max(sys.getsizeof(chunk) for chunk in chunks)
        assert widths < 4 * (CHUNK + longest) + 2_000
        file = Writer()
        assert ours.dump(value, file, **options) is None
        assert file.parts == chunks


def test_each_chunk_has_its_narrowest_form() -> None:
    value = ["a" * 100_000, "漢" * 100_000, "b" * 100_000, "c"]
    chunks = list(ours.JSONEncoder(ensure_ascii=False).iterencode(value))
    assert chunks[0].isascii()
    assert not chunks[1].isascii()
    assert chunks[-1].isascii()
    assert "".join(chunks) == json.dumps(value, ensure_ascii=False)


UNUSUAL: dict[str, Any] = {
    "no default": object(),
    "key": {"a": 1, (1, 2): 3},
    "circular": circular(),
    "a dict of its own": Pairs(),
    "an empty one of its own": {"a": Pairs(), "b": 1},
    "deep": nested(700),
    "digits": 10**5_000,
    "not a number": [1, float("nan")],
    "nothing left": {(1, 2): 3},
}


@pytest.mark.parametrize("name", UNUSUAL)
@pytest.mark.parametrize("options", [*OPTIONS[:3], {"allow_nan": False}], ids=str)
def test_the_interpreter_goes_on(name: str, options: dict[str, Any]) -> None:
    for value in ([FILLER, 1, UNUSUAL[name], 2], {**FILLER, "unusual": UNUSUAL[name], "x": 2}):
        mine, theirs = written(ours, value, **options), written(json, value, **options)
        assert mine == theirs
        given, raised = parts(ours, value, **options)
        assert ("".join(given), raised) == theirs
        assert max(map(len, given[:3])) > CHUNK / 4


def test_too_deep() -> None:
    value = [FILLER, nested(100_000)]
    mine, theirs = written(ours, value), written(json, value)
    assert mine[1][0] is theirs[1][0] is RecursionError
    # How deep it gets depends on who calls.
    lengths = sorted([len(mine[0]), len(theirs[0])])
    assert mine[0][: lengths[0]] == theirs[0][: lengths[0]]
    assert lengths[1] - lengths[0] < 100


class Fails(Exception):
    pass


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_default_fails(options: dict[str, Any]) -> None:
    def default(value: object) -> Any:
        if type(value) is set:
            return sorted(value)
        raise Fails(str(type(value)))

    first = {1, 2, 3}
    for value in (
        [1, first, object()],
        [first, {"a": [object()]}],
        {"a": first, "b": object()},
        [first, FILLER, {"a": first, "b": {"c": object()}}, 1],
        [first, *range(100_000), object()],
        [first, {"a": 1, (1,): 2}, object()],
        object(),
    ):
        mine = written(ours, value, default=default, **options)
        theirs = written(json, value, default=default, **options)
        assert mine == theirs
        assert theirs[1][0] in (Fails, TypeError)


def test_subclasses() -> None:
    class Own(ours.JSONEncoder):
        def default(self, o: Any) -> Any:
            return {"own": str(o)}

    class Chunked(ours.JSONEncoder):
        def iterencode(self, o: Any, _one_shot: bool = False) -> Iterator[str]:
            for chunk in super().iterencode(o, _one_shot):
                yield chunk.upper()

    class Theirs(json.JSONEncoder):
        def default(self, o: Any) -> Any:
            return {"own": str(o)}

    value = [FILLER, 1j, FILLER]
    text = json.dumps(value, cls=Theirs)
    for own in (Own, Theirs):
        file = Writer()
        ours.dump(value, file, cls=own)
        assert file.text == text
        assert 2 < len(file.parts) < 50
    file = Writer()
    ours.dump(FILLER, file, cls=Chunked)
    assert file.text == json.dumps(FILLER).upper()
    assert len(file.parts) > 2


def test_memory_is_bounded() -> None:
    class Sink:
        longest = total = 0

        def write(self, part: str) -> None:
            self.longest = max(self.longest, len(part))
            self.total += len(part)

    value = [["some text", 1.5, i] for i in range(200_000)]
    total = len(json.dumps(value))
    for options in ({}, {"indent": 1}, {"default": str}, {"cls": ours.JSONEncoder}):
        sink = Sink()
        tracemalloc.start()
        ours.dump(value, sink, **options)  # type: ignore[arg-type]
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert sink.total >= total
        assert peak < 400_000
        assert sink.longest < CHUNK + 1_000


def test_settings_are_those_of_the_call() -> None:
    for module in (ours, json):
        encoder = module.JSONEncoder(indent=1)
        chunks = encoder.iterencode([1])
        encoder.indent = None
        assert "".join(chunks) == "[\n 1\n]"
        del encoder.indent
        with pytest.raises(AttributeError):
            encoder.iterencode([1])


def test_changed_meanwhile() -> None:
    for module in (ours, json):
        value: dict[str, Any] = dict(FILLER)
        chunks = module.JSONEncoder().iterencode(value)
        for _ in range(2 if module is ours else 10):
            next(chunks)
        value["more"] = 1
        with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
            list(chunks)
        assert next(chunks, None) is None
    items: list[Any] = [FILLER, FILLER, object()]
    chunks = ours.JSONEncoder().iterencode(items)
    next(chunks)
    next(chunks)
    items[0] = "x" * 400_000
    with pytest.raises(RuntimeError, match="the object changed while it was encoded"):
        list(chunks)
    # What lies ahead may change.
    for module in (ours, json):
        items = [FILLER, 1]
        chunks = module.JSONEncoder().iterencode(items)
        text = next(chunks)
        items.append("late")
        assert json.loads(text + "".join(chunks)) == [FILLER, 1, "late"]


def test_used_while_it_runs() -> None:
    for module in (ours, json):
        errors = []

        def default(_: object, errors: list[Any] = errors) -> Any:
            errors.append(outcome(next, chunks))  # noqa: B023
            if module is ours:  # noqa: B023
                errors.append(outcome(chunks.close)[:2])  # noqa: B023
            return 1

        chunks = module.JSONEncoder(default=default).iterencode([object()])
        assert "".join(chunks) == "[1]"
        assert errors[0][:2] == (ValueError, "generator already executing")
        assert set(errors[1:]) <= {(ValueError, "generator already executing")}


def test_close() -> None:
    for module in (ours, json):
        chunks = module.JSONEncoder().iterencode(FILLER)
        assert next(chunks)
        chunks.close()
        assert next(chunks, None) is None
        chunks.close()


def test_cycles_are_collected() -> None:
    class Held:
        pass

    for begun in (0, 1, 2, 3):
        held = Held()
        value: list[Any] = [FILLER, FILLER, FILLER, held]
        encoder = ours.JSONEncoder()
        encoder.held = held  # type: ignore[attr-defined]
        chunks = encoder.iterencode(value)
        for _ in range(begun):
            next(chunks)
        held.chunks = chunks  # type: ignore[attr-defined]
        mark = weakref.ref(held)
        del held, chunks, encoder, value
        gc.collect()
        assert mark() is None


def test_write_fails() -> None:
    class Full:
        room = 3

        def write(self, part: str) -> None:
            self.room -= 1
            if not self.room:
                raise OSError("no space left")

    for module in (ours, json):
        with pytest.raises(OSError, match="no space left"):
            module.dump(FILLER, Full())
    with pytest.raises(AttributeError, match="write"):
        ours.dump([], 1)  # type: ignore[arg-type]
