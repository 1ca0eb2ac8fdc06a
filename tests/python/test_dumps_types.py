"""What each type of value becomes."""

import array
import collections
import dataclasses
import enum
import pathlib
import types
import typing
import uuid
from collections.abc import Mapping

import attrs
import linecaster
import pytest
from trees import plain


class List(list):
    pass


class Tuple(tuple):
    pass


class Dict(dict):
    pass


def test_subclasses_of_containers():
    value = List([1, Tuple((2, Dict(a=List())))])
    assert linecaster.dumps(value) == '[1,[2,{"a":[]}]]'
    assert linecaster.encode(value, indent=1) == plain(value, indent=1).encode()


def test_subclasses_are_read_as_what_they_are():
    class Liar(list):
        def __iter__(self):
            return iter(["lie"])

        def __len__(self):
            return 7

        def __getitem__(self, index):
            return "lie"

    class LiarDict(dict):
        def __iter__(self):
            return iter(["lie"])

        keys = __iter__

        def __getitem__(self, key):
            return "lie"

    assert linecaster.dumps(Liar([1, 2])) == "[1,2]"
    assert linecaster.dumps(LiarDict(a=1)) == '{"a":1}'


Point = collections.namedtuple("Point", "x y")


class Typed(typing.NamedTuple):
    name: str
    size: int = 3


def test_named_tuples_are_arrays():
    assert linecaster.dumps([Point(1, 2), Typed("a")]) == '[[1,2],["a",3]]'


def test_dict_subclasses_of_the_library():
    ordered = collections.OrderedDict(a=1, b=2, c=3)
    ordered.move_to_end("a")
    assert linecaster.dumps(ordered) == '{"b":2,"c":3,"a":1}'
    ordered.move_to_end("c", last=False)
    assert linecaster.dumps(ordered) == plain(ordered) == '{"c":3,"b":2,"a":1}'
    assert linecaster.dumps(ordered, sort_keys=True) == '{"a":1,"b":2,"c":3}'
    assert linecaster.dumps(collections.OrderedDict()) == "{}"
    assert linecaster.dumps(collections.defaultdict(list, a=[1])) == '{"a":[1]}'
    assert linecaster.dumps(collections.Counter("aab")) == '{"a":2,"b":1}'


def test_items_that_a_subclass_redefines():
    class Own(dict):
        def items(self):
            return [("b", 1), ("a", 2)]

    assert linecaster.dumps(Own(x=1)) == plain(Own(x=1)) == '{"b":1,"a":2}'
    assert linecaster.dumps(Own(x=1), sort_keys=True) == '{"a":2,"b":1}'
    assert linecaster.dumps(Own(x=1), indent=2) == plain(Own(x=1), indent=2)


class Lazy(Mapping):
    """A mapping of one's own."""

    def __init__(self, *names):
        self.names = names

    def __getitem__(self, name):
        return [name]

    def __iter__(self):
        return iter(self.names)

    def __len__(self):
        return len(self.names)


def test_mappings():
    for made in (
        types.MappingProxyType({"é": 1, "a": {}}),
        collections.ChainMap({"a": 1}, {"b": 2}),
        collections.UserDict({"a": 1, "b": [2]}),
        Lazy("x", "y"),
        Lazy(),
    ):
        expected = {key: made[key] for key in made}
        assert linecaster.dumps(made) == plain(expected)
        assert linecaster.encode([made], indent=2) == plain([expected], indent=2).encode()
        assert linecaster.dumps(made, sort_keys=True) == plain(expected, sort_keys=True)


@pytest.mark.parametrize("pair", [1, "ab", ("a",), ("a", 1, 2), ["a", 1], None])
@pytest.mark.parametrize("sort_keys", [False, True])
def test_mapping_whose_items_are_no_pairs(pair, sort_keys):
    class Broken(Lazy):
        def items(self):
            return [("ok", 1), pair]

    with pytest.raises(linecaster.EncodeError, match="pairs"):
        linecaster.dumps(Broken("a"), sort_keys=sort_keys)


class Color(enum.Enum):
    RED = "réd"
    PAIR = (1, 2)
    NONE = None


class Nested(enum.Enum):
    OUTER = Color.RED
    TUPLE = (Color.PAIR,)


class Text(str, enum.Enum):
    A = "a"
    WIDE = "€"


class Bits(enum.Flag):
    R = 1
    W = 2


class IntBits(enum.IntFlag):
    R = 1
    W = 2


class Number(float, enum.Enum):
    HALF = 0.5


