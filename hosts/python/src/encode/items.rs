//! The loop over the items of lists and tuples and the members of dicts.
//!
//! What is short and plain is written at once, with the place to write held
//! in registers, and the containers in between are borrowed
//! ([`super::inner`]). Everything else ends the loop: the levels become frames, and
//! one item takes the general way, [`Walk::leaf`].

use core::mem::MaybeUninit;
use core::ptr::null_mut;

use linecaster_formats::Emitter;
use linecaster_formats::json::After;
use linecaster_kernel::dispatch::{self, Implementation};
use linecaster_kernel::output::Output;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::door::Door;
use super::error::Failure;
use super::frame::Kind;
use super::gathered::Room;
use super::inner::{Inner, LEVELS, Stop, sorted_level};
use super::level::Level;
use super::plain::Takes;
use super::sort::Gathered;
use super::walk::{Json, Leaf, Step, Walk};
use crate::ffi::dict;
use crate::ffi::owned::Owned;

impl Walk<'_> {
    /// The items or members of the innermost container, and of those inside
    /// of it, as far as they are short and plain; and one step further.
    #[inline(always)]
    pub unsafe fn items<O: Output, D: Door>(&mut self, emitter: &mut Json<'_, O, D>) -> Step {
        let mut replaced = None;
        // SAFETY: as for [`Walk::plain_items`]; no code of a user has run
        // since, and what was replaced lives on to the end.
        unsafe {
            match self.plain_items(emitter, &mut replaced) {
                Stop::Left => Step::Leave,
                Stop::End => self.left(emitter),
                Stop::Full => self.item(emitter),
                Stop::Item(item) => self.general(emitter, item),
                Stop::Value(key, value) => self.general_value(emitter, key, value),
                Stop::Member(key, value) => self.general_member(emitter, key, value),
                Stop::Changed => D::dict_changed(self),
                Stop::Unsorted => self.gather::<D>(),
                Stop::NoMemory => Step::End,
            }
        }
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
        self.frameless = root;
        // SAFETY: as the caller says.
        let step = unsafe { self.items(emitter) };
        // Whoever leaves it without a frame has nothing to leave.
        let framed = self.frameless.is_null();
        self.frameless = null_mut();
        if framed { step } else { Step::Next }
    }

    /// The loop, from the innermost frame on, or from the start of the root if
    /// that has none. Unless it leaves that container, the levels that it ends
    /// in are frames when it returns, and a key that was noted in a frame
    /// before and is not any more is in `replaced`: its release may run the
    /// code of a user.
    #[inline(always)]
    unsafe fn plain_items<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        replaced: &mut Option<Owned>,
    ) -> Stop {
        // SAFETY: as for [`Walk::loop_over`]; these implementations are there
        // only where their features are.
        unsafe {
            if emitter.on_lines() {
                return self.plain_items_on_lines(emitter, replaced);
            }
            #[cfg(target_arch = "x86_64")]
            match dispatch::current() {
                Implementation::Avx512 => return self.plain_items_avx512(emitter, replaced),
                Implementation::Avx2 => return self.plain_items_avx2(emitter, replaced),
                _ => {}
            }
            self.plain_items_baseline(emitter, replaced)
        }
    }

    /// A function of its own, so that its levels are off the C stack while
    /// the code of a user runs.
    #[inline(never)]
    unsafe fn plain_items_baseline<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        replaced: &mut Option<Owned>,
    ) -> Stop {
        // SAFETY: the caller's.
        unsafe { self.loop_over::<O, D, false, false>(emitter, replaced) }
    }

    /// The same for an indented layout; once for all processors.
    #[inline(never)]
    unsafe fn plain_items_on_lines<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        replaced: &mut Option<Owned>,
    ) -> Stop {
        // SAFETY: the caller's.
        unsafe { self.loop_over::<O, D, true, false>(emitter, replaced) }
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
        replaced: &mut Option<Owned>,
    ) -> Stop {
        // SAFETY: the caller's.
        unsafe { self.loop_over::<O, D, false, false>(emitter, replaced) }
    }

    /// The same with masked vectors, for which all short strings are alike.
    ///
    /// # Safety
    /// The machine has the features.
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vl,avx512dq")]
    #[target_feature(enable = "avx512cd,avx512ifma,avx512vbmi,avx512vbmi2")]
    unsafe fn plain_items_avx512<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        replaced: &mut Option<Owned>,
    ) -> Stop {
        // SAFETY: the caller's.
        unsafe { self.loop_over::<O, D, false, true>(emitter, replaced) }
    }

    #[inline(always)]
    unsafe fn loop_over<O: Output, D: Door, const LINES: bool, const MASKED: bool>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        replaced: &mut Option<Owned>,
    ) -> Stop {
        // SAFETY: the frame owns the container, or the caller does; no code of
        // a user runs before the levels are frames.
        unsafe {
            let mut room = Room::new();
            let mut level = if self.frameless.is_null() {
                let Some(frame) = self.stack.top() else {
                    return Stop::Left;
                };
                let object = frame.object.as_ptr();
                match frame.kind {
                    Kind::Dict if dict::len(object) != frame.len => return Stop::Changed,
                    Kind::Unsorted if !D::sorts(self.options) => return Stop::Unsorted,
                    Kind::Unsorted => match sorted_level(object, room.behind(core::ptr::null())) {
                        Some(level) => level,
                        None => return Stop::Unsorted,
                    },
                    kind => Level::of(kind, object, frame.pos),
                }
            } else {
                Level::start(self.frameless)
            };
            let mut outer = [const { MaybeUninit::uninit() }; LEVELS];
            let room = &mut room;
            let (stop, depth) =
                self.quick_items::<O, D, LINES, MASKED>(emitter, &mut level, &mut outer, room);
            if let Stop::Left = stop {
                return stop;
            }
            let outer = core::slice::from_raw_parts(outer.as_ptr().cast::<Level>(), depth);
            if self.keep(outer, level, replaced) {
                stop
            } else {
                Stop::NoMemory
            }
        }
    }

    /// The loop itself. It begins in `level` and ends there; the levels
    /// around it, as many as it says, are in `outer`.
    #[inline(always)]
    unsafe fn quick_items<O: Output, D: Door, const LINES: bool, const MASKED: bool>(
        &self,
        emitter: &mut Json<'_, O, D>,
        level: &mut Level,
        outer: &mut [MaybeUninit<Level>; LEVELS],
        room: &mut Room,
    ) -> (Stop, usize) {
        // SAFETY: as for [`Walk::items`]. The emitter is not used until the
        // `Quick` is given back; there is room for whatever a round writes.
        unsafe {
            let Some((quick, after)) = emitter.quick::<LINES>() else {
                return (Stop::Full, 0);
            };
            let mut inner = Inner::<O, D, LINES, MASKED> {
                walk: self,
                takes: Takes::new::<O, D>(self.form, self.refuse_surrogates, self.options),
                most: LEVELS.min(self.levels_unwatched()),
                quick,
                at: *level,
                outer,
                depth: 0,
                room,
                start: match after {
                    After::Open => quick.tail(),
                    _ => null_mut(),
                },
                line: quick.tail(),
            };
            let stop = loop {
                if let Some(stop) = inner.round() {
                    break stop;
                }
            };
            if LINES && matches!(stop, Stop::Item(..) | Stop::Member(..)) {
                inner.quick.advance_to(inner.line);
            }
            let after = match stop {
                Stop::Left => After::End,
                Stop::Value(..) => After::Key,
                _ if inner.quick.tail() == inner.start => After::Open,
                _ => After::Item,
            };
            emitter.resume(inner.quick, after, inner.depth);
            *level = inner.at;
            (stop, inner.depth)
        }
    }

    /// Makes frames of levels, the first of which has one already unless it is
    /// [`Walk::frameless`]; `false` when there is no memory. The key that was
    /// noted in that one goes to `replaced`: its release may run the code of a
    /// user.
    unsafe fn keep(&mut self, outer: &[Level], inner: Level, replaced: &mut Option<Owned>) -> bool {
        let framed = core::mem::replace(&mut self.frameless, null_mut()).is_null();
        // SAFETY: all containers are alive, and none has changed.
        unsafe {
            for (depth, level) in outer.iter().chain([&inner]).enumerate() {
                if !self.keep_level(level, depth > 0 || !framed) {
                    return false;
                }
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
                if key.is_some() {
                    // Only the first frame had one.
                    let old = core::mem::replace(&mut frame.key, key);
                    *replaced = replaced.take().or(old);
                }
            }
            true
        }
    }

    /// Makes a frame of a level, a new one or the innermost one there is.
    #[inline(always)]
    unsafe fn keep_level(&mut self, level: &Level, new: bool) -> bool {
        // SAFETY: as for [`Walk::keep`].
        unsafe {
            let (kind, object) = (level.kind(), level.object());
            if new {
                let len = if kind == Kind::Dict {
                    dict::len(object)
                } else {
                    0
                };
                if self.push(kind, Owned::from_borrowed(object), len) != Step::Enter {
                    return false;
                }
            }
            if kind == Kind::Unsorted {
                return self.keep_rest(level);
            }
            let Some(frame) = self.stack.top() else {
                return false;
            };
            frame.pos = level.pos();
            true
        }
    }

    /// What is left of members that were gathered, in their container's frame.
    #[cold]
    #[inline(never)]
    unsafe fn keep_rest(&mut self, level: &Level) -> bool {
        // SAFETY: as for [`Walk::keep`].
        let Some(rest) = (unsafe { level.rest() }) else {
            self.fail(Failure::Raised);
            return false;
        };
        let Some(frame) = self.stack.top() else {
            return false;
        };
        frame.exchange(Kind::Members, rest);
        true
    }

    /// Gathers the members of the innermost dict, as they are written.
    #[inline(never)]
    unsafe fn gather<D: Door>(&mut self) -> Step {
        let Some(frame) = self.stack.top() else {
            return Step::Leave;
        };
        let dict = frame.object.as_ptr();
        // SAFETY: the frame owns its dict.
        let gathered = unsafe { D::gathered(self, dict) };
        let Some(frame) = self.stack.top() else {
            return Step::Leave;
        };
        match gathered {
            Ok(Gathered::AsTheyCome) => {
                frame.kind = Kind::Dict;
                // SAFETY: likewise.
                frame.len = unsafe { dict::len(dict) };
            }
            Ok(Gathered::Pairs(items)) => frame.exchange(Kind::Pairs, items),
            Ok(Gathered::Members(members)) => frame.exchange(Kind::Members, members),
            Err(failure) => return self.fail(failure),
        }
        Step::Enter
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
