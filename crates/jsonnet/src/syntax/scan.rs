//! Finding the end of a run of bytes, eight at a time.
//!
//! Tokens are short, so these loops are plain words rather than vectors: no
//! set-up, and most runs end in the first or second word.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The eight bytes from `at` on, the first one lowest.
#[inline(always)]
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let chunk = bytes.get(at..at + 8)?;
    Some(u64::from_le_bytes(chunk.try_into().ok()?))
}

/// The high bit of each zero byte; bits above the lowest one may be wrong.
#[inline(always)]
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

/// Position of the first `one` or `other` from `at` on, else the length.
#[inline]
pub fn find_either(bytes: &[u8], mut at: usize, one: u8, other: u8) -> usize {
    let (ones, others) = (ONES * u64::from(one), ONES * u64::from(other));
    while let Some(word) = word(bytes, at) {
        let hit = zeros(word ^ ones) | zeros(word ^ others);
        if hit != 0 {
            return at + (hit.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while at < bytes.len() && bytes[at] != one && bytes[at] != other {
        at += 1;
    }
    at
}

/// Position of the first `byte` from `at` on, else the length.
#[inline]
pub fn find(bytes: &[u8], at: usize, byte: u8) -> usize {
    find_either(bytes, at, byte, byte)
}

/// Position of the first byte from `at` on that is not a space.
#[inline]
pub fn skip_spaces(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = word(bytes, at) {
        let other = word ^ (ONES * u64::from(b' '));
        if other != 0 {
            return at + (other.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    at
}

/// Position of the first byte from `at` on that is no letter, digit or `_`.
#[inline]
pub fn name_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = word(bytes, at) {
        let rest = !name_bytes(word) & HIGHS;
        if rest != 0 {
            return at + (rest.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while bytes
        .get(at)
        .is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
    {
        at += 1;
    }
    at
}

/// The high bit of each byte that is a letter, a digit or `_`.
#[inline(always)]
fn name_bytes(word: u64) -> u64 {
    let low = word & !HIGHS;
    let lower = low | (ONES * 0x20);
    // A sum has its high bit set if the byte is at least the bound.
    let at_least = |bytes: u64, bound: u8| bytes + ONES * u64::from(0x80 - bound);
    let letter = at_least(lower, b'a') & !at_least(lower, b'z' + 1);
    let digit = at_least(low, b'0') & !at_least(low, b'9' + 1);
    let underscore = !((low ^ (ONES * u64::from(b'_'))) + ONES * 0x7F);
    (letter | digit | underscore) & !word & HIGHS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_names() {
        for byte in 0..=255_u8 {
            for place in 0..8 {
                let mut text = *b"aZ09_bc8aZ09_bc8";
                text[place] = byte;
                let goes_on = byte.is_ascii_alphanumeric() || byte == b'_';
                let end = if goes_on { text.len() } else { place };
                assert_eq!(name_end(&text, 0), end, "{byte} at {place}");
            }
        }
    }

    #[test]
    fn as_byte_by_byte() {
        let texts: Vec<Vec<u8>> = (0..400usize)
            .map(|seed| {
                (0..seed % 37)
                    .map(|k| b" \"\\a\x80\xFF!#\x01"[(seed * 7 + k * k) % 9])
                    .collect()
            })
            .collect();
        for text in &texts {
            for at in 0..=text.len() {
                let from = &text[at..];
                let naive = |stop: &dyn Fn(u8) -> bool| {
                    at + from.iter().position(|&b| stop(b)).unwrap_or(from.len())
                };
                assert_eq!(
                    find_either(text, at, b'"', b'\\'),
                    naive(&|b| b == b'"' || b == b'\\')
                );
                assert_eq!(find(text, at, 0xFF), naive(&|b| b == 0xFF));
                assert_eq!(skip_spaces(text, at), naive(&|b| b != b' '));
            }
        }
    }
}
