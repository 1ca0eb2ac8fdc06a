//! A place whose value is read by cloning and replaced whole.

use std::cell::RefCell;

use crate::Trace;

/// A place in a managed object whose value is read by cloning.
pub struct Slot<T>(RefCell<T>);

impl<T: Trace + Clone> Slot<T> {
    /// A place that holds `value`.
    #[inline]
    pub const fn new(value: T) -> Self {
        Self(RefCell::new(value))
    }

    /// A clone of the value.
    #[inline]
    pub fn get(&self) -> T {
        self.0.borrow().clone()
    }

    /// Replaces the value; the old one is dropped.
    #[inline]
    pub fn set(&self, value: T) {
        drop(self.replace(value));
    }

    /// Replaces the value and returns the old one.
    #[inline]
    pub fn replace(&self, value: T) -> T {
        self.0.replace(value)
    }

    /// Looks at the value in its place.
    #[inline]
    pub(crate) fn with<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        look(&self.0.borrow())
    }
}
