//! Values that are written as a whole or not at all: models ([`model`]) and
//! instances of dataclasses ([`instance`]).
//!
//! Such a value goes straight into the output, without a tree. Whether all in
//! it is as expected shows only at its end, so that what is written of it may
//! be taken back: the value then takes the general way, as if nothing had been.
//! No code of a user runs meanwhile, and nothing is made that the garbage
//! collector looks at, so containers are read where they lie.
//!
//! There are two ways in. From inside of the inner loop a value is written into
//! the room that there is ([`aside`]); what is taken back was never counted.
//! Where it does not fit, or is met elsewhere, [`grown`] makes room as it goes.

mod instance;
mod model;

use linecaster_formats::Emitter;
use linecaster_formats::json::{After, Quick};
use linecaster_kernel::output::Output;
use linecaster_kernel::policy::Word;
use linecaster_kernel::text::{Ascii, Latin1, Ucs2, Ucs4};
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::dataclass::names_of;
use super::kinds::Kind;
use super::model::LEVELS;
use super::plan::{self, Models};
use super::rules::{self, Call, Response};
use crate::encode::aside::Aside;
use crate::encode::error::Failure;
use crate::encode::plain::{Found, Takes, quick_leaf, quick_text};
use crate::encode::walk::{Json, Step, Walk};
use crate::ffi::int::{self, Int};
use crate::ffi::str::{self, Chars};

/// Writes values; `None` from any of its methods means that all has to be
/// taken back.
pub struct Writer<'a, 'e, O> {
    call: &'a Call<'a>,
    quick: Quick<O, Response>,
    takes: Takes,
    /// Where room comes from, if there is more.
    emitter: Option<&'a mut Json<'e, O, Response>>,
}

/// Writes a value of a kind that is told, if it fits into the room.
///
/// # Safety
/// As for [`crate::encode::door::Door::aside`]; the value is of the kind.
#[inline(never)]
pub unsafe fn aside<O: Output>(
    call: &Call<'_>,
    quick: Quick<O, Response>,
    item: *mut PyObject,
    kind: Kind,
    takes: Takes,
) -> Aside {
    // SAFETY: as the caller says.
    unsafe {
        let mut writer = Writer {
            call,
            quick,
            takes,
            emitter: None,
        };
        let written = match kind {
            Kind::Model => match plan::noted(py::Py_TYPE(item)) {
                Some(known) => writer.root(&known, item, LEVELS),
                None => None,
            },
            Kind::Dataclass => writer.instance(item, LEVELS),
            _ => None,
        };
        if written.is_none() {
            py::PyErr_Clear();
            return Aside::General;
        }
        Aside::Written(writer.quick.tail())
    }
}

/// Writes a value of a kind that is told, whatever its size; `None`, as if
/// nothing had been, if it has to take the general way.
///
/// # Safety
/// The GIL is held, the caller owns the value, which is of the kind, and the
/// walk is by the rules of `encode`.
#[inline(never)]
pub unsafe fn grown<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Response>,
    item: *mut PyObject,
    kind: Kind,
) -> Option<Step> {
    // SAFETY: as the caller says.
    unsafe {
        let call = Call::of(walk.options);
        let levels = rules::DEPTH.saturating_sub(walk.stack.depth()).min(LEVELS);
        let known = if kind == Kind::Model {
            let found = plan::known(Models::get()?, py::Py_TYPE(item));
            let Ok(found) = found else {
                return Some(walk.fail(Failure::Raised));
            };
            Some(found)
        } else {
            // Code of a user may run to tell its class: only now.
            if names_of(item).is_none() {
                py::PyErr_Clear();
                return None;
            }
            None
        };
        let mark = emitter.mark();
        if !emitter.make_room() {
            return Some(walk.fail(Failure::Raised));
        }
        let (quick, _) = emitter.quick()?;
        let takes = Takes::new::<O, Response>(walk.form, walk.refuse_surrogates, walk.options);

        let mut writer = Writer {
            call,
            quick,
            takes,
            emitter: Some(&mut *emitter),
        };
        let written = match known {
            Some(known) => writer.root(&known, item, levels),
            None => writer.instance(item, levels),
        };
        let quick = writer.quick;
        if written.is_none() {
            if emitter.failed() {
                return Some(walk.fail(Failure::Raised));
            }
            py::PyErr_Clear();
            emitter.rewind(mark);
            return None;
        }
        emitter.resume(quick, After::Item, 0);
        Some(Step::Next)
    }
}

/// Writes a short value of a kind that is noted; `None`, as if nothing had
/// been, if it has to take the general way.
///
/// # Safety
/// As for [`grown`].
#[inline(never)]
pub unsafe fn short<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Response>,
    item: *mut PyObject,
) -> Option<Step> {
    // SAFETY: as the caller says; there is room for a number, and a text asks
    // for its own.
    unsafe {
        let mark = emitter.mark();
        if !emitter.make_room() {
            return Some(walk.fail(Failure::Raised));
        }
        let (mut quick, _) = emitter.quick()?;
        let takes = Takes::new::<O, Response>(walk.form, walk.refuse_surrogates, walk.options);
        let Aside::Written(tail) = rules::aside(walk.options, quick, item, takes) else {
            emitter.rewind(mark);
            return None;
        };
        quick.advance_to(tail);
        emitter.resume(quick, After::Item, 0);
        Some(Step::Next)
    }
}

impl<O: Output> Writer<'_, '_, O> {
    /// Sees to it that there is room for a key and a short value, or for
    /// brackets.
    #[inline(always)]
    unsafe fn room(&mut self) -> Option<()> {
        if self.quick.has_room() {
            return Some(());
        }
        // SAFETY: something was written before.
        unsafe { self.more() }
    }

