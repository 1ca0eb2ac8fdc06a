"""`sort_keys` and keys that are numbers: in the loop, across its ends, and beside the originals."""

import dataclasses
import datetime as dt
import gc
import json
import random

import linecaster
import pytest
from linecaster import json as ours_json
from linecaster import orjson as ours_orjson
from linecaster import ujson as ours_ujson

NON_STR = ours_orjson.OPT_NON_STR_KEYS
ALPHABETS = ["ab", "abcdefghij", "profile_image_", "aé\xff", "a中", "a\U0001f600", "\0a"]


def key(chance, alphabet, longest):
    return "".join(chance.choices(alphabet, k=chance.randrange(longest)))


def tree(chance, depth, count):
    alphabet = chance.choice(ALPHABETS)
    longest = chance.choice([2, 8, 9, 12, 30])
    members = {}
    for _ in range(chance.randrange(count)):
        value = chance.choice([1, "x", None, 1.5, [], {}, "é" * 50, 2**40])
        if depth and chance.random() < 0.5:
            value = tree(chance, depth - 1, count)
            if chance.random() < 0.5:
                value = [value, 1, tree(chance, depth - 1, count)]
        members[key(chance, alphabet, longest)] = value
    return members


def compact(value, **options):
    return json.dumps(value, separators=(",", ":"), **options)


@pytest.mark.parametrize("count", [3, 10, 18, 40, 200])
def test_as_json_sorts(count):
    chance = random.Random(count)
    for _ in range(60 if count < 20 else 8):
        value = tree(chance, 3 if count < 100 else 1, count)
        expected = compact(value, sort_keys=True, ensure_ascii=False)
        assert linecaster.dumps(value, sort_keys=True) == expected
        assert linecaster.encode(value, sort_keys=True) == expected.encode()
        option = ours_orjson.OPT_SORT_KEYS
        assert ours_orjson.dumps(value, option=option) == expected.encode()
        assert ours_json.dumps(value, sort_keys=True) == json.dumps(value, sort_keys=True)
        for indent in (0, 3):
            expected = json.dumps(value, sort_keys=True, indent=indent)
            assert ours_json.dumps(value, sort_keys=True, indent=indent) == expected
        assert json.loads(ours_ujson.dumps(value, sort_keys=True)) == value


@pytest.mark.parametrize("size", [0, 1, 2, 15, 16, 17, 100, 127, 128, 129, 400])
def test_sizes(size):
    names = [f"key{n % 7}{n:05}" for n in range(size)]
    chance = random.Random(size)
    for _ in range(10):
        chance.shuffle(names)
        value = {name: {"b": {"d": 1, "c": name}, "a": []} for name in names}
        expected = compact(value, sort_keys=True)
        assert linecaster.dumps(value, sort_keys=True) == expected
        assert linecaster.dumps([value, value], sort_keys=True) == f"[{expected},{expected}]"


def test_values_that_end_the_loop():
    class Other:
        pass

    def default(_value):
        gc.collect()
        return {"z": "é" * 3000, "y": Other() if len(calls) < 30 and not calls.append(1) else 0}

    for wrap in (lambda value: value, lambda value: [value], lambda value: {"b": value, "a": 1}):
        value = wrap({"d": 1, "c": {"y": Other(), "x": 1, "z": 2}, "b": Other(), "a": "é" * 5000})
        results = set()
        calls = []
        expected = compact(value, sort_keys=True, default=default, ensure_ascii=False)
        for dumps in (linecaster.dumps, lambda *a, **k: linecaster.encode(*a, **k).decode()):
            calls = []
            results.add(dumps(value, sort_keys=True, default=default))
        assert results == {expected}


def test_what_default_changes_is_not_seen():
    class Other:
        pass

    value = {"c": 1, "b": Other(), "a": 2, "d": 3}

    def default(_value):
        value.clear()
        gc.collect()
        return 0

    assert linecaster.dumps(value, sort_keys=True, default=default) == '{"a":2,"b":0,"c":1,"d":3}'


