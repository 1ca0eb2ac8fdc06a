"""`loads` gives what `json.loads` gives: values, types, kinds of strings."""

import gc
import json
import math
import random
import struct
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linecaster import load, loads

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=[]), max_size=70)
    | st.text('ab"\\/\n\x00é漢😀', max_size=70),
    lambda inner: (
        st.lists(inner, max_size=8)
        | st.dictionaries(st.text(max_size=20) | st.sampled_from(["id", "é", "漢"]), inner)
    ),
    max_leaves=30,
)


def same(found: Any, expected: Any) -> bool:
    """Equal, of the same types, floats to the bit, dicts in the same order."""
    if type(found) is not type(expected):
        return False
    if isinstance(expected, dict):
        return same(list(found.items()), list(expected.items()))
    if isinstance(expected, (list, tuple)):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, float):
        return struct.pack("d", found) == struct.pack("d", expected)
    if isinstance(expected, str):
        return found == expected and sys.getsizeof(found) == sys.getsizeof("".join(expected))
    return bool(found == expected)


def check(document: str) -> None:
    expected = json.loads(document)
    assert same(loads(document), expected)
    try:
        encoded = document.encode()
    except UnicodeEncodeError:
        return
    for given_as in (encoded, bytearray(encoded), memoryview(encoded)):
        assert same(loads(given_as), expected)


@given(json_values, st.sampled_from([None, 1, "\t\r"]), st.booleans())
def test_documents_as_json_writes_them(value: Any, indent: Any, ensure_ascii: bool) -> None:
    check(json.dumps(value, indent=indent, ensure_ascii=ensure_ascii))


@given(json_values)
def test_documents_in_every_kind_of_str(value: Any) -> None:
    document = json.dumps(value)
    for beside in ("a", "é", "漢", "😀"):
        found = loads(f'["{beside}",{document}]')
        assert same(found, [beside, json.loads(document)])


@pytest.mark.parametrize("fill", ["a", "é", "ÿ", "漢", "😀", "aé", "a漢", "é😀", "д"])
def test_strings_of_every_length(fill: str) -> None:
    for count in range(131):
        text = (fill * count)[:count]
        for document in (
            f'"{text}"',
            f'{{"{text}":["{text}","x"]}}',
            f'"\\n{text}"',
            f'"{text}\\"{text}"',
            json.dumps(text),
        ):
            check(document)


def test_short_strings_are_the_shared_ones() -> None:
    assert loads('""') is loads(b'["",""]')[1]
    for code_point in range(256):
        text = chr(code_point)
        assert loads(json.dumps(text)) is text
        assert loads(json.dumps([text], ensure_ascii=False).encode())[0] is text


@pytest.mark.parametrize(
    "text",
    """0 -0 1 -1 256 257 -5 -6 2147483647 -2147483648 1073741824 9223372036854775807
    9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615
    18446744073709551616 123456789012345678901234567890 0.0 -0.0 1.0 1e0 1E5 1e+5 1e-5 0.1
    123456789.123456789 1e308 1.7976931348623157e308 4.9e-324 5e-324 2e-324 1e-999
    2.2250738585072014e-308 2.2250738585072011e-308 9007199254740993.0 9007199254740993e0
    0.000000000000000000000000000000123 1.00000000000000011102230246251565404
    179769313486231580793728971405301e276""".split(),
)
def test_numbers(text: str) -> None:
    check(text)
    check(f"[{text}]")
    check(f'{{"a":{text} , "b": [ {text}\n]}}')


def floats_read_back(count: int) -> None:
    chosen = random.Random(20)
    values = []
    while len(values) < count:
        (value,) = struct.unpack("d", chosen.getrandbits(64).to_bytes(8, "little"))
        if math.isfinite(value):
            values.append(value)
    texts = [repr(value) for value in values]
    texts += [f"{value:.{chosen.randint(0, 25)}e}" for value in values]
    texts += [f"{value % 1e6:.{chosen.randint(1, 20)}f}" for value in values]
    expected = list(map(float, texts))
    assert same(loads(f"[{','.join(texts)}]", allow_nan=True), expected)


