"""What the native walk has to know of Pydantic models.

`plan` says how the instances of a class can be read without Pydantic;
`short_dumps` makes shorter ways to what `model_dump` calls.
"""

from __future__ import annotations

import decimal
import inspect
import sys
import types
import uuid
from collections.abc import Callable
from typing import Any, Final

import pydantic
import pydantic_core
from pydantic_core import SchemaSerializer

# Shapes of values, as `hosts/python/src/fastapi/plan.rs` reads them. A number alone
# is a set of the types of atoms.
STR, INT, FLOAT, BOOL, NONE = 1, 2, 4, 8, 16
(
    ANY,
    NULLABLE,
    LIST,
    SET,
    FROZENSET,
    TUPLE,
    ROW,
    DICT,
    MODEL,
    LITERAL,
    ENUM,
    DATETIME,
    DATE,
    UUID,
    DECIMAL,
    TIME,
    DURATION,
    UNION,
) = range(18)

_ATOMS: Final = {"str": STR, "int": INT, "float": FLOAT, "bool": BOOL, "none": NONE}
_LEAVES: Final = {
    "any": ANY,
    "datetime": DATETIME,
    "date": DATE,
    "time": TIME,
    "timedelta": DURATION,
    "uuid": UUID,
    "decimal": DECIMAL,
}
_SEQUENCES: Final = {"list": LIST, "set": SET, "frozenset": FROZENSET}
# What stands around another schema and leaves serialization to it.
_TRANSPARENT: Final = {"default", "function-after", "function-before"}
# What a configuration may say without a change to what is written.
_CONFIG: Final = {
    "title",
    "str_to_lower",
    "str_to_upper",
    "str_strip_whitespace",
    "str_min_length",
    "str_max_length",
    "strict",
    "frozen",
    "extra_fields_behavior",
    "from_attributes",
    "loc_by_alias",
    "populate_by_name",
    "validate_by_alias",
    "validate_by_name",
    "validate_default",
    "validate_assignment",
    "revalidate_instances",
    "allow_inf_nan",
    "hide_input_in_errors",
    "validation_error_cause",
    "coerce_numbers_to_str",
    "regex_engine",
    "val_json_bytes",
    "cache_strings",
}
_FIELD: Final = {"type", "schema", "validation_alias", "serialization_alias", "frozen", "metadata"}
_MAX_MEMBERS: Final = 32


class _NotPlainError(Exception):
    """Pydantic has to write this one."""


class _Reader:
    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}
        self.indices: dict[type, int] = {}
        self.models: list[Any] = []

    def resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        """See through what leaves serialization to another schema."""
        while True:
            if "serialization" in schema:
                raise _NotPlainError
            kind = schema["type"]
            if kind == "definitions":
                for definition in schema["definitions"]:
                    self.definitions[definition["ref"]] = definition
                schema = schema["schema"]
            elif kind == "definition-ref":
                schema = self.definitions[schema["schema_ref"]]
            elif kind in _TRANSPARENT:
                schema = schema["schema"]
            else:
                return schema

    def shape(self, schema: dict[str, Any]) -> Any:
        schema = self.resolved(schema)
        kind = schema["type"]
        if kind in _ATOMS:
            return _ATOMS[kind]
        if kind in _LEAVES:
            return (_LEAVES[kind], *_exact(kind))
        if kind in _SEQUENCES:
            items = schema.get("items_schema")
            return (_SEQUENCES[kind], (ANY,) if items is None else self.shape(items))
        if kind == "nullable":
            inner = self.shape(schema["schema"])
            return inner | NONE if isinstance(inner, int) else (NULLABLE, inner)
        if kind in ("union", "tagged-union"):
            return self.union(schema)
        if kind == "tuple":
            shapes = tuple(self.shape(items) for items in schema["items_schema"])
            if "variadic_item_index" not in schema:
                return (ROW, shapes)
            if len(shapes) == 1:
                return (TUPLE, shapes[0])
        elif kind == "dict":
            keys, values = schema.get("keys_schema"), schema.get("values_schema")
            if keys is not None and self.shape(keys) == STR:
                return (DICT, (ANY,) if values is None else self.shape(values))
        elif kind == "literal":
            expected = schema["expected"]
            if all(type(value) is str for value in expected):
                return (LITERAL, frozenset(expected))
        elif kind == "enum":
            return _enum(schema)
        elif kind == "model":
            return (MODEL, self.model(schema))
        raise _NotPlainError

    def union(self, schema: dict[str, Any]) -> Any:
        """Read a union of atoms and models, whose exact types tell which one it is."""
        choices = schema["choices"]
        atoms, models = 0, []
        for choice in choices.values() if isinstance(choices, dict) else choices:
            shape = self.shape(choice[0] if isinstance(choice, tuple) else choice)
            if isinstance(shape, int):
                atoms |= shape
            elif shape[0] == MODEL:
                models.append(shape[1])
            else:
                raise _NotPlainError
        return (UNION, atoms, tuple(models)) if models else atoms

    def model(self, schema: dict[str, Any]) -> int:
        """Read a model, and return its place among those of the plan."""
        cls = schema["cls"]
        if cls in self.indices:
            return self.indices[cls]
        index = self.indices[cls] = len(self.models)
        self.models.append(None)
        config = schema.get("config", {})
        fields = self.resolved(schema["schema"])
        if (
            schema.get("root_model")
            or fields["type"] != "model-fields"
            or not set(config) <= _CONFIG
            or "allow" in (part.get("extra_behavior") for part in (schema, fields))
            or config.get("extra_fields_behavior") == "allow"
            or fields.get("computed_fields")
            or not _is_usual(cls)
        ):
            raise _NotPlainError
        members = []
        for name, field in fields["fields"].items():
            if field["type"] != "model-field" or not set(field) <= _FIELD:
                raise _NotPlainError
            alias = field.get("serialization_alias", name)
            if type(name) is not str or type(alias) is not str or name == "model_dump":
                raise _NotPlainError
            members.append((name, alias, self.shape(field["schema"])))
        if len({alias for _, alias, _ in members}) != len(members):
            raise _NotPlainError
        self.models[index] = (cls, tuple(members))
        return index