def test_enums():
    assert linecaster.dumps(list(Color)) == '["réd",[1,2],null]'
    assert linecaster.dumps(list(Nested)) == '["réd",[[1,2]]]'
    assert linecaster.dumps(list(Text)) == '["a","€"]'
    assert linecaster.dumps([Bits.R, Bits.R | Bits.W, IntBits.R | IntBits.W]) == "[1,3,3]"
    assert linecaster.dumps(Number.HALF) == "0.5"
    if hasattr(enum, "StrEnum"):
        member = enum.StrEnum("Str", "ONE TWO").TWO
        assert linecaster.dumps({member: [member]}) == '{"two":["two"]}'


def test_enum_of_a_value_without_json():
    class Odd(enum.Enum):
        ITEM = object()

    with pytest.raises(linecaster.EncodeError, match=r"object at \$\[0\]"):
        linecaster.dumps([Odd.ITEM])
    assert linecaster.dumps([Odd.ITEM], default=lambda value: "object") == '["object"]'


def test_enum_whose_value_raises_or_has_no_end():
    class Raising(enum.Enum):
        A = 1

        @property
        def value(self):
            raise ZeroDivisionError

    class Endless(enum.Enum):
        A = 1

        @property
        def value(self):
            return self

    with pytest.raises(ZeroDivisionError):
        linecaster.dumps([Raising.A])
    with pytest.raises(linecaster.EncodeError):
        linecaster.dumps([Endless.A])
    with pytest.raises(linecaster.EncodeError):
        linecaster.dumps({Endless.A: 1}, non_str_keys=True)
    with pytest.raises(ZeroDivisionError):
        linecaster.dumps({Raising.A: 1}, non_str_keys=True)


@dataclasses.dataclass
class Base:
    b: int
    a: str = "é"
    kind: typing.ClassVar[str] = "class"
    seed: dataclasses.InitVar[int] = 0
    tags: list = dataclasses.field(default_factory=list)
    hidden: int = dataclasses.field(default=7, repr=False, compare=False)

    @property
    def area(self):
        return 1


@dataclasses.dataclass
class Derived(Base):
    extra: object = None


@dataclasses.dataclass(frozen=True)
class Frozen:
    z: int
    y: tuple = ()


Slotted = dataclasses.make_dataclass("Slotted", ["q", "p"], slots=True)


@dataclasses.dataclass
class Empty:
    pass


def test_dataclasses(orjson):
    base = Base(1, tags=[Frozen(2, (Empty(),))])
    assert linecaster.dumps(base) == ('{"b":1,"a":"é","tags":[{"z":2,"y":[{}]}],"hidden":7}')
    for value in (base, Derived(1, extra=base), Frozen(3), Slotted(1, [2]), Empty(), [Empty()]):
        assert linecaster.encode(value) == orjson.dumps(value)
        assert linecaster.encode(value, indent=2) == orjson.dumps(value, option=orjson.OPT_INDENT_2)
        assert linecaster.loads(linecaster.dumps(value, sort_keys=True)) == orjson.loads(
            orjson.dumps(value)
        )
    assert linecaster.dumps(Slotted(1, 2), sort_keys=True) == '{"p":2,"q":1}'


def test_dataclass_class_is_not_an_instance():
    with pytest.raises(linecaster.EncodeError, match="type"):
        linecaster.dumps(Base)


def test_dataclass_without_one_of_its_attributes():
    value = Base(1)
    del value.tags
    with pytest.raises(AttributeError, match="tags"):
        linecaster.dumps(value)


def test_dataclass_that_is_a_built_in_as_well():
    @dataclasses.dataclass
    class Numbers(list):
        name: str

    value = Numbers("x")
    value.append(1)
    assert linecaster.dumps(value) == "[1]"


def test_class_that_changes_after_it_was_seen():
    class Changing:
        pass

    value = Changing()
    with pytest.raises(linecaster.EncodeError):
        linecaster.dumps(value)
    Changing.__iter__ = lambda self: iter([1, 2])
    assert linecaster.dumps(value, iterables=True) == "[1,2]"
    del Changing.__iter__
    with pytest.raises(linecaster.EncodeError):
        linecaster.dumps(value, iterables=True)


def test_instance_that_changes_its_class():
    first = dataclasses.make_dataclass("First", ["a"])
    second = dataclasses.make_dataclass("Second", ["b"])
    value = first(1)
    assert linecaster.dumps(value) == '{"a":1}'
    value.b = 2
    value.__class__ = second
    assert linecaster.dumps(value) == '{"b":2}'


def test_many_classes():
    """More than are remembered, and at addresses that are used again."""
    for i in range(500):
        cls = dataclasses.make_dataclass(f"C{i}", [f"f{i}"])
        assert linecaster.dumps(cls(i)) == f'{{"f{i}":{i}}}'
        name = f"E{i}"
        assert linecaster.dumps(enum.Enum(name, "A B")["B"]) == "2"
        assert linecaster.dumps(type(name, (int,), {})(i)) == str(i)
        assert linecaster.dumps(type(name, (), {})(), default=lambda value, i=i: i) == str(i)


