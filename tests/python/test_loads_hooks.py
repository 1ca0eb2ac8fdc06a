"""Hooks as `json` calls them, and what they may do while a document is read."""

import contextlib
import gc
import json
import random
import sys
import threading
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linecaster import DecodeError, loads

DOCUMENT = '{"a":[1.5,{"b":-2,"c":1e3}],"a":{"é":{},"x":12345678901234567890123}, "漢":[]}'


def note(kind: str) -> Any:
    return lambda argument: (kind, argument)


@pytest.mark.parametrize(
    "hooks",
    [
        {"object_hook": note("object")},
        {"object_pairs_hook": note("pairs")},
        {"object_hook": note("object"), "object_pairs_hook": note("pairs")},
        {"parse_float": note("float"), "parse_int": note("int")},
        {"parse_float": Decimal},
        {"parse_int": float, "object_pairs_hook": dict},
        {"object_hook": None, "object_pairs_hook": None, "parse_float": None, "parse_int": None},
    ],
)
def test_hooks_are_called_as_json_calls_them(hooks: dict[str, Any]) -> None:
    expected = json.loads(DOCUMENT, **hooks)
    for document in (DOCUMENT, DOCUMENT.encode(), bytearray(DOCUMENT.encode())):
        found = loads(document, **hooks)
        assert found == expected
        assert repr(found) == repr(expected)


def test_text_of_numbers_from_every_kind_of_str() -> None:
    for beside in "aé漢😀":
        document = f'["{beside}",-0,1.50,1E+5,-12]'
        hooks: dict[str, Any] = {"parse_float": note("float"), "parse_int": note("int")}
        assert loads(document, **hooks) == json.loads(document, **hooks)


class Stop(Exception):
    pass


@pytest.mark.parametrize("name", ["object_hook", "object_pairs_hook", "parse_float", "parse_int"])
def test_hooks_that_raise(name: str) -> None:
    def hook(_: object) -> None:
        raise Stop

    document = '[["kept", {"a": 1, "b": 1.5}], {"a": {"c": [2.5, 3]}}]'
    for _ in range(3):
        with pytest.raises(Stop):
            loads(document, **{name: hook})
    assert loads(document) == json.loads(document)


def test_hooks_that_cannot_be_called() -> None:
    with pytest.raises(TypeError, match="not callable"):
        loads("[1]", parse_int=5)  # type: ignore[arg-type]


def test_hooks_that_decode() -> None:
    def hook(value: dict[str, Any]) -> Any:
        assert loads('[{"inner": [1, 2.5, "é\\n漢"]}]') == [{"inner": [1, 2.5, "é\n漢"]}]
        with pytest.raises(DecodeError):
            loads('[{"a": [1, 2')
        if value.get("depth", 0) > 0:
            return loads(json.dumps({"depth": value["depth"] - 1}), object_hook=hook)
        return value

    assert loads('[{"depth": 20}, {"x": ["y"]}]', object_hook=hook) == [{"depth": 0}, {"x": ["y"]}]


def test_hooks_that_resize_the_document() -> None:
    document = bytearray(b'[{"a": 1}, {"b": 2}]')

    def hook(value: dict[str, int]) -> dict[str, int]:
        with pytest.raises(BufferError):
            document.extend(b"x" * 100_000)
        document[-2:-1] = b"}"
        return value

    assert loads(document, object_hook=hook) == [{"a": 1}, {"b": 2}]
    document.clear()

    view = memoryview(bytearray(b'[{"a": 1}]'))
    assert loads(view, object_hook=lambda value: value) == [{"a": 1}]
    view.release()


def test_hooks_that_overwrite_the_document() -> None:
    document = bytearray(b'[{"a": 1}, {"b": 2}]')

    def hook(value: dict[str, int]) -> dict[str, int]:
        document[:] = b"\xff" * len(document)
        return value

    with pytest.raises(DecodeError):
        loads(document, object_hook=hook)


def test_finalizers_that_decode() -> None:
    ran = []

    class Final:
        def __del__(self) -> None:
            ran.append(loads('{"x": [1, 2.5, "text"]}'))

    with pytest.raises(DecodeError):
        loads('[{"a": 1}, {"b": 2}, {"c": 3}, ?', object_hook=lambda _: Final())
    gc.collect()
    assert ran == [{"x": [1, 2.5, "text"]}] * 3


def test_threads() -> None:
    documents = [json.dumps([{f"k{i}": [j, str(j)]} for j in range(50)]) for i in range(8)]
    failures = []

    def work(document: str) -> None:
        expected = json.loads(document)
        for found in (loads(document, object_hook=dict) for _ in range(40)):
            if found != expected or loads(document) != expected:
                failures.append(document)  # noqa: PERF401

    old = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(document,)) for document in documents]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(old)
    assert failures == []


KINDS = {"ascii": "kab", "latin1": "aéÿ", "ucs2": "a漢д", "ucs4": "a😀漢"}


@pytest.mark.parametrize("alphabet", KINDS.values(), ids=KINDS.keys())
def test_keys_of_every_length(alphabet: str) -> None:
    chosen = random.Random(7)
    keys = ["".join(chosen.choices(alphabet, k=length)) for length in range(71) for _ in range(6)]
    keys += [key[:-1] + chr(ord(key[-1]) ^ 1) for key in keys if key]
    for _ in range(2):
        for key in keys:
            for document in (json.dumps({key: 1}), json.dumps({key: 1}, ensure_ascii=False)):
                for given_as in (document, document.encode()):
                    ((found, _),) = loads(given_as).items()
                    assert found == key
                    assert hash(found) == hash(key)
                    assert sys.getsizeof(found) == sys.getsizeof("".join(key))


@given(st.lists(st.text(max_size=24), max_size=40))
def test_any_keys(keys: list[str]) -> None:
    value = [{key: i} for i, key in enumerate(keys)]
    document = json.dumps(value)
    assert loads(document) == loads(document.encode()) == value


def test_more_keys_than_the_cache_holds() -> None:
    value = [{f"{i:x}": i, f"key number {i}": i} for i in range(20_000)]
    document = json.dumps(value)
    assert loads(document) == value
    assert loads(document.encode()) == value


def test_repeated_keys_are_one_object() -> None:
    first, second = loads('[{"repeated":1},{"repeated":2}]')
    assert next(iter(first)) is next(iter(second))


def test_references_are_given_back() -> None:
    shared = object()
    documents = [DOCUMENT, DOCUMENT.encode(), DOCUMENT[:-1], '{"a":[1,{"b":"\\ud800', b'["\xff"]']

    def work() -> None:
        for document in documents:
            for hooks in ({}, {"object_hook": lambda _: shared}, {"object_pairs_hook": list}):
                with contextlib.suppress(DecodeError):
                    loads(document, **hooks)

    work()
    gc.collect()
    counts = [sys.getrefcount(thing) for thing in (shared, None, *documents)]
    blocks = sys.getallocatedblocks()
    for _ in range(200):
        work()
    gc.collect()
    # `None` is also counted by what the test's own frames do.
    after = [sys.getrefcount(thing) for thing in (shared, None, *documents)]
    assert all(abs(b - a) < 20 for a, b in zip(counts, after, strict=True)), (counts, after)
    assert sys.getallocatedblocks() - blocks < 100


def test_documents_are_left_alone() -> None:
    for document in ('["é漢"]' * 1, '["é"]', '["a"]'):
        size = sys.getsizeof(document)
        loads(document)
        assert sys.getsizeof(document) == size