def _exact(kind: str) -> tuple[type, ...]:
    """Return the class that the values of a leaf have to be of."""
    if kind == "uuid":
        return (uuid.UUID,)
    if kind == "decimal":
        return (decimal.Decimal,)
    if kind == "datetime":
        return (getattr(pydantic_core, "TzInfo", type(None)),)
    return ()


def _enum(schema: dict[str, Any]) -> Any:
    members = schema["members"]
    values = tuple(member._value_ for member in members)
    if len(members) > _MAX_MEMBERS or not all(
        type(value) in (str, int, bool, type(None)) for value in values
    ):
        raise _NotPlainError
    if any(
        type(member) is not schema["cls"] or member.value is not value
        for member, value in zip(members, values, strict=True)
    ):
        raise _NotPlainError
    return (ENUM, tuple(members), values)


def _is_usual(cls: type) -> bool:
    """Whether the class keeps its instances' fields where `BaseModel` does."""
    own = pydantic.BaseModel
    return all(
        inspect.getattr_static(cls, name, None) is inspect.getattr_static(own, name, None)
        for name in ("__dict__", "__pydantic_fields_set__", "__getattribute__")
    )


def plan(cls: Any) -> Any:
    """Return how the instances of a model class are read, or `None` if Pydantic has to do it."""
    try:
        if type(cls.__pydantic_serializer__) is not SchemaSerializer:
            return None
        reader = _Reader()
        schema = reader.resolved(cls.__pydantic_core_schema__)
        if schema["type"] != "model" or schema["cls"] is not cls:
            return None
        reader.model(schema)
        return tuple(reader.models)
    except Exception:
        # Whatever is not as expected is left to Pydantic.
        return None


def short_dumps() -> tuple[Callable[[Any], Any] | None, ...]:
    """Return what does the same as `model_dump(mode="json", by_alias=True)`, and variants of it.

    In the place in which the bit 1 is set with `exclude_none=True`, 2 with
    `exclude_unset=True`, 4 with `by_alias=False`. They pass the arguments
    that are not the serializer's defaults anyway, from the line of Pydantic's
    source that does so, which warnings name.
    """
    try:
        return tuple(
            _short_dump({"exclude_none": none, "exclude_unset": unset, "by_alias": not by_name})
            for by_name in (False, True)
            for unset in (False, True)
            for none in (False, True)
        )
    except Exception:
        return (None,) * 8


def _short_dump(options: dict[str, Any]) -> Callable[[Any], Any] | None:
    passed: list[Any] = []

    def to_python(*args: Any, **kwargs: Any) -> None:
        passed.append((args, kwargs, sys._getframe(1)))

    serializer = types.SimpleNamespace(to_python=to_python)
    model: Any = types.SimpleNamespace(__pydantic_serializer__=serializer)
    given = {"mode": "json", "include": None, "exclude": None, "exclude_defaults": False, **options}
    original = pydantic.BaseModel.model_dump
    original(model, **given)
    [(args, kwargs, frame)] = passed
    if args != (model,) or frame.f_code is not original.__code__:
        return None
    defaults = inspect.signature(SchemaSerializer.to_python).parameters
    needed = {name: value for name, value in kwargs.items() if defaults[name].default is not value}
    written = ", ".join(f"{name}={value!r}" for name, value in needed.items())
    if not all(value is None or type(value) in (bool, str) for value in needed.values()):
        return None
    called = f"self.__pydantic_serializer__.to_python(self, {written})"
    source = f"{chr(10) * (frame.f_lineno - 1)}lambda self: {called}"
    made = eval(
        compile(source, original.__code__.co_filename, "eval", dont_inherit=True),
        original.__globals__,
    )
    assert isinstance(made, types.FunctionType)
    made.__name__ = made.__qualname__ = original.__name__
    return made
