"""`str` results grow from ASCII to wider units in place, and end in the narrowest."""

import itertools
import sys
from types import MappingProxyType

import linecaster
import pytest
from trees import plain

STEPS = {"ascii": "plain", "latin1": "déjà", "ucs2": "漢字€", "ucs4": "😀"}
PADS = (0, 1, 100, 4070, 4085, 4096, 5000, 20000, 70000)


def same(made, expected):
    assert made == expected
    assert hash(made) == hash(expected)
    assert sys.getsizeof(made) == sys.getsizeof("".join(expected))
    assert made.isascii() == expected.isascii()


class Holder:
    """A class that only `default` knows."""

    def __init__(self, value):
        self.value = value


def unwrap(holder):
    return holder.value


PLACES = {
    "value": lambda text, pad: [pad, text, pad],
    "key": lambda text, pad: {pad: 1, text: 2, pad + "2": text},
    "nested": lambda text, pad: {"a": [pad, {"b": [text, (text, pad)]}, 1.5, None]},
    "generator": lambda text, pad: (one for one in [pad, text, 1, (t for t in [text])]),
    "default": lambda text, pad: [pad, Holder({"x": Holder([text]), "y": Holder(text)}), pad],
    "mapping": lambda text, pad: MappingProxyType({pad: text, text: 1.25, "c": pad}),
}


def twin(value):
    """Turn what only we encode into what `json` encodes."""
    if isinstance(value, Holder):
        return twin(value.value)
    if isinstance(value, (dict, MappingProxyType)):
        return {twin(key): twin(item) for key, item in value.items()}
    if isinstance(value, (str, float, int, type(None))):
        return value
    return [twin(item) for item in value]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("step", STEPS)
def test_one_step(step, place, indent):
    for pad in PADS:
        make = PLACES[place]
        expected = plain(twin(make(STEPS[step], "x" * pad)), indent=indent)
        value = make(STEPS[step], "x" * pad)
        options = {"default": unwrap, "iterables": True, "indent": indent}
        same(linecaster.dumps(value, **options), expected)
        value = make(STEPS[step], "x" * pad)
        assert linecaster.encode(value, **options) == expected.encode()


def test_every_order_of_steps():
    for texts in itertools.permutations(STEPS.values()):
        for pad in ("", "x" * 3000, "é" * 3000, "€" * 3000, "😀" * 3000):
            for document in (
                [part for text in texts for part in (text, pad)],
                {text: [pad, text] for text in texts},
                {text: {"k": {text: pad}} for text in texts},
            ):
                same(linecaster.dumps(document), plain(document))


@pytest.mark.parametrize("root", ["", "é", "€", "😀", "é" * 5000, "€" * 5000, "😀" * 5000])
def test_root(root):
    same(linecaster.dumps(root), plain(root))


def test_around_the_first_buffer():
    """Up to 4096 bytes are collected on the stack."""
    for n in (*range(4070, 4110), *range(8170, 8210)):
        for last in ("", "x", "é", "€", "😀"):
            same(linecaster.dumps("x" * n + last), plain("x" * n + last))
            same(linecaster.dumps(["x" * n, last, 1]), plain(["x" * n, last, 1]))
            document = ["é" * n, last]
            same(linecaster.dumps(document), plain(document))
            assert linecaster.encode(document) == plain(document).encode()


@pytest.mark.parametrize("mark", ["é", "€", "😀"])
@pytest.mark.parametrize("value", [1, "a", [], {}, [1], [1, 2], {"a": 1}, ["é", "é"], ["€", 1]])
def test_wide_separators_widen_only_what_they_are_in(mark, value):
    for options in (
        {"separators": (mark, ":")},
        {"separators": (",", mark)},
        {"separators": (mark, mark)},
        {"indent": mark},
        {"indent": 1, "separators": (mark, ":")},
    ):
        for ensure_ascii in (False, True):
            expected = plain(value, ensure_ascii=ensure_ascii, **options)
            same(linecaster.dumps(value, ensure_ascii=ensure_ascii, **options), expected)
            made = linecaster.encode(value, ensure_ascii=ensure_ascii, **options)
            assert made == expected.encode()


def test_ensure_ascii_never_widens():
    for text in STEPS.values():
        made = linecaster.dumps({text: [text] * 2000}, ensure_ascii=True)
        same(made, plain({text: [text] * 2000}, ensure_ascii=True))
        assert made.isascii()