    #[cold]
    #[inline(never)]
    unsafe fn more(&mut self) -> Option<()> {
        // SAFETY: the quick is the emitter's, and stands behind a token.
        unsafe {
            let after = self.after();
            let emitter = self.emitter.as_mut()?;
            emitter.resume(self.quick, after, 0);
            self.take_again()
        }
    }

    /// What was written last. (The output is in units of a byte, and its
    /// separators are one each.)
    unsafe fn after(&self) -> After {
        const { assert!(O::UTF8) };
        // SAFETY: something was.
        match unsafe { *self.quick.tail().sub(1) } {
            b'[' | b'{' => After::Open,
            b':' => After::Key,
            _ => After::Item,
        }
    }

    unsafe fn take_again(&mut self) -> Option<()> {
        let emitter = self.emitter.as_mut()?;
        if !emitter.make_room() {
            return None;
        }
        // SAFETY: the emitter is not used until the quick is given back.
        (self.quick, _) = unsafe { emitter.quick()? };
        Some(())
    }

    /// Writes a value of an exact built-in type that is no container, unless
    /// it is one that JSON does not have.
    #[inline(always)]
    unsafe fn leaf(&mut self, op: *mut PyObject) -> Option<()> {
        // SAFETY: the value is alive, and there is room.
        unsafe {
            self.room()?;
            match quick_leaf::<O, Response, false, false>(&mut self.quick, op, self.takes) {
                Found::Written => Some(()),
                Found::Other => self.long_leaf(op),
                _ => None,
            }
        }
    }

    #[cold]
    #[inline(never)]
    unsafe fn long_leaf(&mut self, op: *mut PyObject) -> Option<()> {
        // SAFETY: the value is alive, and of the class that is found.
        unsafe {
            if py::PyUnicode_CheckExact(op) != 0 {
                return self.long(op);
            }
            if py::PyLong_CheckExact(op) != 0
                && let Int::Unsigned(value) = int::value(op)
            {
                self.quick.uint(value);
                return Some(());
            }
            None
        }
    }

    /// Writes a `str` that there is no room for.
    #[cold]
    #[inline(never)]
    unsafe fn long(&mut self, op: *mut PyObject) -> Option<()> {
        // SAFETY: the string is alive, and no code of a user runs.
        unsafe {
            let after = self.after();
            let emitter = self.emitter.as_mut()?;
            emitter.resume(self.quick, after, 0);
            let written = match str::chars(op)? {
                Chars::Ascii(text) => emitter.string::<Ascii>(text),
                Chars::Latin1(text) => emitter.string::<Latin1>(text),
                Chars::Ucs2(text) => emitter.string::<Ucs2>(text),
                Chars::Ucs4(text) => emitter.string::<Ucs4>(text),
            };
            written.ok()?;
            self.take_again()
        }
    }

    /// Writes a key, an exact `str`.
    #[inline(always)]
    unsafe fn key(&mut self, op: *mut PyObject) -> Option<()> {
        // SAFETY: the key is alive, and there is room.
        unsafe {
            self.room()?;
            let quick = &mut self.quick;
            if quick_text::<O, Response, false, false>(quick, true, op, self.takes) {
                return Some(());
            }
            self.long_key(op)
        }
    }

    #[cold]
    #[inline(never)]
    unsafe fn long_key(&mut self, op: *mut PyObject) -> Option<()> {
        // SAFETY: the string is alive, and no code of a user runs.
        unsafe {
            let after = self.after();
            let emitter = self.emitter.as_mut()?;
            emitter.resume(self.quick, after, 0);
            let written = match str::chars(op)? {
                Chars::Ascii(text) => emitter.key::<Ascii>(text),
                Chars::Latin1(text) => emitter.key::<Latin1>(text),
                Chars::Ucs2(text) => emitter.key::<Ucs2>(text),
                Chars::Ucs4(text) => emitter.key::<Ucs4>(text),
            };
            written.ok()?;
            self.take_again()
        }
    }

    /// Writes what `write` makes a value of, into the room.
    #[inline(always)]
    unsafe fn with(&mut self, write: impl Fn(Quick<O, Response>) -> Aside) -> Option<()> {
        // SAFETY: there is room for a number; a text asks for its own.
        unsafe {
            self.room()?;
            let mut made = write(self.quick);
            if let Aside::General = made
                && self.emitter.is_some()
            {
                // Perhaps the room was not enough for it.
                self.more()?;
                made = write(self.quick);
            }
            let Aside::Written(tail) = made else {
                return None;
            };
            self.quick.advance_to(tail);
            Some(())
        }
    }

    #[inline(always)]
    unsafe fn open(&mut self, bracket: u8) -> Option<()> {
        // SAFETY: there is room.
        unsafe {
            self.room()?;
            self.quick.open(bracket);
        }
        Some(())
    }

    /// Closes an object, or an array.
    #[inline(always)]
    unsafe fn close(&mut self, bracket: u8) -> Option<()> {
        // SAFETY: there is room. Behind the opening bracket an item was
        // written, or nothing, and then it is written again.
        unsafe {
            self.room()?;
            if let After::Open = self.after() {
                let open = self.quick.tail().sub(1);
                self.quick.advance_to(open);
                self.quick.empty(match bracket {
                    b'}' => const { Word::new(b"{}") },
                    _ => const { Word::new(b"[]") },
                });
            } else {
                self.quick.close(bracket);
            }
        }
        Some(())
    }
}
