"""Members: keys of every type, left out, converted, sorted."""

import datetime as dt
import decimal
import enum
import itertools
import json
import math
import pathlib
import random
import sys
import uuid

import linecaster
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts
from trees import plain


class Text(str):
    __slots__ = ()


class Word(str, enum.Enum):
    A = "a"
    B = "é"


class Kind(enum.Enum):
    ONE = "one"
    TWO = 2
    DAY = dt.date(2020, 1, 2)


JSON_KEYS = [0, 1, -5, 2**31, 2**64, -(2**70), 0.5, 1e16, 1e-7, -0.0, True, False, None]
KEYS = [
    dt.date(2020, 1, 2),
    dt.datetime(2020, 1, 2, 3, 4, 5, 6),
    dt.datetime(2020, 1, 2, tzinfo=dt.timezone.utc),
    dt.time(1, 2, 3),
    uuid.UUID(int=77),
    *Kind,
]


@pytest.mark.parametrize("key", JSON_KEYS, ids=repr)
def test_keys_as_json(key):
    document = {"a": 1, key: [key], "€": {key: 2}}
    assert linecaster.dumps(document, non_str_keys=True) == plain(document)
    assert (
        linecaster.encode(document, non_str_keys=True, indent=1)
        == plain(document, indent=1).encode()
    )
    refused(key)


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_keys_as_orjson(orjson, key):
    document = {key: 1, "é": {key: 2}}
    expected = orjson.dumps(document, option=orjson.OPT_NON_STR_KEYS)
    assert linecaster.encode(document, non_str_keys=True) == expected
    refused(key)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (decimal.Decimal("1.50"), "1.50"),
        (dt.timedelta(hours=1), "PT1H"),
        (pathlib.PurePosixPath("/é"), "/é"),
        (type("Int", (int,), {"__repr__": lambda self: "lie"})(7), "7"),
        (type("Float", (float,), {"__repr__": lambda self: "lie"})(0.5), "0.5"),
    ],
)
def test_other_keys(key, text):
    assert linecaster.dumps({key: 1}, non_str_keys=True) == f'{{"{text}":1}}'
    refused(key)


def refused(key):
    with pytest.raises(linecaster.EncodeError, match="key must be str, not") as caught:
        linecaster.dumps({"a": [{key: 1}]})
    assert caught.value.path.startswith("$.a[0]")
    assert linecaster.dumps({"a": 1, key: 2, "b": 3}, skip_keys=True) == '{"a":1,"b":3}'
    assert linecaster.dumps({key: 2}, skip_keys=True) == "{}"
    assert linecaster.dumps([{key: 2}, 1], skip_keys=True, indent=1) == "[\n {},\n 1\n]"


@pytest.mark.parametrize("key", [(1, 2), b"x", frozenset(), object(), len], ids=repr)
def test_keys_that_cannot_be_written(key):
    for options in ({}, {"non_str_keys": True}):
        with pytest.raises(linecaster.EncodeError, match="key"):
            linecaster.dumps({key: 1}, default=str, **options)
    assert linecaster.dumps({key: 1}, skip_keys=True) == "{}"
    document = {key: 1, 5: 6}
    assert linecaster.dumps(document, skip_keys=True, non_str_keys=True) == '{"5":6}'


@pytest.mark.parametrize("key", [Text("a"), Text("é"), Text("€"), Text("😀"), *Word], ids=repr)
def test_subclasses_of_str_are_str(key):
    document = {"x": 1, key: {key: key}, "y": "😀"}
    assert linecaster.dumps(document) == plain(document)
    assert linecaster.dumps(document, skip_keys=True) == plain(document)
    assert linecaster.dumps(document, non_str_keys=True) == plain(document)
    assert linecaster.encode(document) == plain(document).encode()


@pytest.mark.parametrize("key", [math.nan, math.inf, -math.inf])
def test_keys_that_are_not_numbers(orjson, key):
    with pytest.raises(linecaster.EncodeError, match="allow_nan"):
        linecaster.dumps({key: 1}, non_str_keys=True)
    kept = linecaster.dumps({key: 1}, non_str_keys=True, allow_nan=True)
    assert kept == plain({key: 1})
    null = linecaster.encode({key: 1}, non_str_keys=True, allow_nan="null")
    assert null == orjson.dumps({key: 1}, option=orjson.OPT_NON_STR_KEYS)


def test_key_options_for_dates():
    key = dt.datetime(2020, 1, 2, 3, 4, 5, 6)
    options = {"naive_utc": True, "utc_z": True, "omit_microseconds": True}
    made = linecaster.dumps({key: key}, non_str_keys=True, **options)
    assert made == '{"2020-01-02T03:04:05Z":"2020-01-02T03:04:05Z"}'


def test_odd_hashes():
    class Same(str):
        def __hash__(self):
            return 1

        def __eq__(self, other):
            return self is other

    document = {Same("a"): 1, Same("a"): 2}
    assert linecaster.dumps(document) == '{"a":1,"a":2}'


@given(st.dictionaries(texts(surrogates=True), st.integers(), max_size=12))
def test_sorted_by_code_point(members):
    expected = plain({key: members[key] for key in sorted(members)})
    assert linecaster.dumps(members, sort_keys=True) == expected == plain(members, sort_keys=True)


def test_sorted_over_all_representations():
    words = ["", "a", "ab", "b", "é", "éa", "aé", "€", "a€", "\uffff", "\ud800", "😀", "a😀"]
    words += [a + b for a, b in itertools.product(words, words)]
    for seed in range(20):
        random.Random(seed).shuffle(words)
        members = {word: {word: 1, "": 2} for word in words}
        assert linecaster.dumps(members, sort_keys=True) == plain(members, sort_keys=True)
        members = {Text(word): 1 for word in words}
        assert linecaster.dumps(members, sort_keys=True) == plain(members, sort_keys=True)


def test_sorted_with_keys_that_are_not_str():
    members = {5: 1, 3: {2: 1, 1: 2}, 4.5: 0}
    options = {"sort_keys": True, "non_str_keys": True}
    assert linecaster.dumps(members, **options) == plain(members, sort_keys=True)
    for mixed in ({"a": 1, 2: 3}, {None: 1, 2: 3}):
        with pytest.raises(TypeError, match="not supported between"):
            json.dumps(mixed, sort_keys=True)
        with pytest.raises(TypeError, match="not supported between"):
            linecaster.dumps([mixed], **options)


def test_comparison_that_raises():
    class Sulky(str):
        def __lt__(self, other):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        linecaster.dumps({Sulky("a"): 1, Sulky("b"): 2}, sort_keys=True)


def test_sorting_leaves_the_dict_alone():
    members = dict.fromkeys("hello wörld", 1)
    before = list(members)
    linecaster.dumps(members, sort_keys=True)
    assert list(members) == before
    assert sys.getsizeof(members) == sys.getsizeof(dict(members))
