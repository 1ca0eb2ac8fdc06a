//! The walk over a tree of Python objects.
//!
//! One loop per container, an explicit stack between them. The exact built-in
//! types are told apart by comparing type pointers, in the inlined
//! [`Walk::leaf`]; everything else takes [`super::other`].
//!
//! Who keeps what alive: a frame owns its container (a root without one has its
//! owner in [`super::root`]). An item is borrowed from
//! its container while nothing but our own code runs, and owned ([`Owned`])
//! before any code that a user may have written can run.
//!
//! The walk is compiled once per output encoding and dialect. A `str` result
//! that needs wider units than it has ends the loop with [`Flow::Widen`]; the
//! caller widens what is written and runs the loop of the wider encoding,
//! which goes on where the other one stood. In the same way it ends with
//! [`Flow::Pause`] when a chunk of a stream is full.

use linecaster_formats::Emitter;
use linecaster_formats::json::{JsonEmitter, Layout, State};
use linecaster_kernel::escape::LoneSurrogate;
use linecaster_kernel::output::Output;
use linecaster_kernel::policy::{NonAscii, Policy};
use linecaster_kernel::sink::Sink;
use linecaster_kernel::text::{Ascii, Latin1, Ucs2, Ucs4};
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::door::{Door, LARGEST_EXACT};
use super::error::Failure;
use super::frame::{Kind, Stack};
use super::options::Options;
use super::target::Form;
use crate::ffi::dict;
use crate::ffi::int::{self, Int};
use crate::ffi::owned::Owned;
use crate::ffi::str::{self, Chars};

/// The state of a call.
pub struct Walk<'a> {
    pub options: &'a Options,
    pub layout: &'a Layout<'a>,
    /// What the present output takes; only for `str` results.
    pub form: Form,
    /// Lone surrogates are an error although the output could hold them.
    pub refuse_surrogates: bool,
    pub stack: Stack,
    /// A container that is written without a frame; null if there is none.
    pub frameless: *mut PyObject,
    /// How many bytes of output make the walk pause.
    pub pause_at: usize,
    /// The deepest nesting.
    pub max_depth: usize,
    /// Code that the user gave has run, so that the walk cannot be repeated:
    /// for doors that ask.
    pub called: bool,
    /// From this depth on, entering a container takes a closer look.
    watched_depth: usize,
    state: State,
    /// What to write first: the root, or what did not fit before.
    pending: Option<Pending>,
    /// How the loop ends.
    outcome: Flow,
    /// Text of the door's own.
    pub foreign: Foreign,
}

/// What became of text that does not come from the emitter.
pub enum Foreign {
    /// There is none.
    Absent,
    /// It waits for the wider output that was asked for.
    Waiting(Owned),
    /// The output holds some that is not of its kind, so that the door makes
    /// the result.
    Written,
}

/// The depth up to which nesting is not watched for cycles.
const UNWATCHED: usize = 1024;

/// A value, with its key if that is not written yet.
pub struct Pending {
    pub key: Option<Owned>,
    pub value: Owned,
}

/// How a run of the loop ended.
pub enum Flow {
    /// All is written.
    Done,
    /// Go on with output of this form.
    Widen(Form),
    /// Go on once the output is taken away.
    Pause,
    /// It cannot be encoded.
    Fail(Failure),
}

/// What became of a value. Small on purpose: it is made once per value, and
/// what goes wrong lies in the walk itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// It is written.
    Written,
    /// It is a container of this kind.
    Container(Kind),
    /// It is of none of the exact built-in types.
    Other,
    /// It is a string that the output does not take.
    Widen(Form),
    /// It cannot be encoded: see [`Walk::fail`].
    Fail,
}

/// What the loop does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Go on with the same container.
    Next,
    /// Another container was entered.
    Enter,
    /// The innermost container is at its end.
    Leave,
    /// End the loop: its outcome is noted.
    End,
}

/// Our emitter.
pub type Json<'e, O, D> = JsonEmitter<'e, O, D>;

