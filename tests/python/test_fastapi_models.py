"""Pydantic models in `linecaster.fastapi` against FastAPI's encoder, warnings included."""

import datetime as dt
import decimal
import enum
import functools
import math
import uuid
import warnings
from typing import Annotated, Any, Generic, Literal, Optional, TypeVar, Union

import pytest
from frameworks import need
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

encoders = need("fastapi.encoders")
pydantic = need("pydantic")

from linecaster.fastapi import encode, jsonable_encoder  # noqa: E402

responses = need("fastapi.responses")

BaseModel, Field, ConfigDict = pydantic.BaseModel, pydantic.Field, pydantic.ConfigDict
UTC = dt.timezone.utc


def shown(value):
    """The value with all its types, and in its order."""
    if isinstance(value, dict):
        return type(value), [(shown(key), shown(item)) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value), [shown(item) for item in value]
    return type(value), repr(value)


def outcome(function, *args, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = shown(function(*args, **options))
        except Exception as error:
            result = type(error), str(error)
    return result, [(w.category, str(w.message), w.filename, w.lineno) for w in caught]


OPTIONS = [
    {},
    {"by_alias": False},
    {"by_alias": None},
    {"exclude_none": True},
    {"exclude_unset": True},
    {"exclude_defaults": True},
    {"exclude_unset": True, "exclude_none": True, "by_alias": False},
    {"exclude_none": 1},
    {"sqlalchemy_safe": False},
    {"include": {"a"}},
    {"exclude": {"a": {0}}},
    {"custom_encoder": {str: lambda _: "custom"}},
]


def body(obj, **options):
    return responses.JSONResponse(encoders.jsonable_encoder(obj, **options)).body


def check(value, options=OPTIONS):
    for given_options in options:
        for obj in (value, [value, value], {"key": value}):
            expected = outcome(encoders.jsonable_encoder, obj, **given_options)
            assert outcome(jsonable_encoder, obj, **given_options) == expected, given_options
            expected = outcome(body, obj, **given_options)
            assert outcome(encode, obj, **given_options) == expected, given_options


class Color(enum.Enum):
    RED = "red"
    BLUE = 2
    NONE = None


class Word(str, enum.Enum):
    A = "a"


class Whole(int):
    pass


class Text(str):
    pass


class Sub(BaseModel):
    x: int = 1
    y: str | None = Field(default=None, alias="why")


class Deeper(Sub):
    z: int = 3


class Plain(BaseModel):
    a: int = 1
    b: str = "text"
    c: float | None = None
    d: list[int] = []
    e: dict[str, Sub] = {}
    f: Sub | None = None
    g: tuple[int, ...] = ()
    h: tuple[int, str] = (1, "a")
    i: set[int] = set()
    j: Any = None
    k: Color = Color.RED
    m: dt.datetime | None = None
    n: uuid.UUID | None = None
    o: int | str | None = 3
    p: Literal["a", "b"] = "a"
    q: decimal.Decimal = decimal.Decimal("1.50")
    r: dt.date | None = None
    s: frozenset[str] = frozenset()
    t: list[Sub] = []
    u: bool = True
    v: Annotated[int, Field(gt=0)] = 1
    w: Word = Word.A


class Node(BaseModel):
    a: int = 0
    nodes: list["Node"] = []
    next: Optional["Node"] = None


class More(BaseModel):
    a: dt.time = dt.time(1, 2)
    b: dt.timedelta = dt.timedelta(1, 2, 3)
    c: Sub | Deeper | None = None
    d: Node | int | str | Sub = 1
    e: list[Deeper | Sub] = []
    f: dict[str, dt.timedelta | None] = {}


class Renamed(BaseModel):
    a: int = Field(default=1, serialization_alias="b")
    b: int = Field(default=2, alias="a")
    c: Sub | None = Field(default=None, alias="cc")


class Private(BaseModel):
    sa: int = Field(default=1, serialization_alias="_sa_x")
    d: dict[str, int | None] = {"_sa_y": 1, "b": None}


STAMPS = pydantic.TypeAdapter(dt.datetime)
MIXED = [
    1,
    True,
    1.5,
    math.nan,
    math.inf,
    10**40,
    "text",
    "\ud800",
    "_sa",
    None,
    b"bytes",
    b"\xff",
    Whole(3),
    Text("t"),
    [],
    [1, 2],
    [1, "a"],
    [True],
    [None],
    (),
    (1,),
    (1, "a"),
    (1, 2, 3),
    {1, 2},
    {"a"},
    frozenset({"a"}),
    [[1]],
    {},
    {"a": 1},
    {"a": None},
    {"_sa": 1},
    {1: 2},
    {"k": Sub()},
    {"k": Deeper()},
    {"a": {"b": [None, {"c": None}]}},
    Sub(),
    Sub(why="y"),
    Deeper(),
    [Sub(), Deeper()],
    [Sub(x=4)],
    Plain(),
    object(),
    Color.RED,
    Color.NONE,
    Word.A,
    dt.datetime(1, 2, 3),
    dt.datetime(2026, 1, 2, 3, 4, 5, 6),
    dt.datetime(2026, 1, 2, tzinfo=UTC),
    dt.datetime(2026, 1, 2, tzinfo=dt.timezone(dt.timedelta(hours=-1, seconds=5))),
    dt.date(1, 2, 3),
    dt.time(1),
    dt.datetime(2026, 1, 2, tzinfo=dt.timezone(dt.timedelta(0), "zero")),
    dt.timedelta(1),
    dt.timedelta(-1, 5, 7),
    dt.timedelta(364, 86399, 999999),
    dt.timedelta(365),
    dt.timedelta(-365),
    dt.timedelta(-366),
    dt.timedelta(999999999),
    dt.time(1, 2, 3, 4000),
    dt.time(1, tzinfo=UTC),
    dt.datetime(2026, 1, 2, tzinfo=dt.timezone(dt.timedelta(hours=-5, minutes=-30))),
    dt.datetime(2026, 1, 2, tzinfo=dt.timezone(dt.timedelta(seconds=30))),
    dt.datetime(2026, 1, 2, tzinfo=dt.timezone(dt.timedelta(minutes=-1))),
    dt.datetime(2026, 1, 2, tzinfo=dt.timezone(dt.timedelta(hours=23, minutes=59))),
    *map(STAMPS.validate_python, ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000600+05:30"]),
    Node(a=5),
    uuid.UUID(int=7),
    decimal.Decimal("1E+3"),
    decimal.Decimal("NaN"),
    "a",
    "b",
    "c",
    5,
    complex(1),
    range(2),
]


@pytest.mark.parametrize("name", list(Plain.model_fields))
def test_every_value_in_every_field(name):
    for value in MIXED:
        check(Plain.model_construct(**{name: value}), OPTIONS[:5])


@pytest.mark.parametrize("name", list(More.model_fields))
def test_every_value_in_more_fields(name):
    for value in MIXED:
        check(More.model_construct(**{name: value}), OPTIONS[:5])
    for value in ([Deeper(), Sub(why="y"), Sub()], [Sub(), None], {"k": None, "l": dt.timedelta()}):
        check(More.model_construct(**{name: value}), OPTIONS[:5])


def test_plain_models():
    check(Plain())
    check(
        Plain(
            d=[1],
            e={"k": Sub(why="w")},
            f=Sub(),
            g=(1, 2),
            i={3, 1},
            j={"a": [1, {"b": None}]},
            t=[Sub(), Sub()],
        )
    )
    check(Node(nodes=[Node(next=Node()), Node()]))
    check(Renamed(c=Sub(why="w")))
    check(Private())


class Long(BaseModel):
    text: str = ""
    keys: dict[str, Any] = {}
    numbers: list[int | float] = []
    subs: list[Sub] = []


def test_models_larger_than_the_room():
    for count in (0, 1, 90, 1000, 20_000):
        for text in ("x", "\n", "é", "ж", "\U0001f600", "x\ud800"):
            check(Long(text=text * count), OPTIONS[:1])
            check(Long(text="t", keys={text * count: 1, "k": text * count}), OPTIONS[:1])
    check(Long(numbers=[1, 2**63 - 1, 2**63, -(2**63), 1.5, 1e300] * 3000), OPTIONS[:1])
    check([Long(subs=[Sub(why="w" * n)] * n) for n in range(60)], OPTIONS[:5])
    check([Long(numbers=[2**64])] * 2, OPTIONS[:1])


def test_models_that_are_taken_back():
    odd = Long.model_construct(text="t", keys={}, numbers=[], subs=[Sub()] * 500 + [1])
    for value in ([Long(text="a"), odd, Long(text="b")], {"a": 1, "b": odd, "c": [odd, 2]}, [odd]):
        check(value, OPTIONS[:5])
    check([odd, math.nan], OPTIONS[:1])
    check([odd, math.nan, object], OPTIONS[:1])
    check([Long(), odd, "\ud800", Long(text="\ud800")], OPTIONS[:1])


def test_unset_and_changed_fields():
    plain = Plain(a=3)
    plain.j = plain.f = Sub()
    check(plain)
    del plain.b
    check(plain)
    plain.b = "last"
    check(plain)
    plain.__dict__["other"] = 1
    check(plain)
    plain.__dict__["model_dump"] = lambda **_: "own"
    check(plain)
    odd = Plain.model_construct(_fields_set=["a"])
    check(odd)
    check(Plain.model_construct(_fields_set={"a", "unknown"}, extra=1))


def test_recursion():
    node = Node()
    for _ in range(60):
        node = Node(next=node)
        check(node, OPTIONS[:1])
    node = Node()
    node.nodes = [node, node]
    check(node, OPTIONS[:1])
    deep: Any = 1
    for _ in range(60):
        deep = [deep]
        check(Plain(j=deep), OPTIONS[:1])
    own = Plain(j=[])
    own.j.append(own.j)
    check(own, OPTIONS[:1])


class Serialized(BaseModel):
    a: int = 1
    sub: Sub = Sub()
    _secret: int = 1

    @pydantic.field_serializer("a")
    def text(self, value) -> str:
        return f"<{value}>"

    @pydantic.computed_field
    @property
    def twice(self) -> int:
        return self.a * 2

    @functools.cached_property
    def kept(self):
        return 1


class Returned(BaseModel):
    a: Any = None

    @pydantic.field_serializer("a")
    def given(self, value):
        return value


class Whatever(BaseModel):
    a: Any = None

    @pydantic.model_serializer
    def given(self):
        return self.a


class Wrapped(BaseModel):
    a: int = 1

    @pydantic.model_serializer(mode="wrap")
    def given(self, handler):
        return {"wrapped": handler(self), "_sa": 1, "none": None}


class Extra(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int = 1


class Dumping(BaseModel):
    a: int = 1

    def model_dump(self, **options):
        return {"own": sorted(options), "_sa": 1, "set": {1}}


class Attributes(BaseModel):
    a: int = 1

    def __getattribute__(self, name):
        if name == "model_dump":
            return lambda **_: "own"
        return super().__getattribute__(name)


class Excluded(BaseModel):
    a: int = 1
    b: int = Field(default=2, exclude=True)


class Configured(BaseModel):
    model_config = ConfigDict(
        ser_json_timedelta="float", ser_json_inf_nan="strings", use_enum_values=True
    )
    a: dt.timedelta = dt.timedelta(1.5)
    b: float = math.nan
    c: Color = Color.BLUE


class Validated(BaseModel):
    a: int = 1

    @pydantic.field_validator("a", mode="wrap")
    @classmethod
    def given(cls, value, handler):
        return handler(value)

    @pydantic.model_validator(mode="after")
    def after(self):
        return self


class Checked(BaseModel):
    a: Annotated[int, pydantic.AfterValidator(lambda value: value)] = 1

    @pydantic.model_validator(mode="before")
    @classmethod
    def before(cls, value):
        return value


class Root(pydantic.RootModel[list[Sub | None]]):
    pass


class Holder(BaseModel):
    a: Root = Root([])
    b: pydantic.SecretStr = pydantic.SecretStr("secret")
    c: pydantic.AnyUrl = pydantic.AnyUrl("https://example.com/x")
    d: pydantic.HttpUrl = pydantic.HttpUrl("https://example.com")
    e: bytes = b"bytes"
    f: pydantic.SerializeAsAny[Sub] = Deeper()


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    a: int = 1


class Dog(BaseModel):
    kind: Literal["dog"] = "dog"
    a: str = "1"


class Pets(BaseModel):
    a: Cat | Dog = Dog()
    b: Annotated[Cat | Dog, Field(discriminator="kind")] = Cat()


T = TypeVar("T")


class Page(BaseModel, Generic[T]):
    items: list[T] = []
    a: T | None = None


@pydantic.dataclasses.dataclass
class Data:
    a: int = 1
    b: Sub | None = None


class Keeper(BaseModel):
    a: Data = Data()


def test_models_that_pydantic_dumps():
    serialized = Serialized()
    assert serialized.kept
    check(serialized)
    both = {"by_alias": False, "exclude_unset": True}
    for options in (both, {**both, "exclude_none": True}, {**both, "exclude_unset": False}):
        check(serialized, [options])
        check(Wrapped(a=2), [options])
    for value in MIXED:
        check(Returned(a=value), OPTIONS[:5])
        check(Whatever(a=value), OPTIONS[:5])
    for model in (
        Wrapped(),
        Extra(b={"_sa": None}, _sa=1),
        Dumping(),
        Attributes(),
        Excluded(),
        Configured(),
    ):
        check(model)
    for model in (
        Validated(),
        Checked(),
        Root([Sub(), None]),
        Root([]),
        Holder(),
        Holder(a=Root([Sub(), Deeper()])),
    ):
        check(model)
    for model in (
        Pets(),
        Pets(a=Cat()),
        Pets.model_construct(a=Sub(), b=Dog(kind="dog")),
        Keeper(),
        Data(b=Sub()),
    ):
        check(model)
    for model in (
        Page[int](items=[1], a=2),
        Page[Sub](items=[Sub()]),
        Page(items=[1, "a"]),
        Page[Sub](a=Deeper()),
    ):
        check(model)


def test_results_are_nobody_elses():
    inner = [1, {"a": 2}]
    model = Plain(j=inner, d=[1], t=[Sub()])
    result = jsonable_encoder(model)
    assert result["j"] is not model.j
    assert result["j"][1] is not inner[1]
    assert result["d"] is not model.d
    result["j"][1]["a"] = result["d"][0] = 3
    result["extra"] = result["t"][0]["x"] = 4
    assert model == Plain(j=[1, {"a": 2}], d=[1], t=[Sub()])
    shared = [1]

    class Shared(BaseModel):
        @pydantic.model_serializer
        def given(self):
            return {"a": shared, "b": shared}

    first = jsonable_encoder(Shared())
    assert first["a"] is not first["b"]
    assert first["a"] is not shared


def test_rebuilt_classes():
    class Later(BaseModel):
        a: int = 1
        b: Optional["Unknown"] = None

    check(Later.model_construct())

    class Unknown(BaseModel):
        a: int = 5

    Later.model_rebuild(_types_namespace={"Unknown": Unknown, "Optional": Optional})
    check(Later(b=Unknown()))
    Later.__annotations__["a"] = str
    Later.model_fields["a"].annotation = str
    Later.model_rebuild(force=True, _types_namespace={"Unknown": Unknown, "Optional": Optional})
    check(Later.model_construct(a="text"))
    check(Later.model_construct(a=1))
    Later.counter = 1
    check(Later())
    Later.model_dump = lambda self, **_: "own"
    check(Later())
    del Later.model_dump
    check(Later())
    Later.__pydantic_serializer__ = Sub.__pydantic_serializer__
    check(Later())


def test_base_model_patched(monkeypatch):
    monkeypatch.setattr(BaseModel, "model_dump", lambda self, **_: "patched")
    check(Plain())
    check(Serialized())


def test_warnings_are_pydantics():
    model = Plain.model_construct(d=(1, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="serialized value may not be as expected"):
            jsonable_encoder(model)
        warnings.filterwarnings("ignore", module=r"pydantic\.main")
        assert jsonable_encoder(model)["d"] == [1, 2]
        assert jsonable_encoder(model, exclude_none=True)["d"] == [1, 2]


LEAVES = st.sampled_from(
    [
        int,
        str,
        float,
        bool,
        None,
        Any,
        Color,
        dt.datetime,
        dt.date,
        dt.time,
        dt.timedelta,
        uuid.UUID,
        decimal.Decimal,
        Sub,
        Deeper,
        Literal["a", "b"],
    ]
)
TYPES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(lambda t: Optional[t]),  # noqa: UP045
        inner.map(lambda t: list[t]),
        inner.map(lambda t: dict[str, t]),
        inner.map(lambda t: tuple[t, ...]),
        st.tuples(inner, inner).map(lambda pair: Union[pair]),  # noqa: UP007
        st.tuples(inner, inner).map(lambda pair: tuple[pair]),
    ),
    max_leaves=4,
)
NAMES = st.sampled_from(["a", "b", "c", "d"])
ALIASES = st.sampled_from([None, "a", "b", "x", "_sa_x", "é"])


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.dictionaries(NAMES, st.tuples(TYPES, ALIASES), min_size=1), st.data())
def test_generated_models(fields, data):
    model = pydantic.create_model(
        "Made",
        **{
            name: (kind, Field(serialization_alias=alias)) for name, (kind, alias) in fields.items()
        },
    )
    values = {}
    for name, (kind, _) in fields.items():
        adapter = pydantic.TypeAdapter(kind)
        fitting = [value for value in MIXED if _fits(adapter, value)]
        values[name] = data.draw(st.sampled_from(fitting or MIXED))
        if data.draw(st.integers(0, 7)) == 0:
            values[name] = data.draw(st.sampled_from(MIXED))
    options = data.draw(st.sampled_from(OPTIONS))
    check(model.model_construct(_fields_set=set(data.draw(st.lists(NAMES))), **values), [options])


def _fits(adapter, value):
    try:
        adapter.validate_python(value, strict=True)
    except Exception:
        return False
    return True
