"""Whole documents, held against `json` and `orjson`."""

import json
import random
import sys

import linecaster
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees
from trees import Source, plain, tree_of


def assert_same_text(made: str, expected: str) -> None:
    """Equal, and stored alike: a text in too wide a form compares unequal."""
    assert made == expected
    assert type(made) is str
    assert made.isascii() == expected.isascii()
    assert hash(made) == hash(expected)
    assert sys.getsizeof(made) == sys.getsizeof("".join(expected))


@given(trees(surrogates=True))
def test_dumps_equals_json(tree):
    assert_same_text(linecaster.dumps(tree), plain(tree))
    assert_same_text(linecaster.dumps(tree, ensure_ascii=True), plain(tree, ensure_ascii=True))


@given(trees())
def test_encode_equals_json(tree):
    assert linecaster.encode(tree) == plain(tree).encode()
    assert linecaster.encode(tree, ensure_ascii=True) == plain(tree, ensure_ascii=True).encode()


@given(trees(surrogates=True))
def test_encode_passes_surrogates_on_request(tree):
    expected = plain(tree).encode("utf-8", "surrogatepass")
    assert linecaster.encode(tree, surrogates="pass") == expected


indents = st.one_of(
    st.none(), st.integers(-2, 9), st.sampled_from(["", "\t", "  ", "é", "€ ", "😀", "\x00"])
)
marks = st.one_of(
    st.sampled_from([",", ", ", " , ", "", '"', "\\", ";" * 6, ";" * 7, "," * 40, "é", "€", "😀"]),
    st.text(max_size=12),
)
separators = st.one_of(st.none(), st.tuples(marks, marks))


@given(trees(surrogates=True), indents, separators, st.booleans(), st.booleans())
def test_layouts_equal_json(tree, indent, separators, ensure_ascii, sort_keys):
    options = {"indent": indent, "ensure_ascii": ensure_ascii, "sort_keys": sort_keys}
    if separators is not None:
        options["separators"] = separators
    expected = plain(tree, **options)
    assert_same_text(linecaster.dumps(tree, **options), expected)
    as_bytes = expected.encode("utf-8", "surrogatepass")
    assert linecaster.encode(tree, **options, surrogates="pass") == as_bytes


@given(trees())
def test_loads_gives_back(tree):
    expected = json.loads(plain(tree))
    assert linecaster.loads(linecaster.dumps(tree)) == expected
    assert linecaster.loads(linecaster.encode(tree)) == expected


@pytest.mark.parametrize("seed", range(150))
def test_random_documents(seed):
    chance = random.Random(seed)
    tree = tree_of(Source(chance.randbytes(chance.choice([60, 800, 9000]))))
    assert_same_text(linecaster.dumps(tree), plain(tree))
    escaped = plain(tree, ensure_ascii=True)
    assert_same_text(linecaster.dumps(tree, ensure_ascii=True), escaped)
    assert linecaster.encode(tree, ensure_ascii=True, surrogates="pass") == escaped.encode()
    passed = linecaster.encode(tree, surrogates="pass")
    assert passed == plain(tree).encode("utf-8", "surrogatepass")
    indent = chance.choice([0, 1, 2, 4, "\t", "€"])
    pretty = plain(tree, indent=indent, sort_keys=True)
    assert_same_text(linecaster.dumps(tree, indent=indent, sort_keys=True), pretty)


@pytest.mark.parametrize("seed", range(40))
def test_random_documents_as_orjson(orjson, seed):
    chance = random.Random(1000 + seed)
    tree = tree_of(Source(chance.randbytes(3000)), surrogates=False)
    try:
        expected = orjson.dumps(tree)
        pretty = orjson.dumps(tree, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        with pytest.raises(linecaster.EncodeError, match="64 bits"):
            linecaster.encode(tree, big_int="raise")
        return
    # orjson spells floats as 1e16, json as 1e+16: compare what they mean.
    assert json.loads(linecaster.encode(tree)) == json.loads(expected)
    assert json.loads(linecaster.encode(tree, indent=2, sort_keys=True)) == json.loads(pretty)
