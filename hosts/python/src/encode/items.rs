//! The loop over the items of lists and tuples and the members of dicts.
//!
//! What is short and plain is written at once, with the place to write held
//! in registers ([`Quick`]), and the containers in between are borrowed
//! ([`Level`]). Everything else ends the loop: the levels become frames, and
//! one item takes the general way, [`Walk::leaf`].

use core::mem::MaybeUninit;
use core::ptr::null_mut;

use linecaster_formats::Emitter;
use linecaster_formats::json::{After, Quick};
use linecaster_kernel::dispatch::{self, Implementation};
use linecaster_kernel::output::Output;
use linecaster_kernel::policy::Word;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::aside::Aside;
use super::door::Door;
use super::frame::Kind;
use super::level::Level;
use super::plain::{Found, Takes, quick_leaf, quick_text};
use super::walk::{Json, Leaf, Step, Walk};
use crate::ffi::dict;
use crate::ffi::owned::Owned;

/// How many containers the loop enters at most. Deeper ones begin anew, above
/// frames.
const LEVELS: usize = 16;

/// Why the loop ended.
#[derive(Clone, Copy)]
enum Stop {
    /// The container that it began in is closed.
    Left,
    /// There is no room, or never was.
    Full,
    /// The innermost container is at its end, not yet closed.
    End,
    /// An item that needs the general way.
    Item(*mut PyObject),
    /// A value that does; its key, the first, is written.
    Value(*mut PyObject, *mut PyObject),
    /// A member that does.
    Member(*mut PyObject, *mut PyObject),
    /// The dict that it was to go on with has changed.
    Changed,
    /// There is no memory for a frame; that is noted.
    NoMemory,
}

