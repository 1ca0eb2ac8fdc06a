//! The loops over the items of lists and tuples and the members of dicts.
//!
//! What is short and plain is written at once, with the place to write held
//! in registers ([`Hot`]); everything else takes [`Walk::leaf`], out of line.

use linecaster_formats::Emitter;
use linecaster_formats::json::{Behind, Hot, Inside};
use linecaster_kernel::output::Output;
use linecaster_kernel::policy::{NonAscii, Policy, Word};
use linecaster_kernel::text::{Ascii, Latin1, Ucs2, Ucs4};
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::door::{Door, LARGEST_EXACT};
use super::frame::Kind;
use super::options::Options;
use super::target::Form;
use super::walk::{Json, Leaf, Step, Walk};
use crate::ffi::dict;
use crate::ffi::dict_entries::Entries;
use crate::ffi::int::{self, Int};
use crate::ffi::owned::Owned;
use crate::ffi::str::{self, Chars};

impl Walk<'_> {
    /// The items of a list or tuple, as far as the next container. A list is
    /// looked at anew for every item, because callbacks may have changed it.
    #[inline(always)]
    pub unsafe fn sequence<O: Output, D: Door, const LIST: bool>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
    ) -> Step {
        let Some(frame) = self.stack.top() else {
            return Step::Leave;
        };
        let (object, mut pos) = (frame.object.as_ptr(), frame.pos);
        let takes = Takes::new::<O, D>(self.form, self.refuse_surrogates, self.options);
        // SAFETY: the frame owns the container; positions are below its size.
        // The emitter is not used between `hot` and `cool`.
        unsafe {
            let mut hot = emitter.hot();
            loop {
                let len = if LIST {
                    py::PyList_GET_SIZE(object)
                } else {
                    py::PyTuple_GET_SIZE(object)
                };
                if pos >= len {
                    let closed = hot.close(const { Word::new(b"]") });
                    emitter.cool(hot);
                    if !closed {
                        emitter.end_array();
                    }
                    return Step::Leave;
                }
                let item = if LIST {
                    py::PyList_GET_ITEM(object, pos)
                } else {
                    py::PyTuple_GET_ITEM(object, pos)
                };
                pos += 1;
                let found = hot_leaf(&mut hot, Behind::Item, item, takes);
                if found == Found::Written {
                    continue;
                }
                let step = match self.open(&mut hot, found, Behind::Item, item) {
                    Opened::Empty => continue,
                    Opened::Inside(kind, len) => {
                        let Some(inner) = try_flat(&mut hot, kind, item, takes) else {
                            continue;
                        };
                        emitter.cool(hot);
                        self.moved_to(pos);
                        self.push_at(kind, Owned::from_borrowed(item), len, inner)
                    }
                    Opened::No => {
                        emitter.cool(hot);
                        self.moved_to(pos);
                        self.general(emitter, item)
                    }
                };
                if step != Step::Next {
                    return step;
                }
                hot = emitter.hot();
            }
        }
    }

    /// Notes how far the walk is in the innermost array.
    #[inline(always)]
    fn moved_to(&mut self, pos: Py_ssize_t) {
        if let Some(frame) = self.stack.top() {
            frame.pos = pos;
        }
    }

    /// Enters a container of which the items before `pos` are written.
    #[inline(always)]
    unsafe fn push_at(
        &mut self,
        kind: Kind,
        object: Owned,
        len: Py_ssize_t,
        pos: Py_ssize_t,
    ) -> Step {
        let step = self.push(kind, object, len);
        if step == Step::Enter {
            self.moved_to(pos);
        }
        step
    }

    /// Opens an exact list or dict by the short way, if nothing is special.
    #[inline(always)]
    unsafe fn open<O: Output, D: Door>(
        &mut self,
        hot: &mut Hot<'_, O, D>,
        found: Found,
        behind: Behind,
        item: *mut PyObject,
    ) -> Opened {
        // SAFETY: the item is of the type that was found.
        let (kind, len, bracket, brackets) = unsafe {
            match found {
                Found::List => (
                    Kind::List,
                    py::PyList_GET_SIZE(item),
                    const { Word::new(b"[") },
                    const { Word::new(b"[]") },
                ),
                Found::Dict if !self.options.sort_keys => (
                    Kind::Dict,
                    dict::len(item),
                    const { Word::new(b"{") },
                    const { Word::new(b"{}") },
                ),
                _ => return Opened::No,
            }
        };
        if self.is_deep() {
            return Opened::No;
        }
        if len == 0 {
            return if hot.empty(behind, brackets) {
                Opened::Empty
            } else {
                Opened::No
            };
        }
        if hot.open(behind, bracket) {
            Opened::Inside(kind, len)
        } else {
            Opened::No
        }
    }

    /// The members of a dict, as far as the next container.
    #[inline(always)]
    pub unsafe fn dict<O: Output, D: Door>(&mut self, emitter: &mut Json<'_, O, D>) -> Step {
        let Some(frame) = self.stack.top() else {
            return Step::Leave;
        };
        let (object, mut pos, len) = (frame.object.as_ptr(), frame.pos, frame.len);
        let takes = Takes::new::<O, D>(self.form, self.refuse_surrogates, self.options);
        // SAFETY: the frame owns the dict, and its entries are looked up anew
        // when the code of a user may have run. The emitter is not used
        // between `hot` and `cool`.
        unsafe {
            if dict::len(object) != len {
                return self.dict_changed();
            }
            let mut entries = Entries::of(object);
            let mut hot = emitter.hot();
            loop {
                let Some([key, value]) = entries.next(&mut pos) else {
                    let closed = hot.close(const { Word::new(b"}") });
                    emitter.cool(hot);
                    if !closed {
                        emitter.end_object();
                    }
                    return Step::Leave;
                };
                let step = if hot_key(&mut hot, key) {
                    let found = hot_leaf(&mut hot, Behind::Key, value, takes);
                    if found == Found::Written {
                        continue;
                    }
                    let opened = self.open(&mut hot, found, Behind::Key, value);
                    if opened == Opened::Empty {
                        continue;
                    }
                    if let Opened::Inside(kind, len) = opened {
                        let Some(inner) = try_flat(&mut hot, kind, value, takes) else {
                            continue;
                        };
                        emitter.cool(hot);
                        let value = Owned::from_borrowed(value);
                        self.at(pos, Owned::from_borrowed(key));
                        return self.push_at(kind, value, len, inner);
                    }
                    emitter.cool(hot);
                    self.general_value(emitter, pos, key, value)
                } else {
                    emitter.cool(hot);
                    self.general_member(emitter, pos, key, value)
                };
                if step != Step::Next {
                    return step;
                }
                if dict::len(object) != len {
                    return self.dict_changed();
                }
                entries = Entries::of(object);
                hot = emitter.hot();
            }
        }
    }

    /// A value that is borrowed from its container.
    #[inline(never)]
    pub unsafe fn general<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        item: *mut PyObject,
    ) -> Step {
        // SAFETY: the item is alive now, and owned before the code of a user
        // can run.
        unsafe {
            let leaf = self.leaf(emitter, item);
            if leaf == Leaf::Written {
                return if self.is_full(emitter) {
                    Step::Pause
                } else {
                    Step::Next
                };
            }
            self.finish_value(emitter, leaf, Owned::from_borrowed(item))
        }
    }

    /// The value of a member of a dict, both borrowed from it; its key is
    /// written.
    #[inline(never)]
    pub unsafe fn general_value<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        pos: Py_ssize_t,
        key: *mut PyObject,
        value: *mut PyObject,
    ) -> Step {
        // SAFETY: both are alive now, and owned before the code of a user
        // can run.
        unsafe {
            let leaf = self.leaf(emitter, value);
            if leaf == Leaf::Written {
                if self.is_full(emitter) {
                    self.at(pos, Owned::from_borrowed(key));
                    return Step::Pause;
                }
                return Step::Next;
            }
            let (key, value) = (Owned::from_borrowed(key), Owned::from_borrowed(value));
            self.at(pos, key);
            self.finish_value(emitter, leaf, value)
        }
    }

    /// A member of a dict, its key and value borrowed from it.
    #[inline(never)]
    pub unsafe fn general_member<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        pos: Py_ssize_t,
        key: *mut PyObject,
        value: *mut PyObject,
    ) -> Step {
        // SAFETY: both are alive now.
        unsafe {
            if py::PyUnicode_CheckExact(key) != 0 {
                let leaf = self.string::<O, D, true>(emitter, key);
                if leaf == Leaf::Written {
                    return self.general_value(emitter, pos, key, value);
                }
            }
            let (key, value) = (Owned::from_borrowed(key), Owned::from_borrowed(value));
            self.at(pos, Owned::from_borrowed(key.as_ptr()));
            self.member(emitter, key, value)
        }
    }
}

