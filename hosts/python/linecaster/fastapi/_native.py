"""The native part."""

from linecaster._linecaster.fastapi import adopt, encode, jsonable_encoder

__all__ = ["adopt", "encode", "jsonable_encoder"]
