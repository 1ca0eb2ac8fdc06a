//! Copying the short runs that most strings are.
//!
//! A call of `memcpy` takes longer than the copy itself: up to 64 bytes go by
//! overlapping loads and stores of one width, within the run's bounds.

/// Copies `len` bytes.
///
/// # Safety
/// `from` is readable and `to` writable for `len` bytes, which do not overlap.
#[inline(always)]
pub unsafe fn copy_short(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: every access ends at `len` at the latest.
    unsafe {
        match len {
            17..=32 => ends::<u128>(from, to, len),
            8..=16 => ends::<u64>(from, to, len),
            4..8 => ends::<u32>(from, to, len),
            1..4 => {
                to.write(*from);
                to.add(len / 2).write(*from.add(len / 2));
                to.add(len - 1).write(*from.add(len - 1));
            }
            0 => {}
            33..=64 => {
                ends::<[u128; 2]>(from, to, len);
            }
            _ => to.copy_from_nonoverlapping(from, len),
        }
    }
}

/// Copies the first and the last bytes of a run, as many as a `W` has.
///
/// # Safety
/// As for [`copy_short`], and `len` is at least a `W` and at most two.
#[inline(always)]
unsafe fn ends<W: Copy>(from: *const u8, to: *mut u8, len: usize) {
    let last = len - size_of::<W>();
    // SAFETY: the caller's.
    unsafe {
        let head = from.cast::<W>().read_unaligned();
        let tail = from.add(last).cast::<W>().read_unaligned();
        to.cast::<W>().write_unaligned(head);
        to.add(last).cast::<W>().write_unaligned(tail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length() {
        let from: Vec<u8> = (1..=130).collect();
        for len in 0..=from.len() {
            let mut to = vec![0; len + 1];
            // SAFETY: there is one byte more than is asked for.
            unsafe { copy_short(from.as_ptr(), to.as_mut_ptr(), len) };
            assert_eq!(to[..len], from[..len]);
            assert_eq!(to[len], 0);
        }
    }
}