/// What [`hot_leaf`] found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// A value that is written now.
    Written,
    /// An exact list.
    List,
    /// An exact dict.
    Dict,
    /// Something for the general way.
    Other,
}

/// What became of a container.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opened {
    /// It is open: a frame of this kind and length follows.
    Inside(Kind, Py_ssize_t),
    /// It was empty and is written.
    Empty,
    /// It needs the general way.
    No,
}

/// Where [`flat`] has got to.
#[derive(Clone, Copy)]
struct Flat {
    /// Behind what is written.
    tail: *mut u8,
    /// The position of the first item that is not, or -1 when the container is
    /// closed.
    left: Py_ssize_t,
}

/// Writes the items of a container that was just opened, as long as they are
/// short and plain values. Most containers hold nothing else, such as a point
/// or a record, and need no frame.
#[inline(never)]
unsafe fn flat<O: Output, D: Door, const LIST: bool>(
    inside: Inside<'_>,
    object: *mut PyObject,
    takes: Takes,
) -> Flat {
    let mut hot = inside.hot::<O, D>();
    // SAFETY: the container is alive, and of that kind; no code of a user
    // runs meanwhile.
    let (left, bracket) = unsafe {
        if LIST {
            let left = flat_list(&mut hot, object, takes);
            (left, const { Word::new(b"]") })
        } else {
            let left = flat_dict(&mut hot, object, takes);
            (left, const { Word::new(b"}") })
        }
    };
    let left = match left {
        Ok(_) if hot.close(bracket) => -1,
        Ok(left) | Err(left) => left,
    };
    Flat {
        tail: hot.tail(),
        left,
    }
}

