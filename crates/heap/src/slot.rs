//! A place whose value is read by cloning and replaced whole.

use std::cell::UnsafeCell;

use crate::Trace;

/// A place in a managed object whose value is read by cloning.
///
/// Unlike a `Cell` it needs no second value while one is cloned; unlike a
/// `RefCell` it needs no flag. Both rest on the contract of [`Trace`]: a value
/// does not touch a slot while it is cloned.
#[repr(transparent)]
pub struct Slot<T>(UnsafeCell<T>);

impl<T: Trace + Clone> Slot<T> {
    /// A place that holds `value`.
    #[inline]
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// A clone of the value.
    #[inline]
    pub fn get(&self) -> T {
        self.with(T::clone)
    }

    /// Replaces the value; the old one is dropped.
    #[inline]
    pub fn set(&self, value: T) {
        drop(self.replace(value));
    }

    /// Replaces the value and returns the old one.
    #[inline]
    pub fn replace(&self, value: T) -> T {
        // SAFETY: nobody reads the value meanwhile: the only references to it
        // are those of `with`, whose users do not write to slots.
        unsafe { self.0.get().replace(value) }
    }

    /// Looks at the value in its place. `look` must not write to a slot.
    #[inline]
    pub(crate) fn with<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        // SAFETY: nobody writes meanwhile: `look` is `clone` or `trace`, which
        // by the contract of `Trace` touch no slot.
        unsafe { look(&*self.0.get()) }
    }
}