def test_paths_of_errors():
    value = {"b": [1, {"d": 1, "c": {1}}], "a": 2}
    with pytest.raises(linecaster.EncodeError, match=r"\$\.b\[1\]\.c"):
        linecaster.dumps(value, sort_keys=True)
    cycle = {"b": 1}
    cycle["a"] = cycle
    with pytest.raises(linecaster.EncodeError, match=r"(?i)circular"):
        linecaster.dumps(cycle, sort_keys=True)
    with pytest.raises(TypeError):
        linecaster.dumps([{"a": {1: 1, "b": 2}}], sort_keys=True, non_str_keys=True)


def test_many_levels():
    value = 1
    for depth in range(100):
        value = {"b": value, "a": depth, "c": [value] if depth < 10 else []}
    assert linecaster.dumps(value, sort_keys=True) == compact(value, sort_keys=True)


INTEGERS = [0, 1, -1, 9, 10, 2**30 - 1, 2**30, -(2**30), 2**60, 2**62, 2**63 - 1, -(2**63)]
WIDER = [2**63, 2**64 - 1, 2**64, -(2**63) - 1, 10**40]


@pytest.mark.parametrize("indent", [None, 2])
def test_integers_as_keys(indent):
    for keys in (INTEGERS, INTEGERS + WIDER, [*INTEGERS, "a", "é", 7], [True, 1.5, None, 3]):
        value = {key: [{key: key}, 1] for key in keys}
        options = {"indent": indent, "separators": (",", ":")}
        expected = json.dumps(value, ensure_ascii=False, **options)
        assert linecaster.dumps(value, non_str_keys=True, **options) == expected
        assert ours_json.dumps(value, **options) == json.dumps(value, **options)
        with pytest.raises(linecaster.EncodeError):
            linecaster.dumps(value, **options)


def test_integers_as_keys_beside_the_originals():
    theirs = pytest.importorskip("orjson")
    ujson = pytest.importorskip("ujson")
    plain = {1: {2: 3, "a": {-5: 1}}, 2**62: [], -3: "é"}
    for value in (
        plain, {1: {2: {(): 1}}}, {1: {1}, (): 2}, {"a": 1, 2: {1}}, {2**64 - 1: 1}, {2**64: 1},
        {1: 1, "1": 2}, {"é": 1, 2: 2}, {1: "\ud800"}, {"\ud800": 1, 1: 2}, {1: {3: {1}}},
    ):  # fmt: skip
        for option in (0, theirs.OPT_SORT_KEYS, theirs.OPT_INDENT_2):
            outcomes = []
            for module in (theirs, ours_orjson):
                try:
                    result = module.dumps(value, default=sorted, option=option | NON_STR)
                except Exception as error:
                    result = str(error)
                outcomes.append(result)
            assert outcomes[0] == outcomes[1]
    assert ours_ujson.dumps(plain) == ujson.dumps(plain)


@dataclasses.dataclass
class Slotted:
    __slots__ = ("_own", "name", "when")
    when: object
    name: str
    _own: int


@dataclasses.dataclass
class Inherited(Slotted):
    __slots__ = ("more",)
    more: list


def test_slots_beside_the_original():
    theirs = pytest.importorskip("orjson")

    def same(value, *args):
        outcomes = []
        for module in (theirs, ours_orjson):
            try:
                outcomes.append(module.dumps(value, *args))
            except Exception as error:
                outcomes.append((type(error), str(error), type(error.__cause__)))
        assert outcomes[0] == outcomes[1]

    when = dt.date(2026, 1, 31)
    many = [Slotted(when, "é", 1), Inherited(1, "b", 2, [Slotted(None, "x", 0), {1}])] * 9
    for option in (0, theirs.OPT_INDENT_2, theirs.OPT_SORT_KEYS, NON_STR):
        same(many, sorted, option)
        same({"a": many[0], "b": [many[0]] * 3}, None, option)
        same(many, None, option)
    unset = Slotted(1, "a", 2)
    del unset.name
    # The original crashes on it.
    with pytest.raises(AttributeError):
        ours_orjson.dumps([many[0], unset])

    def change(_value):
        many[1].name = "changed"
        del many[1].when
        gc.collect()
        return 0

    same([Inherited(1, "b", {2}, [{1}, 2])] * 2, change)
    Slotted.name = property(lambda _self: 7)
    same([many[0]] * 3)
