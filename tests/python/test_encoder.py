"""The reusable `Encoder`."""

import copy
import gc
import inspect
import pickle
import threading
import tracemalloc
import weakref

import linecaster
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

OPTIONS = (
    {},
    {"indent": 2},
    {"indent": "é", "separators": ("漢", "😀")},
    {"sort_keys": True, "ensure_ascii": True},
    {"default": repr, "max_depth": 5000},
)


class Odd:
    def __repr__(self):
        return "odd"


class Speller(linecaster.Encoder):
    def default(self, obj):
        return f"{type(self).__name__} {obj!r}"


class Plain(linecaster.Encoder):
    pass


def is_utf8(text):
    return not any("\ud800" <= c <= "\udfff" for c in text)


@given(trees(surrogates=True), st.sampled_from(OPTIONS))
def test_methods_are_the_functions(value, options):
    encoder = linecaster.Encoder(**options)
    for _ in range(2):
        assert encoder.dumps(value) == linecaster.dumps(value, **options)
        if not options.get("ensure_ascii") and not is_utf8(encoder.dumps(value)):
            with pytest.raises(linecaster.EncodeError, match="surrogate"):
                encoder.encode(value)
            continue
        expected = linecaster.encode(value, **options)
        assert encoder.encode(value) == expected
        buffer = bytearray(b"before")
        encoder.encode_into(value, buffer, 6)
        encoder.encode_into(value, buffer, offset=-1)
        assert buffer == b"before" + 2 * expected


def test_options_are_those_of_the_functions():
    parameters = inspect.signature(linecaster.Encoder).parameters
    expected = dict(inspect.signature(linecaster.dumps).parameters)
    del expected["obj"]
    assert parameters == expected
    for options in ({"what": 1}, {"": 1}, {"indent": 1.5}, {"default": 1}, {"separators": ",:"}):
        with pytest.raises(TypeError):
            linecaster.Encoder(**options)
    with pytest.raises(ValueError):
        linecaster.Encoder(max_depth=0)
    with pytest.raises(TypeError, match="positional"):
        linecaster.Encoder(None)


def test_arguments_of_methods():
    encoder = linecaster.Encoder()
    for call in (
        encoder.encode,
        lambda: encoder.encode(1, 2),
        lambda: encoder.encode(obj=1),
        lambda: encoder.dumps(1, indent=2),
        lambda: encoder.encode_into(1),
        lambda: encoder.encode_into(1, b""),
        lambda: encoder.dump(1),
        lambda: encoder.iterencode(obj=1),
        lambda: encoder.iterencode_lines(1, 2),
        encoder.encode_lines,
        lambda: linecaster.Encoder.encode(1, 2),
    ):
        with pytest.raises(TypeError):
            call()
    for name in ("encode", "dumps", "encode_into", "dump", "iterencode", "encode_lines"):
        ours = inspect.signature(getattr(encoder, name)).parameters
        theirs = inspect.signature(getattr(linecaster, name)).parameters
        shared = [one for one in theirs if one in ours]
        assert list(ours) == shared
        assert [ours[one].kind for one in ours] == [theirs[one].kind for one in shared]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("cls", [linecaster.Encoder, Plain, Speller])
def test_copies(cls, options):
    encoder = cls(**options)
    if cls is not linecaster.Encoder:
        encoder.note = [1]
    value = {"b": [1, "é"], "a": "漢"}
    copies = [copy.copy(encoder), copy.deepcopy(encoder)]
    copies += [pickle.loads(pickle.dumps(encoder, n)) for n in range(2, 6)]
    for one in copies:
        assert type(one) is cls
        assert repr(one) == repr(encoder)
        assert one.dumps(value) == encoder.dumps(value)
        assert getattr(one, "note", None) == getattr(encoder, "note", None)


def test_repr():
    assert repr(linecaster.Encoder()) == "linecaster.Encoder()"
    encoder = linecaster.Encoder(sort_keys=True, indent="\t")
    assert repr(encoder) == "linecaster.Encoder(sort_keys=True, indent='\\t')"
    assert repr(Plain(indent=1)) == f"{__name__}.Plain(indent=1)"


def test_subclasses():
    assert Speller().dumps([Odd(), 1]) == '["Speller odd",1]'
    assert Speller(default=lambda _: 7).dumps(Odd()) == "7"
    assert b"".join(Speller().iterencode([Odd()])) == b'["Speller odd"]'
    with pytest.raises(linecaster.EncodeError):
        Plain().encode(Odd())

    class WithArguments(linecaster.Encoder):
        def __new__(cls, prefix):
            self = super().__new__(cls, sort_keys=True)
            self.prefix = prefix
            return self

        def default(self, obj):
            return self.prefix + repr(obj)

    assert WithArguments("an ").dumps({"b": Odd(), "a": 1}) == '{"a":1,"b":"an odd"}'

    class Broken(linecaster.Encoder):
        default = 3

    with pytest.raises(TypeError):
        Broken().dumps(Odd())
    with pytest.raises(TypeError, match="base type"):
        type("Sub", (type(linecaster.iterencode(1)),), {})


def test_options_are_read_once():
    separators = [" , ", ":"]
    encoder = linecaster.Encoder(separators=separators)
    separators[0] = "?"
    assert encoder.dumps([1, 2]) == "[1 , 2]"


def test_used_by_its_own_callback():
    def default(obj):
        return encoder.dumps({"type": type(obj).__name__})

    encoder = linecaster.Encoder(default=default)
    assert encoder.dumps([Odd()]) == '["{\\"type\\":\\"Odd\\"}"]'


def test_threads():
    encoder = linecaster.Encoder(indent=1, default=repr)
    value = [{"a": i, "b": Odd()} for i in range(100)]
    expected = encoder.encode(value)
    wrong = []

    def work():
        for _ in range(50):
            made = {encoder.encode(value), b"".join(encoder.iterencode(value))}
            wrong.extend(made - {expected})

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_cycles_are_collected():
    class Holder:
        def default(self, obj):
            return repr(obj)

    def alive(make):
        holder = make()
        return weakref.ref(holder)

    def holder():
        one = Holder()
        one.encoder = linecaster.Encoder(default=one.default)
        return one

    def streaming():
        one = Speller()
        one.chunks = one.iterencode(["x" * 100] * 10, chunk_size=10)
        next(one.chunks)
        return one

    for make in (holder, streaming, Speller):
        reference = alive(make)
        gc.collect()
        assert reference() is None


def test_nothing_leaks():
    def once():
        for cls in (linecaster.Encoder, Speller):
            encoder = cls(indent=1, default=repr, separators=["a", "b"])
            encoder.encode([Odd()])
            repr(encoder)
            copy.copy(encoder)
            with pytest.raises(TypeError):
                cls(indent=[])
            with pytest.raises(linecaster.EncodeError):
                linecaster.Encoder().dumps(Odd())

    once()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(200):
        once()
    gc.collect()
    assert tracemalloc.get_traced_memory()[0] - before < 20_000
    tracemalloc.stop()
