"""FastAPI's `jsonable_encoder`, and the bytes of its responses, from the native walk.

    from linecaster.fastapi import install

    install()  # every route; install(app): those of one app

`jsonable_encoder` returns and raises what `fastapi.encoders.jsonable_encoder`
of the installed FastAPI does; `encode` does what
`JSONResponse(jsonable_encoder(...)).body` does. `JSONResponse` is a response
class that takes all that `jsonable_encoder` takes, in plain Starlette, too.

Beyond FastAPI, and off unless it is asked for by name: `numpy=True` takes arrays
and scalars of numpy, `deep=True` lets `include` and `exclude` hold at every level
of dicts, lists and tuples, `rows=True` makes objects of SQLAlchemy's rows, and
`relationships=True` adds relationships that are loaded to mapped objects.
"""

from __future__ import annotations

from typing import Any

import pydantic
from fastapi import encoders

from . import _extras, _models
from ._install import install, uninstall
from ._native import adopt, adopt_extras, adopt_models, encode, jsonable_encoder
from ._response import JSONResponse

__all__ = ["JSONResponse", "encode", "install", "jsonable_encoder", "uninstall"]


def _members(obj: Any) -> Any:
    """Return what stands for an object that no encoder is for."""
    try:
        return dict(obj)
    except Exception as error:
        errors = [error]
        try:
            return vars(obj)
        except Exception as error:
            errors.append(error)
            raise ValueError(errors) from error


def _pair(item: Any) -> tuple[Any, Any]:
    """Unpack an item of a dict's items."""
    key, value = item
    return key, value


def _defaults_in_dicts() -> bool:
    """Whether FastAPI's encoder leaves out defaults below dicts, too."""
    probe = pydantic.create_model("Probe", default=(int, 0))
    return bool(encoders.jsonable_encoder({"": probe()}, exclude_defaults=True) == {"": {}})


adopt_extras(_extras.plain, _extras.dump, _extras.related)
adopt(encoders, _members, _pair, _defaults_in_dicts())
adopt_models(_models.plan, pydantic.BaseModel.model_dump, _models.short_dumps())