impl Walk<'_> {
    /// The items or members of the innermost container, and of those inside
    /// of it, as far as they are short and plain; and one step further.
    #[inline(always)]
    pub unsafe fn items<O: Output, D: Door>(&mut self, emitter: &mut Json<'_, O, D>) -> Step {
        // SAFETY: frames own their containers.
        unsafe { self.items_of(emitter, null_mut()) }
    }

    /// The same of a container without a frame, at its start: it gets one only
    /// if not all in it is short and plain.
    ///
    /// # Safety
    /// `root` is a list, tuple or dict that the caller owns; its opening
    /// bracket is written, and it is not done yet.
    #[inline(always)]
    pub unsafe fn items_of<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        root: *mut PyObject,
    ) -> Step {
        let mut replaced = None;
        // SAFETY: as for [`Walk::plain_items`]; no code of a user has run
        // since, and what was replaced lives on to the end.
        unsafe {
            match self.plain_items(emitter, root, &mut replaced) {
                Stop::Left if root.is_null() => Step::Leave,
                Stop::Left => Step::Next,
                Stop::End => self.left(emitter),
                Stop::Full => self.item(emitter),
                Stop::Item(item) => self.general(emitter, item),
                Stop::Value(key, value) => self.general_value(emitter, key, value),
                Stop::Member(key, value) => self.general_member(emitter, key, value),
                Stop::Changed => D::dict_changed(self),
                Stop::NoMemory => Step::End,
            }
        }
    }

    /// The loop, from the innermost frame on, or from the start of `root` if
    /// that is not null. The levels that it ends in are frames when it returns,
    /// and a key that was noted in a frame before and is not any more is in
    /// `replaced`: its release may run the code of a user.
    #[inline(always)]
    unsafe fn plain_items<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        root: *mut PyObject,
        replaced: &mut Option<Owned>,
    ) -> Stop {
        // SAFETY: as for [`Walk::loop_over`]; these implementations are there
        // only where their features are.
        unsafe {
            if emitter.on_lines() {
                return self.plain_items_on_lines(emitter, root, replaced);
            }
            #[cfg(target_arch = "x86_64")]
            if let Implementation::Avx2 | Implementation::Avx512 = dispatch::current() {
                return self.plain_items_avx2(emitter, root, replaced);
            }
            self.plain_items_baseline(emitter, root, replaced)
        }
    }

    /// A function of its own, so that its levels are off the C stack while
    /// the code of a user runs.
    #[inline(never)]
    unsafe fn plain_items_baseline<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        root: *mut PyObject,
        replaced: &mut Option<Owned>,
    ) -> Stop {
        // SAFETY: the caller's.
        unsafe { self.loop_over::<O, D, false>(emitter, root, replaced) }
    }

    /// The same for an indented layout; once for all processors.
    #[inline(never)]
    unsafe fn plain_items_on_lines<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        root: *mut PyObject,
        replaced: &mut Option<Owned>,
    ) -> Stop {
        // SAFETY: the caller's.
        unsafe { self.loop_over::<O, D, true>(emitter, root, replaced) }
    }

    /// The same with the instructions of newer processors, which spell a
    /// float in fewer of them: `canada` takes a twentieth less.
    ///
    /// # Safety
    /// The machine has the features.
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    unsafe fn plain_items_avx2<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        root: *mut PyObject,
        replaced: &mut Option<Owned>,
    ) -> Stop {
        // SAFETY: the caller's.
        unsafe { self.loop_over::<O, D, false>(emitter, root, replaced) }
    }

    #[inline(always)]
    unsafe fn loop_over<O: Output, D: Door, const LINES: bool>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        root: *mut PyObject,
        replaced: &mut Option<Owned>,
    ) -> Stop {
        // SAFETY: the frame owns the container, or the caller does; no code of
        // a user runs before the levels are frames.
        unsafe {
            let mut most = self.levels_unwatched();
            let mut level = if root.is_null() {
                let Some(frame) = self.stack.top() else {
                    return Stop::Left;
                };
                let object = frame.object.as_ptr();
                if frame.kind == Kind::Dict && dict::len(object) != frame.len {
                    return Stop::Changed;
                }
                Level::of(frame.kind, object, frame.pos)
            } else {
                most = most.saturating_sub(1);
                Level::start(root)
            };
            let most = LEVELS.min(most);
            let mut outer = [const { MaybeUninit::uninit() }; LEVELS];
            let (stop, depth) =
                self.quick_items::<O, D, LINES>(emitter, &mut level, &mut outer, most);
            if let Stop::Left = stop {
                return stop;
            }
            let outer = core::slice::from_raw_parts(outer.as_ptr().cast::<Level>(), depth);
            if self.keep(outer, level, root.is_null(), replaced) {
                stop
            } else {
                Stop::NoMemory
            }
        }
    }

    /// The loop itself. It begins in `level` and ends there; the levels
    /// around it, as many as it says and no more than `most`, are in `outer`.
    #[allow(
        clippy::too_many_lines,
        reason = "one loop, whose state is in registers"
    )]
    #[inline(always)]
    unsafe fn quick_items<O: Output, D: Door, const LINES: bool>(
        &self,
        emitter: &mut Json<'_, O, D>,
        level: &mut Level,
        outer: &mut [MaybeUninit<Level>; LEVELS],
        most: usize,
    ) -> (Stop, usize) {
        let takes = Takes::new::<O, D>(self.form, self.refuse_surrogates, self.options);
        let mut at = *level;
        let mut depth = 0;
        // SAFETY: as for [`Walk::items`]. The emitter is not used until the
        // `Quick` is given back; there is room for whatever a round writes.
        unsafe {
            let Some((mut quick, after)) = emitter.quick::<LINES>() else {
                return (Stop::Full, 0);
            };
            // Where the items of a container begin.
            let mut start = match after {
                After::Open => quick.tail(),
                _ => null_mut(),
            };
            // Before the line break of this round.
            let mut line;
            let stop = loop {
                line = quick.tail();
                if !next_line(&mut quick, at.is_done(), line == start, depth) {
                    break Stop::Full;
                }
                if at.is_done() {
                    if quick.tail() == start {
                        break Stop::End;
                    }
                    let bracket = if at.is_dict() { b'}' } else { b']' };
                    if depth == 0 {
                        quick.end(bracket);
                        break Stop::Left;
                    }
                    quick.close(bracket);
                    depth -= 1;
                    at = outer[depth].assume_init();
                    continue;
                }
                let mut key = null_mut();
                let mut item = if at.is_dict() {
                    let Some([name, value]) = at.entry() else {
                        if LINES {
                            quick.advance_to(line);
                        }
                        continue;
                    };
                    if py::Py_TYPE(name) != &raw mut py::PyUnicode_Type {
                        break Stop::Member(name, value);
                    }
                    if D::CHOOSES && D::drops(self.options, name, value) {
                        if LINES {
                            quick.advance_to(line);
                        }
                        continue;
                    }
                    if !quick_text(&mut quick, true, name, takes) {
                        break Stop::Member(name, value);
                    }
                    key = name;
                    value
                } else {
                    at.item()
                };
                let mut found = quick_leaf(&mut quick, item, takes);
                if found == Found::Other {
                    match D::aside(self.options, quick.inside_line(), item, takes) {
                        Aside::Written(tail) => {
                            quick.advance_to(tail);
                            continue;
                        }
                        Aside::Dict(dict) if depth < most && !self.options.sort_keys => {
                            found = Found::Dict;
                            item = dict;
                        }
                        _ => {}
                    }
                }
                let (inner, open, empty) = match found {
                    Found::Written => continue,
                    Found::List if depth < most => {
                        (Level::list(item), b'[', const { Word::new(b"[]") })
                    }
                    Found::Tuple if depth < most => {
                        (Level::tuple(item), b'[', const { Word::new(b"[]") })
                    }
                    Found::Dict
                        if depth < most
                            && (!self.options.sort_keys || D::as_they_come(self.options, item))
                            && (!D::CHOOSES || D::enters(item)) =>
                    {
                        if dict::len(item) == 0 {
                            quick.empty(const { Word::new(b"{}") });
                            continue;
                        }
                        (Level::dict(item), b'{', Word::EMPTY)
                    }
                    _ if key.is_null() => break Stop::Item(item),
                    _ => break Stop::Value(key, item),
                };
                if inner.is_done() {
                    quick.empty(empty);
                    continue;
                }
                quick.open(open);
                start = quick.tail();
                outer[depth].write(at);
                depth += 1;
                at = inner;
            };
            if LINES && matches!(stop, Stop::Item(..) | Stop::Member(..)) {
                quick.advance_to(line);
            }
            let after = match stop {
                Stop::Left => After::End,
                Stop::Value(..) => After::Key,
                _ if quick.tail() == start => After::Open,
                _ => After::Item,
            };
            emitter.resume(quick, after, depth);
            *level = at;
            (stop, depth)
        }
    }

    /// Makes frames of levels, the first of which has one already if it is
    /// `framed`; `false` when there is no memory. The key that was noted in
    /// that one goes to `replaced`: its release may run the code of a user.
    unsafe fn keep(
        &mut self,
        outer: &[Level],
        inner: Level,
        framed: bool,
        replaced: &mut Option<Owned>,
    ) -> bool {
        // SAFETY: all containers are alive, and none has changed.
        unsafe {
            for (depth, level) in outer.iter().chain([&inner]).enumerate() {
                let object = level.object();
                if depth > 0 || !framed {
                    let len = if level.is_dict() {
                        dict::len(object)
                    } else {
                        0
                    };
                    let object = Owned::from_borrowed(object);
                    if self.push(level.kind(), object, len) != Step::Enter {
                        return false;
                    }
                }
                let pos = level.pos();
                // The innermost one's is noted when its item is written.
                let key = if depth < outer.len() {
                    level.last_key()
                } else {
                    None
                };
                let key = key.map(|key| Owned::from_borrowed(key));
                let Some(frame) = self.stack.top() else {
                    return false;
                };
                frame.pos = pos;
                if key.is_some() {
                    // Only the first frame had one.
                    let old = core::mem::replace(&mut frame.key, key);
                    *replaced = replaced.take().or(old);
                }
            }
            true
        }
    }

    /// Closes the innermost container.
    unsafe fn left<O: Output, D: Door>(&mut self, emitter: &mut Json<'_, O, D>) -> Step {
        match self.stack.top() {
            Some(frame) if frame.kind.is_object() => emitter.end_object(),
            _ => emitter.end_array(),
        }
        Step::Leave
    }

    /// One item or member of the innermost container, by the general way.
    #[inline(never)]
    unsafe fn item<O: Output, D: Door>(&mut self, emitter: &mut Json<'_, O, D>) -> Step {
        let Some(frame) = self.stack.top() else {
            return Step::Leave;
        };
        // SAFETY: the frame owns the container, which has not changed.
        unsafe {
            let mut level = Level::of(frame.kind, frame.object.as_ptr(), frame.pos);
            while !level.is_done() {
                if !level.is_dict() {
                    frame.pos += 1;
                    return self.general(emitter, level.item());
                }
                if let Some([key, value]) = level.entry() {
                    frame.pos = level.pos();
                    if D::CHOOSES
                        && py::PyUnicode_CheckExact(key) != 0
                        && D::drops(self.options, key, value)
                    {
                        continue;
                    }
                    return self.general_member(emitter, key, value);
                }
            }
            self.left(emitter)
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
                return Step::Next;
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
        key: *mut PyObject,
        value: *mut PyObject,
    ) -> Step {
        // SAFETY: both are alive now, and owned before the code of a user
        // can run.
        unsafe {
            let leaf = self.leaf(emitter, value);
            if leaf == Leaf::Written {
                return Step::Next;
            }
            let (key, value) = (Owned::from_borrowed(key), Owned::from_borrowed(value));
            self.note(key);
            self.finish_value(emitter, leaf, value)
        }
    }

    /// A member of a dict, its key and value borrowed from it.
    #[inline(never)]
    pub unsafe fn general_member<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        key: *mut PyObject,
        value: *mut PyObject,
    ) -> Step {
        // SAFETY: both are alive now.
        unsafe {
            if py::PyUnicode_CheckExact(key) != 0 {
                let leaf = self.string::<O, D, true>(emitter, key);
                if leaf == Leaf::Written {
                    return self.general_value(emitter, key, value);
                }
            }
            let (key, value) = (Owned::from_borrowed(key), Owned::from_borrowed(value));
            self.note(Owned::from_borrowed(key.as_ptr()));
            self.member(emitter, key, value)
        }
    }
}

/// Whether there is room for a round; then, in an indented layout, writes the
/// line break that it begins with: before an item of the container, so many
/// levels inside, or before its closing bracket if it is done. One that is
/// `empty` so far has none there.
///
/// # Safety
/// What is done and not empty had an item written last.
#[inline(always)]
unsafe fn next_line<O: Output, D: Door, const LINES: bool>(
    quick: &mut Quick<O, D, LINES>,
    done: bool,
    empty: bool,
    level: usize,
) -> bool {
    if !LINES {
        return quick.has_room();
    }
    let fits = quick.has_room_for_line(level);
    // SAFETY: there is room, and as the caller says.
    unsafe {
        if fits && !done {
            quick.line(level);
        } else if fits && !empty {
            quick.last_line(level);
        }
    }
    fits
}
