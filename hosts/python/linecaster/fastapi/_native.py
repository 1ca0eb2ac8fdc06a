"""The native part."""

from linecaster._linecaster.fastapi import (
    adopt,
    adopt_extras,
    adopt_models,
    encode,
    jsonable_encoder,
    stamps,
)

__all__ = ["adopt", "adopt_extras", "adopt_models", "encode", "jsonable_encoder", "stamps"]
