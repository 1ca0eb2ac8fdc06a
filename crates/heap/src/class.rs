//! The sizes of slots.

/// How many sizes there are.
pub(crate) const CLASSES: usize = 39;

/// The largest slot; what does not fit has a block of its own.
pub(crate) const LARGEST: usize = 8192;

/// Sizes up to this one are the multiples of 8 from 16 on.
const FINE: usize = 128;

/// The class of the smallest slots with so many bytes, at most [`LARGEST`].
#[inline]
pub(crate) const fn class_of(size: usize) -> usize {
    if size <= FINE {
        let size = if size < 16 { 16 } else { size };
        (size - 9) / 8
    } else {
        // Four sizes between a power of two and the next.
        let power = (size - 1).ilog2() as usize;
        let quarter = ((size - 1) >> (power - 2)) & 3;
        15 + (power - 7) * 4 + quarter
    }
}

/// The bytes of a slot of a class.
#[inline]
pub(crate) const fn size_of_class(class: usize) -> usize {
    if class < 15 {
        class * 8 + 16
    } else {
        let power = (class - 15) / 4 + 7;
        let quarter = (class - 15) % 4;
        (5 + quarter) << (power - 2)
    }
}

const _: () = {
    let mut size = 1;
    while size <= LARGEST {
        let class = class_of(size);
        assert!(class < CLASSES && size <= size_of_class(class));
        assert!(class == 0 || size > size_of_class(class - 1));
        size += 1;
    }
    assert!(size_of_class(CLASSES - 1) == LARGEST);
};
