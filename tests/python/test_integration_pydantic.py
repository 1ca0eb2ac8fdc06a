"""`linecaster.integrations.pydantic` against `model_dump_json`."""

import datetime as dt
import decimal
import enum
import json
import math
import uuid
from typing import Annotated, Any

import linecaster
import pytest
from frameworks import need
from trees import plain

pydantic = need("pydantic")

from linecaster.integrations.pydantic import model_dump_json, model_encode_json  # noqa: E402


class Colour(enum.Enum):
    RED = "red"


class Inner(pydantic.BaseModel):
    when: dt.datetime = dt.datetime(2026, 1, 2, 3, 4, 5, 600000, tzinfo=dt.timezone.utc)
    span: dt.timedelta = dt.timedelta(days=1, seconds=2)
    raw: bytes = "é".encode()


class Everything(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(populate_by_name=True)

    id: uuid.UUID = uuid.UUID(int=3)
    name: str = pydantic.Field('Zoë €😀\x7f\u2028"\\', alias="theName")
    amount: decimal.Decimal = decimal.Decimal("1.10")
    number: float = 0.1
    large: float = 1e22
    big: int = 10**30
    colour: Colour = Colour.RED
    inner: Inner = Inner()
    many: list[Inner] = [Inner(), Inner(raw=b"")]
    keys: dict[int, Any] = {2: None, 1: {"x": (1, 2)}}
    times: dict[dt.date, dt.time] = {dt.date(2026, 1, 2): dt.time(3)}
    some: set[int] = {1}
    url: pydantic.AnyUrl = pydantic.AnyUrl("https://example.org/é")
    secret: pydantic.SecretStr = pydantic.SecretStr("s")
    none: None = None
    shown: Annotated[int, pydantic.PlainSerializer(lambda v: f"<{v}>", when_used="json")] = 5

    @pydantic.computed_field
    @property
    def computed(self) -> str:
        return "c"


DUMPS = [
    {}, {"by_alias": True}, {"exclude_none": True}, {"exclude_unset": True},
    {"exclude_defaults": True}, {"include": {"id", "inner"}}, {"round_trip": True},
    {"exclude": {"inner": {"raw"}, "many": {0}}}, {"exclude_computed_fields": True},
]  # fmt: skip


@pytest.mark.parametrize("dump", DUMPS, ids=str)
@pytest.mark.parametrize("indent", [None, 0, 2])
def test_model(dump, indent):
    model = Everything(theName="n") if "exclude_unset" in dump else Everything()
    expected = model.model_dump_json(indent=indent, **dump)
    assert model_dump_json(model, indent=indent, **dump) == expected
    assert model_encode_json(model, indent=indent, **dump) == expected.encode()


def test_options_that_pydantic_has_not():
    model = Everything()
    tree = json.loads(model.model_dump_json())
    options = {"sort_keys": True, "ensure_ascii": True, "separators": (", ", " : ")}
    assert model_dump_json(model, **options) == json.dumps(tree, **options)
    assert model_encode_json(model, **options) == json.dumps(tree, **options).encode()
    assert model_dump_json(model, indent="\t") == plain(tree, indent="\t")


@pytest.mark.parametrize("mode", ["null", "constants", "strings"])
def test_not_finite(mode):
    class Model(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(ser_json_inf_nan=mode)
        a: float = math.nan
        b: list[float] = [math.inf, -math.inf, 1.5]

    assert model_dump_json(Model()) == Model().model_dump_json()
    assert model_encode_json(Model()) == Model().model_dump_json().encode()


def test_exponents_are_spelled_as_json_does():
    class Model(pydantic.BaseModel):
        a: float = 1e-7

    assert (model_dump_json(Model()), Model().model_dump_json()) == ('{"a":1e-07}', '{"a":1e-7}')


def test_errors():
    class Model(pydantic.BaseModel):
        a: Any

    with pytest.raises(linecaster.EncodeError, match=r"surrogate.* at \$\.a"):
        model_dump_json(Model(a="\ud800"), ensure_ascii=True)
    with pytest.raises(pydantic.ValidationError):
        Model()
    with pytest.raises(ValueError, match="serialize"):
        model_dump_json(Model(a=object()))
    with pytest.raises(TypeError, match="unexpected keyword"):
        model_dump_json(Model(a=1), no_option=1)
    assert model_dump_json(Model(a=object()), fallback=lambda _: 1) == '{"a":1}'
