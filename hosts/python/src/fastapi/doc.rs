//! Docstrings, each headed by the text signature that `inspect` reads.

use core::ffi::CStr;

pub const JSONABLE_ENCODER: &CStr = c"jsonable_encoder($module, obj, include=None, exclude=None, by_alias=True, exclude_unset=False, exclude_defaults=False, exclude_none=False, custom_encoder=None, sqlalchemy_safe=True)
--

Convert any object to what can be encoded in JSON.

The result, and every error, is that of fastapi.encoders.jsonable_encoder.";

pub const ENCODE: &CStr = c"encode($module, obj, include=None, exclude=None, by_alias=True, exclude_unset=False, exclude_defaults=False, exclude_none=False, custom_encoder=None, sqlalchemy_safe=True)
--

Encode any object as the bytes of a response.

They, and every error, are those of JSONResponse(jsonable_encoder(...)).body.";

pub const ADOPT: &CStr = c"adopt($module, encoders, members, pair, defaults_in_dicts, /)
--

Take the parts of fastapi.encoders.";

pub const ADOPT_MODELS: &CStr = c"adopt_models($module, plan, model_dump, short, short_none, /)
--

Take what is known of Pydantic's models.";
