//! Dicts as they were when they were met: until 3.11 the encoder in C takes
//! the list of a dict's items first, so that a `default` which changes the
//! dict changes nothing in the output.

use pyo3_ffi as py;
use pyo3_ffi::Py_ssize_t;

use crate::encode::error::Failure;
use crate::encode::frame::{Frame, Kind};
use crate::encode::walk::Walk;
use crate::ffi::dict_entries::Entries;
use crate::ffi::owned::Owned;

/// Replaces every dict that the walk stands in by a copy, before code of a
/// user can change it. Whether there was any.
///
/// # Safety
/// The GIL is held.
pub unsafe fn take(walk: &mut Walk<'_>) -> Result<bool, Failure> {
    let mut taken = false;
    // Below one that is a copy all are.
    for frame in walk.stack.frames().iter_mut().rev() {
        if frame.kind != Kind::Dict {
            continue;
        }
        if frame.owner.is_some() {
            break;
        }
        // SAFETY: the frame owns a dict that nothing has changed.
        unsafe { copy(frame)? };
        taken = true;
    }
    Ok(taken)
}

unsafe fn copy(frame: &mut Frame) -> Result<(), Failure> {
    // SAFETY: the frame owns its dict, the rest is made here.
    unsafe {
        let old = frame.object.as_ptr();
        let copy = Owned::from_new(py::PyDict_Copy(old)).ok_or(Failure::Raised)?;
        let (mut here, mut there) = (frame.pos, frame.pos);
        let next = Entries::of(old).next(&mut here);
        let same = next == Entries::of(copy.as_ptr()).next(&mut there);
        if !same {
            // There were gaps, which the copy has not.
            frame.pos = skip(&copy, passed(frame));
        }
        frame.owner = Some(core::mem::replace(&mut frame.object, copy));
    }
    Ok(())
}

/// How many items of the dict lie before the position.
unsafe fn passed(frame: &Frame) -> usize {
    // SAFETY: the frame owns its dict.
    unsafe {
        let entries = Entries::of(frame.object.as_ptr());
        let (mut pos, mut count) = (0, 0);
        while pos < frame.pos && entries.next(&mut pos).is_some() {
            count += 1;
        }
        count
    }
}

/// The position behind that many items.
unsafe fn skip(dict: &Owned, count: usize) -> Py_ssize_t {
    let mut pos = 0;
    // SAFETY: the dict is owned.
    unsafe {
        let entries = Entries::of(dict.as_ptr());
        for _ in 0..count {
            if entries.next(&mut pos).is_none() {
                break;
            }
        }
    }
    pos
}
