"""Pydantic models with Linecaster's options.

    from linecaster.integrations.pydantic import model_dump_json

    model_dump_json(user, exclude={"password"}, sort_keys=True)

`model_dump_json` gives what the method of that name gives, with options that it
has not: key order, separators, an indentation that is a string. Serializers,
aliases and everything else that a model says are Pydantic's own, since the
values come from `model_dump(mode="json")`; only the exponents of floats are
spelled as `json` does (`1e-07`). Without those options the method itself is
faster. Models inside of other values need nothing from here:
`linecaster.dumps({"users": [user]})`.
"""

from __future__ import annotations

from typing import Any, Literal

import pydantic

import linecaster

__all__ = ["model_dump_json", "model_encode_json"]


def model_dump_json(
    model: pydantic.BaseModel,
    *,
    indent: int | str | None = None,
    ensure_ascii: bool = False,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
    **dump: Any,
) -> str:
    """Encode a model as `str`.

    `dump` takes the keywords of `model_dump`: `include`, `exclude`, `by_alias`,
    `exclude_none` and so on.
    """
    return linecaster.dumps(
        _plain(model, dump),
        indent=indent,
        ensure_ascii=ensure_ascii,
        separators=separators,
        sort_keys=sort_keys,
        allow_nan=_non_finite(model),
        non_str_keys=True,
        surrogates="strict",
    )


def model_encode_json(
    model: pydantic.BaseModel,
    *,
    indent: int | str | None = None,
    ensure_ascii: bool = False,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
    **dump: Any,
) -> bytes:
    """Encode a model as UTF-8; otherwise as `model_dump_json`."""
    return linecaster.encode(
        _plain(model, dump),
        indent=indent,
        ensure_ascii=ensure_ascii,
        separators=separators,
        sort_keys=sort_keys,
        allow_nan=_non_finite(model),
        non_str_keys=True,
    )


def _plain(model: pydantic.BaseModel, dump: dict[str, Any]) -> Any:
    """Return the model as lists, dicts, strings and numbers."""
    if model.model_config.get("ser_json_inf_nan") == "strings":
        # Only the text has these strings.
        return linecaster.loads(model.model_dump_json(**dump))
    return model.model_dump(mode="json", **dump)


def _non_finite(model: pydantic.BaseModel) -> Literal["null", "keep"]:
    """What the model's configuration says about NaN and the infinities."""
    return "keep" if model.model_config.get("ser_json_inf_nan") == "constants" else "null"
