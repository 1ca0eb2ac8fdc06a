//! Docstrings, each headed by the text signature that `inspect` reads.

use core::ffi::CStr;

pub const JSONABLE_ENCODER: &CStr = c"jsonable_encoder($module, obj, include=None, exclude=None, by_alias=True, exclude_unset=False, exclude_defaults=False, exclude_none=False, custom_encoder=None, sqlalchemy_safe=True, *, numpy=False, deep=False, rows=False, relationships=False)
--

Convert any object to what can be encoded in JSON.

The result, and every error, is that of fastapi.encoders.jsonable_encoder, as
long as none of the last four is asked for: numpy takes arrays and scalars of
numpy; deep lets include and exclude hold at every level of dicts, lists and
tuples, as in Pydantic; rows makes objects of SQLAlchemy's rows; relationships
adds those that are loaded to mapped objects.";

pub const ENCODE: &CStr = c"encode($module, obj, include=None, exclude=None, by_alias=True, exclude_unset=False, exclude_defaults=False, exclude_none=False, custom_encoder=None, sqlalchemy_safe=True, *, numpy=False, deep=False, rows=False, relationships=False)
--

Encode any object as the bytes of a response.

They, and every error, are those of JSONResponse(jsonable_encoder(...)).body.";

pub const ADOPT: &CStr = c"adopt($module, encoders, members, pair, defaults_in_dicts, /)
--

Take the parts of fastapi.encoders.";

pub const ADOPT_MODELS: &CStr = c"adopt_models($module, plan, model_dump, shorts, /)
--

Take what is known of Pydantic's models.";

pub const ADOPT_EXTRAS: &CStr = c"adopt_extras($module, plain, dump, related, /)
--

Take what the extras call.";

pub const STAMPS: &CStr = c"stamps($module, array, /)
--

Return lists of the texts of an array of datetime64.";
