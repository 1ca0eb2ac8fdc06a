"""Pydantic models: what `model_dump(mode="json")` gives."""

import pathlib
import uuid

import linecaster
import pytest
from trees import plain

pydantic = pytest.importorskip("pydantic")


class Model(pydantic.BaseModel):
    id: uuid.UUID
    names: tuple[str, ...] = ()
    inner: "Model | None" = None
    path: pathlib.PurePosixPath = pathlib.PurePosixPath("/é")


class Root(pydantic.RootModel[list[int]]):
    pass


@pydantic.dataclasses.dataclass
class PydanticData:
    x: int


def test_pydantic():
    key = uuid.UUID(int=5)
    value = Model(id=key, names=("€",), inner=Model(id=key))
    expected = value.model_dump(mode="json")
    assert linecaster.dumps(value) == plain(expected)
    assert linecaster.dumps([value, value], indent=1) == plain([expected] * 2, indent=1)
    assert linecaster.dumps(Root([1, 2])) == "[1,2]"
    assert linecaster.dumps(PydanticData(x=1)) == '{"x":1}'


def test_serializer_that_raises():
    class Broken(pydantic.BaseModel):
        x: int = 1

        @pydantic.field_serializer("x")
        def spell(self, value):
            raise ZeroDivisionError

    with pytest.raises(Exception, match="ZeroDivisionError"):
        linecaster.dumps([Broken()])


def test_classes_are_not_instances():
    with pytest.raises(linecaster.EncodeError):
        linecaster.dumps(Model)