@attrs.define
class AttrsBase:
    a: int
    _private: str = "p"


@attrs.frozen
class AttrsDerived(AttrsBase):
    items: list = attrs.field(factory=list)


def test_attrs():
    value = AttrsDerived(1, items=[AttrsBase(2)])
    assert linecaster.dumps(value) == ('{"a":1,"_private":"p","items":[{"a":2,"_private":"p"}]}')


def test_uuid(orjson):
    class Own(uuid.UUID):
        def __str__(self):
            return "lie"

    for number in (0, 1, 2**128 - 1, 0x123456789ABCDEF0FEDCBA9876543210):
        value = uuid.UUID(int=number)
        assert linecaster.encode([value]) == orjson.dumps([value]) == f'["{value}"]'.encode()
        assert linecaster.dumps({value: 1}, non_str_keys=True) == f'{{"{value}":1}}'
        assert linecaster.dumps(Own(int=number)) == f'"{value}"'


@pytest.mark.parametrize("number", ["x", None, 2**128, 2**200, 1.5])
def test_uuid_that_lies(number):
    value = uuid.UUID(int=1)
    object.__setattr__(value, "int", number)
    with pytest.raises(linecaster.EncodeError, match="UUID"):
        linecaster.dumps(value)


def test_paths():
    for path in (
        pathlib.PurePosixPath("/a/é"),
        pathlib.PureWindowsPath("c:\\x"),
        pathlib.Path("y"),
    ):
        assert linecaster.dumps([path]) == plain([str(path)])
        assert linecaster.dumps({path: 1}, non_str_keys=True) == plain({str(path): 1})
    undecodable = pathlib.PurePosixPath(b"/caf\xe9".decode("utf-8", "surrogateescape"))
    assert linecaster.dumps(undecodable) == '"/caf\udce9"'
    with pytest.raises(linecaster.EncodeError, match="surrogate"):
        linecaster.encode(undecodable)


@pytest.mark.parametrize(
    "value", [b"a", bytearray(b"a"), memoryview(b"a"), type("B", (bytes,), {})()]
)
def test_bytes_are_refused(value):
    for options in ({}, {"iterables": True}):
        with pytest.raises(linecaster.EncodeError, match=r"decode it first.* at \$\.k\[1\]"):
            linecaster.dumps({"k": [0, value]}, **options)
    assert linecaster.dumps(value, default=lambda value: bytes(value).decode()) in ('"a"', '""')


def make_generator():
    yield 1
    yield from ("é", [2], {"a": (x for x in "€")})


ITERABLES = {
    "[1]": lambda: {1},
    "[2]": lambda: frozenset([2]),
    "[]": set,
    '[1,"é",[2],{"a":["€"]}]': make_generator,
    "[0,1,2]": lambda: range(3),
    "[3]": lambda: iter([3]),
    "[4]": lambda: map(int, "4"),
    '["a"]': {"a": 1}.keys,
    "[7]": {"a": 7}.values,
    '[["a",1]]': {"a": 1}.items,
    "[1,2]": lambda: collections.deque([1, 2]),
    "[5,6]": lambda: array.array("i", [5, 6]),
}


@pytest.mark.parametrize("text", ITERABLES)
def test_iterables_on_request(text):
    make = ITERABLES[text]
    assert linecaster.dumps(make(), iterables=True) == text
    assert linecaster.encode([make()], iterables=True) == f"[{text}]".encode()
    expected = plain(linecaster.loads(text), indent=2)
    assert linecaster.dumps(make(), iterables=True, indent=2) == expected
    with pytest.raises(linecaster.EncodeError, match="iterables=True"):
        linecaster.dumps(make())
    assert linecaster.dumps(make(), default=lambda value: "d") == '"d"'


@pytest.mark.parametrize("value", [object(), 1j, len, type, ..., NotImplemented, lambda: 0])
def test_everything_else_is_for_default(value):
    with pytest.raises(linecaster.EncodeError, match="not JSON serializable"):
        linecaster.dumps(value)
    with pytest.raises(linecaster.EncodeError):
        linecaster.dumps(value, iterables=True)
    assert linecaster.dumps([value], default=lambda value: type(value).__name__) == (
        f'["{type(value).__name__}"]'
    )


def test_default_chain():
    class A:
        pass

    class B:
        pass

    def default(value):
        return B() if isinstance(value, A) else Color.RED

    assert linecaster.dumps([A()], default=default) == '["réd"]'
    assert linecaster.dumps(A(), default=default) == '"réd"'
