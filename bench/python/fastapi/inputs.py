"""What the encoder is given: values, the options of the call, and the goals.

Most inputs are 300 items of one shape (a number, a name, 25 integers, a dict of
three), as dicts, as dataclasses and as models, so that their rows can be
compared with each other.
"""

from __future__ import annotations

import enum
import random
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter, computed_field, field_serializer

Mode = Literal["tree", "bytes", "request"]
MODES: dict[Mode, str] = {
    "tree": "jsonable_encoder: to a tree of JSON's types",
    "bytes": "encode: to the bytes of the response's body",
    "request": "the whole request: a route without annotation, called by ASGI",
}
COUNT = 300


@dataclass(frozen=True)
class Goal:
    """What a row is meant to reach: a ratio to FastAPI, or nanoseconds."""

    times: float | None = None
    within: float | None = None

    def reached(self, ours: float, original: float) -> bool:
        """Tell whether the measured nanoseconds are good enough."""
        return (self.times is None or original / ours >= self.times) and (
            self.within is None or ours <= self.within
        )


@dataclass(frozen=True)
class Input:
    """One value, how the encoder is called on it, and where it is measured."""

    name: str
    about: str
    build: Callable[[], Any]
    goals: Mapping[Mode, Goal] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    # The value's type, for the peers that want to know it beforehand.
    model: TypeAdapter[Any] | None = None
    # Whether the libraries that know nothing of FastAPI can be asked as well.
    common: bool = False

    @property
    def modes(self) -> list[Mode]:
        """The modes that it is measured in: routes cannot give options."""
        return [mode for mode in MODES if mode != "request" or not self.options]


@dataclass
class Entry:
    """An item as a dataclass."""

    id: int
    name: str
    values: list[int]
    meta: dict[str, Any]


class Meta(BaseModel):
    """What an item carries along."""

    source: str
    version: int
    active: bool


class Item(BaseModel):
    """An item as a model whose fields are all plain."""

    id: int
    name: str
    values: list[int]
    meta: Meta


class Derived(Item):
    """An item as a model with a serializer and a computed field."""

    @field_serializer("name")
    def upper_name(self, name: str) -> str:
        """Spell the name as the API has it."""
        return name.upper()

    @computed_field  # type: ignore[prop-decorator]
    @property
    def total(self) -> int:
        """A field that is worked out."""
        return len(self.values) + self.id


class Sparse(BaseModel):
    """A model half of whose fields are mostly None."""

    id: int
    name: str
    note: str | None = None
    parent: int | None = None


class Colour(enum.Enum):
    """An enum as it is in databases."""

    RED = "red"
    GREEN = "green"


def _item(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "name": f"item {number}",
        "values": list(range(25)),
        "meta": {"source": "database", "version": number % 7, "active": number % 2 == 0},
    }


def _large() -> dict[str, Any]:
    items = [_item(number) for number in range(COUNT)]
    return {"items": items, "total": COUNT, "page": 1, "next": None}


def _mixed() -> list[dict[str, Any]]:
    source = random.Random(1)
    start = datetime(2026, 1, 2, 3, 4, 5)
    return [
        {
            "id": uuid.UUID(int=source.getrandbits(128), version=4),
            "when": start + timedelta(hours=number, microseconds=number),
            "price": Decimal(number * 25) / 100 + Decimal("0.10"),
            "colour": Colour.RED if number % 2 else Colour.GREEN,
            "tags": {"a", "b", "c"},
        }
        for number in range(COUNT)
    ]


def _sparse(number: int) -> dict[str, Any]:
    note = f"note {number}" if number % 3 == 0 else None
    return {"id": number, "name": f"item {number}", "note": note, "parent": None}


INPUTS = (
    Input(
        "small",
        "a dict of one str and one int",
        lambda: {"name": "foo", "value": 123},
        {"tree": Goal(15)},
        common=True,
    ),
    Input(
        "large",
        f"{COUNT} items as dicts, with metadata around them",
        _large,
        {"tree": Goal(80), "bytes": Goal(170), "request": Goal(within=300_000)},
        common=True,
    ),
    Input(
        "models",
        f"{COUNT} items as plain Pydantic models",
        lambda: [Item(**_item(number)) for number in range(COUNT)],
        {"tree": Goal(40)},
        model=TypeAdapter(list[Item]),
    ),
    Input(
        "models-derived",
        f"{COUNT} models with a serializer and a computed field",
        lambda: [Derived(**_item(number)) for number in range(COUNT)],
        {"tree": Goal(25)},
        model=TypeAdapter(list[Derived]),
    ),
    Input(
        "dataclasses",
        f"{COUNT} items as dataclasses",
        lambda: [Entry(**_item(number)) for number in range(COUNT)],
        {"tree": Goal(100)},
        common=True,
    ),
    Input(
        "mixed",
        f"{COUNT} dicts of UUID, datetime, Decimal, Enum and set",
        _mixed,
        {"tree": Goal(29)},
        common=True,
    ),
    Input(
        "include",
        "the items of `large` with `include` of two keys",
        lambda: _large()["items"],
        options={"include": {"id", "values"}},
    ),
    Input(
        "exclude",
        "the items of `large` with `exclude` of one key",
        lambda: _large()["items"],
        options={"exclude": {"meta"}},
    ),
    Input(
        "include-models",
        "the items of `models` with `include` of two fields",
        lambda: [Item(**_item(number)) for number in range(COUNT)],
        options={"include": {"id", "meta"}},
    ),
    Input(
        "exclude-none",
        f"{COUNT} dicts, half of their values None, with `exclude_none`",
        lambda: [_sparse(number) for number in range(COUNT)],
        options={"exclude_none": True},
    ),
    Input(
        "exclude-none-models",
        f"{COUNT} models, half of their fields None, with `exclude_none`",
        lambda: [Sparse(**_sparse(number)) for number in range(COUNT)],
        options={"exclude_none": True},
    ),
    Input(
        "custom-encoder",
        "the dicts of `mixed` with a `custom_encoder` for two of their types",
        _mixed,
        options={"custom_encoder": {datetime: datetime.isoformat, Decimal: str}},
    ),
)
BY_NAME = {one.name: one for one in INPUTS}