def test_floats_are_those_that_float_reads() -> None:
    floats_read_back(100_000)


@pytest.mark.slow
def test_many_floats_are_those_that_float_reads() -> None:
    floats_read_back(3_000_000)


@pytest.mark.slow
def test_strings_of_a_gigabyte() -> None:
    def reads(document: str, expected: str) -> bool:
        # Outside of an `assert`, which would look for the first difference for hours.
        return loads(document) == expected and loads(document.encode()) == expected

    n = 2**30
    assert reads('"' + "x" * n + '"', "x" * n)
    assert reads('"' + "é" * (n // 2) + '"', "é" * (n // 2))
    assert reads('"' + "x" * (n // 2) + '€"', "x" * (n // 2) + "€")
    for escaped, plain in ((r"\t", "\t"), (r"\u20ac", "€"), (r"\ud83d\ude00", "😀")):
        count = n // len(escaped)
        assert reads(f'"{escaped * count}"', plain * count)


def test_huge_integers_keep_to_the_interpreters_limit() -> None:
    digits = "7" * 4300
    assert loads(digits) == int(digits)
    if hasattr(sys, "get_int_max_str_digits"):
        with pytest.raises(ValueError, match="4300") as caught:
            loads(f"[{'7' * 4301}]")
        assert caught.type is ValueError


def test_last_of_equal_keys_counts() -> None:
    for document in ('{"a":1,"b":2,"a":3}', '{"a":1,"\\u0061":2}', '{"é":1,"b":0,"\\u00e9":2}'):
        check(document)


def test_wide_objects() -> None:
    for count in [*range(40), 1000, 5000]:
        check(json.dumps({f"key {i}": i for i in range(count)}))


def test_subclasses_of_str_and_bytes() -> None:
    class Text(str):
        pass

    class Data(bytes):
        pass

    for content in ('["a"]', '["é"]', '["漢"]', '["😀"]'):
        assert loads(Text(content)) == json.loads(content)
        assert loads(Data(content.encode())) == json.loads(content)


@pytest.mark.parametrize("wrong", [None, 1, ["[]"], {}, object()])
def test_other_types_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="must be str, bytes, bytearray or memoryview, not"):
        loads(wrong)


def test_buffers_must_be_contiguous() -> None:
    assert loads(memoryview(b"x[1]x")[1:-1]) == [1]
    with pytest.raises(BufferError):
        loads(memoryview(b"[ 1 ]")[::2])


def test_load_reads_once() -> None:
    class File:
        def __init__(self, content: Any) -> None:
            self.contents = [content]

        def read(self) -> Any:
            return self.contents.pop()

    assert load(File('{"a":1}')) == {"a": 1}
    assert load(File(b'{"a":1}'), object_hook=list) == ["a"]
    with pytest.raises(IndexError):
        load(type("Empty", (File,), {"read": lambda self: [].pop()})(""))
    with pytest.raises(AttributeError, match="read"):
        load("[]")  # type: ignore[arg-type]


def test_garbage_collection_in_the_middle() -> None:
    document = json.dumps([{"a": [{}, [i, str(i)]]} for i in range(3000)])
    expected = json.loads(document)
    old = gc.get_threshold()
    gc.set_threshold(1)
    try:
        found = loads(document)
    finally:
        gc.set_threshold(*old)
    assert found == expected
    # A dict of atoms is not tracked where CPython itself would not track it.
    assert gc.is_tracked(found[0]["a"])
    assert gc.is_tracked(found)
    assert gc.is_tracked(loads('{"a":1}')) == gc.is_tracked({"a": 1})


@pytest.mark.parametrize("members", [*range(24), 42, 43, 85, 86, 170, 171, 1000, 1365, 1366])
def test_dicts_are_as_the_interpreter_makes_them(members: int) -> None:
    document = json.dumps({f"key {i}": i for i in range(members)})
    found, expected = loads(document), json.loads(document)
    assert list(found.items()) == list(expected.items())
    # Before 3.11 the interpreter itself chooses the size for a number of members,
    # and is more generous than when it comes to it one by one.
    if sys.version_info >= (3, 11):
        assert sys.getsizeof(found) == sys.getsizeof(expected)
    assert gc.is_tracked(found) == gc.is_tracked(expected)
    # They live on as other dicts do.
    for changed in (found, expected):
        for key in list(changed)[::3]:
            del changed[key]
        changed.update({f"new {i}": [i] for i in range(members)})
        changed[members] = None
    assert list(found.items()) == list(expected.items())
    assert all(found[key] is value for key, value in found.items())
    assert gc.is_tracked(found) == gc.is_tracked(expected)
    assert list(found.copy()) == list(expected)


def test_large_dicts() -> None:
    value = {f"{i:x}": i for i in range(100_000)}
    found = loads(json.dumps(value))
    assert found == value
    assert all(found[key] == i for key, i in value.items())
    assert "100000" not in found


@pytest.mark.parametrize("members", [2, 5, 6, 100, 171, 2000])
def test_of_equal_names_the_last_value_stays_in_the_first_place(members: int) -> None:
    names = [f"{'long ' * (i % 30)}{i}" for i in range(members)]
    names.insert(members // 2, names[0])
    names.append(names[members // 3])
    document = "{" + ",".join(f'"{name}":{i}' for i, name in enumerate(names)) + "}"
    check(document)


@pytest.mark.parametrize("value", ["[[]]", "[{}]", "{}", '{"a":1.5}', '{"a":"b","c":null}'])
def test_tracking_of_small_values(value: str) -> None:
    for document in (value, f'{{"a":{value}}}', f'{{"a":1,"b":{value},"c":true}}'):
        assert gc.is_tracked(loads(document)) == gc.is_tracked(json.loads(document))


def test_integers_at_the_ends_of_their_digits() -> None:
    powers = [1 << bits for bits in (8, 15, 29, 30, 31, 32, 59, 60, 61, 62, 63, 64)]
    near = [power + step for power in powers for step in (-2, -1, 0, 1, 2)]
    values = [*near, *(-value for value in near), *range(-300, 300)]
    found = loads(json.dumps(values))
    assert found == values
    assert [value + 1 - 1 for value in found] == values
    assert [sys.getsizeof(value) for value in found] == [sys.getsizeof(value) for value in values]
    assert list(map(hash, found)) == list(map(hash, values))


@pytest.mark.parametrize("separator", [",", ", ", ",\n    "])
@pytest.mark.parametrize("digits", [1, 2, 3, 5, 9, 15, 18, 19])
def test_integers_one_behind_the_other(digits: int, separator: str) -> None:
    source = random.Random(digits)
    values = [source.randrange(-(10**digits), 10**digits) for _ in range(1000)]
    values += [-6, -5, 0, 256, 257, 2**30 - 1, -(2**30), 2**60, -(2**63), 2**63, 10**30, 7]
    text = "[" + separator.join(map(str, values)) + "]"
    for document in [text, text.encode(), text[:-1] + ',"é"]', text[:-1] + ',"漢"]']:
        found = loads(document)[: len(values)]
        assert found == values
        for value, expected in zip(found, values, strict=True):
            assert type(value) is int
            assert sys.getsizeof(value) == sys.getsizeof(expected)
            if -5 <= value <= 256:
                assert value is int(str(expected))


def test_references_to_shared_integers() -> None:
    text = "[" + ",".join(["1000", "7"] * 500) + "]"
    seven = int("7")
    before = sys.getrefcount(seven)
    result = loads(text)
    held = sys.getrefcount(seven)
    del result
    assert sys.getrefcount(seven) == before
    # From 3.12 on shared integers are not counted.
    assert held - before == (0 if sys.version_info >= (3, 12) else 500)


def test_blocks_are_given_back() -> None:
    text = "[" + ",".join(map(str, range(100_000))) + "]"
    loads(text)
    before = sys.getallocatedblocks()
    for _ in range(3):
        loads(text)
    assert abs(sys.getallocatedblocks() - before) < 200
