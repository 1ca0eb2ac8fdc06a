"""The native part."""

from linecaster._linecaster.fastapi import adopt, adopt_models, encode, jsonable_encoder

__all__ = ["adopt", "adopt_models", "encode", "jsonable_encoder"]