/// Writes what [`flat`] can of a container that was just opened.
#[inline(always)]
unsafe fn try_flat<O: Output, D: Door>(
    hot: &mut Hot<'_, O, D>,
    kind: Kind,
    object: *mut PyObject,
    takes: Takes,
) -> Option<Py_ssize_t> {
    // SAFETY: as for [`flat`].
    unsafe {
        let Flat { tail, left } = if kind == Kind::List {
            flat::<O, D, true>(hot.inside(), object, takes)
        } else {
            flat::<O, D, false>(hot.inside(), object, takes)
        };
        hot.rejoin(tail, left < 0, left > 0);
        (left >= 0).then_some(left)
    }
}

/// The position behind the last item, or that of one that is not written.
#[inline(always)]
unsafe fn flat_list<O: Output, D: Door>(
    hot: &mut Hot<'_, O, D>,
    object: *mut PyObject,
    takes: Takes,
) -> Result<Py_ssize_t, Py_ssize_t> {
    // SAFETY: as for [`flat`].
    unsafe {
        let len = py::PyList_GET_SIZE(object);
        for pos in 0..len {
            let item = py::PyList_GET_ITEM(object, pos);
            if hot_leaf(hot, Behind::Item, item, takes) != Found::Written {
                return Err(pos);
            }
        }
        Ok(len)
    }
}

/// As [`flat_list`], for a dict; a key whose value is not written is taken
/// back.
#[inline(always)]
unsafe fn flat_dict<O: Output, D: Door>(
    hot: &mut Hot<'_, O, D>,
    object: *mut PyObject,
    takes: Takes,
) -> Result<Py_ssize_t, Py_ssize_t> {
    // SAFETY: as for [`flat`].
    unsafe {
        let entries = Entries::of(object);
        let mut pos = 0;
        loop {
            let (before, start) = (*hot, pos);
            let Some([key, value]) = entries.next(&mut pos) else {
                return Ok(pos);
            };
            let written =
                hot_key(hot, key) && hot_leaf(hot, Behind::Key, value, takes) == Found::Written;
            if !written {
                *hot = before;
                return Err(start);
            }
        }
    }
}

