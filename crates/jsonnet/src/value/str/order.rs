//! Comparing and hashing strings.

use std::cmp::Ordering;
use std::fmt::{Debug, Formatter};
use std::hash::{Hash, Hasher};

use super::{Repr, Str};

impl Str {
    /// Whether both are the same object.
    #[inline]
    fn same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::Flat(left), Repr::Flat(right)) => left.same(right),
            (Repr::Shared(left), Repr::Shared(right)) => left.same(right),
            (Repr::Rope(left), Repr::Rope(right)) => left.same(right),
            _ => false,
        }
    }
}

impl PartialEq for Str {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes() && (self.same(other) || self.as_str() == other.as_str())
    }
}

impl Eq for Str {}

impl Ord for Str {
    /// By code points, which is the order of UTF-8's bytes.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        if self.same(other) {
            return Ordering::Equal;
        }
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for Str {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Str {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl Debug for Str {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(out)
    }
}
