//! Docstrings. Their first lines are signatures, as `inspect` reads them.

use core::ffi::CStr;

/// The docstring of `dumps`.
pub const DUMPS: &CStr = c"dumps($module, obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, cls=None, indent=None, separators=None, default=None, sort_keys=False, **kw)
--

Make JSON text of a Python object.

skipkeys: leave members out whose key is no str, int, float, bool or None.
ensure_ascii: write everything beyond ASCII as \\uXXXX.
check_circular: tell a circular reference from deep nesting.
allow_nan: write NaN and the infinities; otherwise raise ValueError.
cls: a class of encoders to use in place of JSONEncoder.
indent: spaces, or the text, for each level of nesting; each item has a line
    of its own then.
separators: what stands between items and behind keys; (', ', ': ') by
    default, and (',', ': ') with indent.
default: called with what is not serializable; what it returns is written.
sort_keys: sort members by their keys.";

/// The docstring of `dump`.
pub const DUMP: &CStr = c"dump($module, obj, fp, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, cls=None, indent=None, separators=None, default=None, sort_keys=False, **kw)
--

Write a Python object as JSON text to a file, by fp.write().

skipkeys: leave members out whose key is no str, int, float, bool or None.
ensure_ascii: write everything beyond ASCII as \\uXXXX.
check_circular: tell a circular reference from deep nesting.
allow_nan: write NaN and the infinities; otherwise raise ValueError.
cls: a class of encoders to use in place of JSONEncoder.
indent: spaces, or the text, for each level of nesting; each item has a line
    of its own then.
separators: what stands between items and behind keys; (', ', ': ') by
    default, and (',', ': ') with indent.
default: called with what is not serializable; what it returns is written.
sort_keys: sort members by their keys.";

/// The docstring of `loads`.
#[cfg(not(Py_3_15))]
pub const LOADS: &CStr = c"loads($module, s, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, object_pairs_hook=None, **kw)
--

Make Python objects of a JSON document: a str, or bytes or a bytearray in
UTF-8, UTF-16 or UTF-32.

cls: a class of decoders to use in place of JSONDecoder.
object_hook: called with each dict; its result takes the dict's place.
object_pairs_hook: as object_hook, but called with a list of (key, value)
    pairs; goes before it.
parse_float, parse_int: called with the text of each float, each int.
parse_constant: called with 'NaN', 'Infinity' or '-Infinity'.";

/// The docstring of `loads`.
#[cfg(Py_3_15)]
pub const LOADS: &CStr = c"loads($module, s, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, object_pairs_hook=None, array_hook=None, **kw)
--

Make Python objects of a JSON document: a str, or bytes or a bytearray in
UTF-8, UTF-16 or UTF-32.

cls: a class of decoders to use in place of JSONDecoder.
object_hook: called with each dict; its result takes the dict's place.
object_pairs_hook: as object_hook, but called with a list of (key, value)
    pairs; goes before it.
parse_float, parse_int: called with the text of each float, each int.
parse_constant: called with 'NaN', 'Infinity' or '-Infinity'.
array_hook: called with each list; its result takes the list's place.";

/// The docstring of `load`.
#[cfg(not(Py_3_15))]
pub const LOAD: &CStr = c"load($module, fp, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, object_pairs_hook=None, **kw)
--

Make Python objects of the JSON document that fp.read() returns.

cls: a class of decoders to use in place of JSONDecoder.
object_hook: called with each dict; its result takes the dict's place.
object_pairs_hook: as object_hook, but called with a list of (key, value)
    pairs; goes before it.
parse_float, parse_int: called with the text of each float, each int.
parse_constant: called with 'NaN', 'Infinity' or '-Infinity'.";

/// The docstring of `load`.
#[cfg(Py_3_15)]
pub const LOAD: &CStr = c"load($module, fp, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, object_pairs_hook=None, array_hook=None, **kw)
--

Make Python objects of the JSON document that fp.read() returns.

cls: a class of decoders to use in place of JSONDecoder.
object_hook: called with each dict; its result takes the dict's place.
object_pairs_hook: as object_hook, but called with a list of (key, value)
    pairs; goes before it.
parse_float, parse_int: called with the text of each float, each int.
parse_constant: called with 'NaN', 'Infinity' or '-Infinity'.
array_hook: called with each list; its result takes the list's place.";

/// The docstring of `JSONEncoder.encode`.
pub const ENCODE: &CStr = c"encode($self, o)
--

The JSON text of a Python object.";

/// The docstring of `JSONEncoder.iterencode`.
pub const ITERENCODE: &CStr = c"iterencode($self, o, _one_shot=False)
--

An iterator over the JSON text of a Python object, in chunks.";

/// The docstring of `JSONDecoder.decode`.
pub const DECODE: &CStr = c"decode($self, s, _w=None)
--

The Python objects of the document that s is.";

/// The docstring of `JSONDecoder.raw_decode`.
pub const RAW_DECODE: &CStr = c"raw_decode($self, s, idx=0)
--

The Python objects of the value that begins at idx in s, and the index behind
it.";