impl<'a> Walk<'a> {
    /// A walk that begins at `root`.
    ///
    /// # Safety
    /// `root` is alive, and the GIL is held.
    #[inline(always)]
    pub unsafe fn new(
        options: &'a Options,
        layout: &'a Layout<'a>,
        form: Form,
        refuse_surrogates: bool,
        root: *mut PyObject,
    ) -> Walk<'a> {
        // SAFETY: as the caller says.
        let value = unsafe { Owned::from_borrowed(root) };
        Walk {
            options,
            layout,
            form,
            refuse_surrogates,
            stack: Stack::new(),
            frameless: core::ptr::null_mut(),
            pause_at: usize::MAX,
            max_depth: options.max_depth,
            called: false,
            watched_depth: options.max_depth.min(UNWATCHED),
            state: State::START,
            pending: Some(Pending { key: None, value }),
            outcome: Flow::Done,
            foreign: Foreign::Absent,
        }
    }

    /// Writes until the end, or until another output encoding is needed.
    ///
    /// # Safety
    /// The GIL is held, and `sink` takes output of encoding `O`.
    pub unsafe fn run<O: Output, D: Door>(&mut self, sink: &mut Sink) -> Flow {
        // SAFETY: as the caller says.
        unsafe { self.run_here::<O, D>(sink) }
    }

    /// [`Walk::run`] inside of its caller.
    ///
    /// # Safety
    /// As for [`Walk::run`].
    #[inline(always)]
    pub unsafe fn run_here<O: Output, D: Door>(&mut self, sink: &mut Sink) -> Flow {
        let layout = self.layout;
        let mut emitter = JsonEmitter::<O, D>::new(sink, layout, self.state);
        // SAFETY: as the caller says.
        unsafe { self.drive(&mut emitter) };
        self.state = emitter.state();
        core::mem::replace(&mut self.outcome, Flow::Done)
    }

    #[inline(always)]
    unsafe fn drive<O: Output, D: Door>(&mut self, emitter: &mut Json<'_, O, D>) {
        // SAFETY: frames own their containers.
        unsafe {
            let mut step = match self.pending.take() {
                Some(pending) => self.pending(emitter, pending),
                None => Step::Next,
            };
            loop {
                if emitter.failed() {
                    // Its exception is set: nothing else may run now.
                    step = self.fail(Failure::Raised);
                }
                match step {
                    Step::End => return,
                    Step::Leave => self.stack.pop(),
                    Step::Next | Step::Enter => {}
                }
                let is_full = emitter.buffered() >= self.pause_at;
                let Some(frame) = self.stack.top() else {
                    return;
                };
                if is_full {
                    self.outcome = Flow::Pause;
                    return;
                }
                step = match frame.kind {
                    Kind::List | Kind::Tuple | Kind::Dict | Kind::Members | Kind::Unsorted => {
                        self.items(emitter)
                    }
                    _ => self.rare(emitter),
                };
            }
        }
    }

    /// Enters a container.
    #[inline(always)]
    pub fn enter<D: Door>(&mut self, kind: Kind, object: Owned, len: Py_ssize_t) -> Step {
        if self.is_deep() && !D::may_enter(self, kind, object.as_ptr()) {
            return Step::End;
        }
        self.push(kind, object, len)
    }

    #[inline(always)]
    pub fn push(&mut self, kind: Kind, object: Owned, len: Py_ssize_t) -> Step {
        if self.stack.push(kind, object, len) {
            Step::Enter
        } else {
            // SAFETY: the GIL is held during a walk.
            unsafe { py::PyErr_NoMemory() };
            self.fail(Failure::Raised)
        }
    }

    /// Enters a container that is reached through another object, such as
    /// its iterator; `owner` is kept alive meanwhile.
    #[inline(never)]
    pub fn enter_as<D: Door>(
        &mut self,
        kind: Kind,
        object: Owned,
        owner: Owned,
        identity: *mut PyObject,
    ) -> Step {
        if self.is_deep() && !D::may_enter(self, kind, identity) {
            return Step::End;
        }
        let step = self.push(kind, object, 0);
        if let Some(frame) = self.stack.top()
            && step == Step::Enter
        {
            frame.owner = Some(owner);
            frame.identity = identity;
        }
        step
    }

    /// What the root, a key or a value that could not be written keeps alive
    /// and all that the frames do, for the garbage collector.
    pub fn held(&self) -> impl Iterator<Item = *mut PyObject> {
        let pending = self.pending.iter();
        let pending = pending.flat_map(|one| one.key.iter().chain([&one.value]));
        pending.chain(self.stack.held()).map(Owned::as_ptr)
    }

    /// Whether the next container is to be looked at.
    #[inline(always)]
    pub fn is_deep(&self) -> bool {
        self.stack.depth() >= self.watched_depth
    }

    /// How many more containers may be entered before one is to be looked at.
    #[inline(always)]
    pub fn levels_unwatched(&self) -> usize {
        let depth = self.stack.depth() + usize::from(!self.frameless.is_null());
        self.watched_depth.saturating_sub(depth)
    }

    /// Looks at a container deep down, for cycles, too, so that one ends
    /// although `max_depth` is as good as no limit.
    #[cold]
    #[inline(never)]
    pub fn native_may_enter(&mut self, identity: *mut PyObject) -> bool {
        let full = self.stack.depth() >= self.max_depth;
        if self.stack.repeats(identity) || full && self.stack.contains(identity) {
            self.fail(Failure::Circular);
            return false;
        }
        if full {
            self.fail(Failure::TooDeep);
            return false;
        }
        true
    }

    /// Ends the loop with a failure.
    #[cold]
    #[inline(never)]
    pub fn fail(&mut self, failure: Failure) -> Step {
        self.outcome = Flow::Fail(failure);
        Step::End
    }

    /// Ends the loop with a failure of a value.
    #[cold]
    #[inline(never)]
    pub fn fail_leaf(&mut self, failure: Failure) -> Leaf {
        self.outcome = Flow::Fail(failure);
        Leaf::Fail
    }

    /// Notes where the walk is in the innermost object. This may release the
    /// key that was noted before, and so run code of a user.
    #[inline(always)]
    pub fn at(&mut self, pos: Py_ssize_t, key: Owned) {
        if let Some(frame) = self.stack.top() {
            frame.pos = pos;
            frame.key = Some(key);
        }
    }

    /// As [`Walk::at`], where the position is noted already.
    #[inline(always)]
    pub fn note(&mut self, key: Owned) {
        if let Some(frame) = self.stack.top() {
            frame.key = Some(key);
        }
    }

    /// Writes a value of one of the exact built-in types.
    #[inline(always)]
    pub unsafe fn leaf<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        item: *mut PyObject,
    ) -> Leaf {
        // SAFETY: the item is alive, and is of the type that is found.
        unsafe {
            let class = py::Py_TYPE(item);
            if class == &raw mut py::PyUnicode_Type {
                return self.string::<O, D, false>(emitter, item);
            } else if class == &raw mut py::PyLong_Type {
                match int::value(item) {
                    Int::Signed(_) | Int::Unsigned(_) if self.is_wide::<D>(item) => {
                        return self.big_int(emitter, item);
                    }
                    Int::Signed(value) => emitter.int(value),
                    Int::Unsigned(value) => emitter.uint(value),
                    Int::Big => return self.big_int(emitter, item),
                }
            } else if class == &raw mut py::PyBool_Type {
                emitter.bool(item == py::Py_True());
            } else if item == py::Py_None() {
                emitter.null();
            } else if class == &raw mut py::PyFloat_Type {
                let value = py::PyFloat_AS_DOUBLE(item);
                if !value.is_finite() {
                    return self.non_finite(emitter, value);
                }
                emitter.float(value);
            } else if class == &raw mut py::PyDict_Type {
                return Leaf::Container(Kind::Dict);
            } else if class == &raw mut py::PyList_Type {
                return Leaf::Container(Kind::List);
            } else if class == &raw mut py::PyTuple_Type {
                return Leaf::Container(Kind::Tuple);
            } else {
                return Leaf::Other;
            }
        }
        Leaf::Written
    }

    /// Whether an `int` of at most 64 bits is too wide for [`Door::narrow_ints`].
    #[inline(always)]
    pub unsafe fn is_wide<D: Door>(&self, item: *mut PyObject) -> bool {
        D::NARROW_INTS
            && D::narrow_ints(self.options)
            // SAFETY: the caller gives an `int`.
            && match unsafe { int::value(item) } {
                Int::Signed(value) => value.unsigned_abs() > LARGEST_EXACT,
                Int::Unsigned(_) => true,
                Int::Big => false,
            }
    }

    /// Writes a `str` as a value or as a key.
    #[inline(always)]
    pub unsafe fn string<O: Output, D: Door, const KEY: bool>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        item: *mut PyObject,
    ) -> Leaf {
        // SAFETY: the item is a `str`, alive while it is written: no code of
        // a user runs meanwhile.
        match unsafe { str::chars(item) } {
            Some(Chars::Ascii(text)) => {
                // ASCII text never fails.
                let _ = if KEY {
                    emitter.key::<Ascii>(text)
                } else {
                    emitter.string::<Ascii>(text)
                };
                Leaf::Written
            }
            Some(chars) => self.non_ascii::<O, D, KEY>(emitter, chars),
            None => self.fail_leaf(Failure::Raised),
        }
    }

    /// The other representations: out of line, so that the loops stay small.
    #[inline(never)]
    fn non_ascii<O: Output, D: Door, const KEY: bool>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        chars: Chars<'_>,
    ) -> Leaf {
        let form = match chars {
            Chars::Ascii(_) => Form::Ascii,
            Chars::Latin1(_) => Form::Latin1,
            Chars::Ucs2(_) => Form::Ucs2,
            Chars::Ucs4(_) => Form::Ucs4,
        };
        let keep = matches!(D::Policy::RULES.non_ascii, NonAscii::Keep);
        if !O::UTF8 && keep && self.form < form {
            return Leaf::Widen(form);
        }
        if self.refuse_surrogates && chars.has_surrogate() {
            return self.fail_leaf(D::surrogate());
        }
        if D::SURROGATES_WAIT && self.form < Form::Ucs4 && chars.has_surrogate() {
            return Leaf::Widen(Form::Ucs4);
        }
        let result = match (chars, KEY) {
            (Chars::Ascii(text), true) => emitter.key::<Ascii>(text),
            (Chars::Ascii(text), false) => emitter.string::<Ascii>(text),
            (Chars::Latin1(text), true) => emitter.key::<Latin1>(text),
            (Chars::Latin1(text), false) => emitter.string::<Latin1>(text),
            (Chars::Ucs2(text), true) => emitter.key::<Ucs2>(text),
            (Chars::Ucs2(text), false) => emitter.string::<Ucs2>(text),
            (Chars::Ucs4(text), true) => emitter.key::<Ucs4>(text),
            (Chars::Ucs4(text), false) => emitter.string::<Ucs4>(text),
        };
        match result {
            Ok(()) => Leaf::Written,
            Err(LoneSurrogate { .. }) => self.fail_leaf(D::surrogate()),
        }
    }

    /// Writes a value of any type.
    pub unsafe fn value<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        item: Owned,
    ) -> Step {
        // SAFETY: the item is owned.
        unsafe {
            let leaf = self.leaf(emitter, item.as_ptr());
            if leaf == Leaf::Written {
                return Step::Next;
            }
            self.finish_value(emitter, leaf, item)
        }
    }

    pub unsafe fn finish_value<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        leaf: Leaf,
        item: Owned,
    ) -> Step {
        match leaf {
            Leaf::Written => Step::Next,
            // SAFETY: the item is owned.
            Leaf::Container(kind) => unsafe { self.container(emitter, kind, item) },
            // SAFETY: likewise.
            Leaf::Other => unsafe { D::other(self, emitter, item) },
            Leaf::Widen(form) => {
                let pending = Pending {
                    key: None,
                    value: item,
                };
                self.pending = Some(pending);
                self.outcome = Flow::Widen(form);
                Step::End
            }
            Leaf::Fail => Step::End,
        }
    }

    /// Ends the loop at a member whose key is not written.
    pub fn key_not_written(&mut self, leaf: Leaf, key: Owned, value: Owned) -> Step {
        match leaf {
            Leaf::Widen(form) => {
                let key = Some(key);
                self.pending = Some(Pending { key, value });
                self.outcome = Flow::Widen(form);
                Step::End
            }
            _ => Step::End,
        }
    }

    /// Writes a key, a `str`, and its value.
    pub unsafe fn str_member<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        key: Owned,
        value: Owned,
    ) -> Step {
        // SAFETY: both are owned, and the key is a `str`.
        unsafe {
            let leaf = self.string::<O, D, true>(emitter, key.as_ptr());
            if leaf == Leaf::Written {
                return self.value(emitter, value);
            }
            self.key_not_written(leaf, key, value)
        }
    }

    /// Opens a container; an empty dict is closed at once.
    #[inline(always)]
    pub unsafe fn container<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        mut kind: Kind,
        item: Owned,
    ) -> Step {
        let op = item.as_ptr();
        // SAFETY: the item is owned.
        if D::CHOOSES && unsafe { !D::enters_here(self, kind, op) } {
            // SAFETY: likewise.
            return unsafe { D::other(self, emitter, item) };
        }
        if kind != Kind::Dict {
            emitter.begin_array();
            return self.enter::<D>(kind, item, 0);
        }
        // SAFETY: the item is a dict, and owned.
        let len = unsafe { dict::len(op) };
        emitter.begin_object();
        if len == 0 {
            emitter.end_object();
            return if self.is_deep() && !D::may_enter(self, kind, op) {
                Step::End
            } else {
                Step::Next
            };
        }
        if self.options.sort_keys {
            kind = Kind::Unsorted;
        }
        self.enter::<D>(kind, item, len)
    }

    #[cold]
    #[inline(never)]
    pub fn dict_changed(&mut self) -> Step {
        // SAFETY: the GIL is held during a walk.
        unsafe {
            crate::args::set_error(
                py::PyExc_RuntimeError,
                "dictionary changed size during iteration",
            );
        }
        self.fail(Failure::Raised)
    }

    #[cold]
    #[inline(never)]
    pub unsafe fn big_int<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        item: *mut PyObject,
    ) -> Leaf {
        if emitter.failed() {
            return self.fail_leaf(Failure::Raised);
        }
        // SAFETY: the caller gives an `int`.
        unsafe { D::big_int(self, emitter, item) }
    }

    #[cold]
    #[inline(never)]
    pub fn non_finite<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        value: f64,
    ) -> Leaf {
        D::non_finite(self, emitter, value)
    }
}