/// Writes a value if it is of an exact built-in type, short and plain.
#[inline(always)]
unsafe fn hot_leaf<O: Output, D: Door>(
    hot: &mut Hot<'_, O, D>,
    behind: Behind,
    item: *mut PyObject,
    takes: Takes,
) -> Found {
    // SAFETY: the item is alive, and is of the type that is found.
    let written = unsafe {
        let class = py::Py_TYPE(item);
        if class == &raw mut py::PyUnicode_Type {
            hot_text(hot, behind, item, takes)
        } else if class == &raw mut py::PyLong_Type {
            match int::value(item) {
                Int::Signed(value) => {
                    let wide =
                        D::NARROW_INTS && takes.narrow_ints && value.unsigned_abs() > LARGEST_EXACT;
                    !wide && hot.int(behind, value)
                }
                _ => false,
            }
        } else if class == &raw mut py::PyDict_Type {
            return Found::Dict;
        } else if class == &raw mut py::PyList_Type {
            return Found::List;
        } else if class == &raw mut py::PyBool_Type {
            hot.bool(behind, item == py::Py_True())
        } else if item == py::Py_None() {
            hot.null(behind)
        } else if class == &raw mut py::PyFloat_Type {
            let value = py::PyFloat_AS_DOUBLE(item);
            value.is_finite() && hot.float(behind, value)
        } else {
            false
        }
    };
    if written {
        Found::Written
    } else {
        Found::Other
    }
}

/// Which representations of strings the output takes as they are, lone
/// surrogates and all; and which integers.
#[allow(clippy::struct_excessive_bools, reason = "each is looked at by itself")]
#[derive(Clone, Copy)]
pub struct Takes {
    latin1: bool,
    ucs2: bool,
    ucs4: bool,
    /// Integers only as far as an `f64` holds them.
    narrow_ints: bool,
}

impl Takes {
    /// What output of this kind takes while it has this form.
    pub fn new<O: Output, D: Door>(
        form: Form,
        refuse_surrogates: bool,
        options: &Options,
    ) -> Takes {
        let all = O::UTF8 || !matches!(D::Policy::RULES.non_ascii, NonAscii::Keep);
        Takes {
            latin1: all || form >= Form::Latin1,
            ucs2: (all || form >= Form::Ucs2) && !refuse_surrogates,
            ucs4: (all || form >= Form::Ucs4) && !refuse_surrogates,
            narrow_ints: D::NARROW_INTS && D::narrow_ints(options),
        }
    }
}

/// Writes a string, if the output takes it and has plenty of room.
#[inline(always)]
unsafe fn hot_text<O: Output, D: Door>(
    hot: &mut Hot<'_, O, D>,
    behind: Behind,
    item: *mut PyObject,
    takes: Takes,
) -> bool {
    // SAFETY: the item is a `str`, alive.
    match unsafe { str::compact(item) } {
        Some(Chars::Ascii(text)) => {
            hot.string::<Ascii>(behind, text) || hot.long_string::<Ascii>(behind, text)
        }
        Some(Chars::Latin1(text)) if takes.latin1 => {
            !O::UTF8 && hot.string::<Latin1>(behind, text)
                || hot.long_string::<Latin1>(behind, text)
        }
        Some(Chars::Ucs2(text)) if takes.ucs2 => {
            !O::UTF8 && hot.string::<Ucs2>(behind, text) || hot.long_string::<Ucs2>(behind, text)
        }
        Some(Chars::Ucs4(text)) if takes.ucs4 => hot.long_string::<Ucs4>(behind, text),
        _ => false,
    }
}

/// Writes a key if it is short and plain.
#[inline(always)]
unsafe fn hot_key<O: Output, D: Door>(hot: &mut Hot<'_, O, D>, key: *mut PyObject) -> bool {
    // SAFETY: the key is alive.
    unsafe {
        py::Py_TYPE(key) == &raw mut py::PyUnicode_Type
            && str::ascii(key).is_some_and(|text| hot.key::<Ascii>(text))
    }
}
