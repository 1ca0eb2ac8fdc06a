//! Powers of ten as 128-bit binary significands: the one table that writing
//! and reading floats share.
//!
//! For every `q` in [`MIN`]`..=`[`MAX`], `10^q = T × 2^(floor(log2(10^q)) - 127)`
//! with a real `T` in `[2^127, 2^128)`; the table holds `floor(T)`. It is
//! exact for `0 ≤ q ≤ 55`. Rounding down everywhere is what the writer wants;
//! the reader wants the reciprocals (`q < 0`) rounded up and adds one to the
//! low word, which never carries (asserted when the table is made).
//!
//! The table is worked out by the compiler from exact big-integer steps, so
//! there is no wall of constants to trust.

/// Lowest power in the table: what a decimal of 19 digits needs to reach
/// below the smallest subnormal.
pub(crate) const MIN: i32 = -342;

/// Highest power in the table: what scales the smallest subnormal up to an
/// integer.
pub(crate) const MAX: i32 = 324;

/// Number of 64-bit words that hold `5^MAX` (753 bits), or `2^1024 / 5^n`
/// with 128 bits left over at `n = -MIN` (794 bits), and one for the carry.
const WORDS: usize = 17;

const LEN: usize = (MAX - MIN + 1) as usize;

/// One entry: the high and the low word of `floor(T)`.
#[derive(Clone, Copy)]
pub(crate) struct Significand {
    pub(crate) hi: u64,
    pub(crate) lo: u64,
}

static TABLE: [Significand; LEN] = table();

/// `floor(log2(10^q))` for `q` in the table's range.
#[inline(always)]
pub(crate) const fn log2_pow10(q: i32) -> i32 {
    (q * 217_706) >> 16
}

/// The table's entry for `10^q`.
///
/// # Safety
///
/// `q` is in `MIN..=MAX`.
#[inline(always)]
pub(crate) unsafe fn significand(q: i32) -> Significand {
    debug_assert!((MIN..=MAX).contains(&q));
    // SAFETY: the caller keeps `q` in the table's range.
    unsafe { *TABLE.get_unchecked((q - MIN) as usize) }
}

/// The 128 highest bits of a big integer, whose highest bit is the highest
/// bit set.
const fn top_bits(words: &[u64; WORDS]) -> Significand {
    let mut top = WORDS - 1;
    while words[top] == 0 {
        top -= 1;
    }
    let shift = words[top].leading_zeros();
    let w0 = words[top];
    let w1 = if top >= 1 { words[top - 1] } else { 0 };
    let w2 = if top >= 2 { words[top - 2] } else { 0 };
    let high = ((w0 as u128) << 64 | w1 as u128) << shift;
    let low = if shift == 0 { 0 } else { w2 >> (64 - shift) };
    Significand {
        hi: (high >> 64) as u64,
        lo: high as u64 | low,
    }
}

const fn table() -> [Significand; LEN] {
    let mut table = [Significand { hi: 0, lo: 0 }; LEN];

    // 5^q, exactly; 10^q has the same significand.
    let mut words = [0u64; WORDS];
    words[0] = 1;
    let mut q = 0;
    while q <= MAX {
        table[(q - MIN) as usize] = top_bits(&words);
        let mut carry = 0u64;
        let mut i = 0;
        while i < WORDS {
            let product = words[i] as u128 * 5 + carry as u128;
            words[i] = product as u64;
            carry = (product >> 64) as u64;
            i += 1;
        }
        assert!(carry == 0);
        q += 1;
    }

    // floor(2^1024 / 5^n): dividing the floor by 5 again gives the next floor.
    let mut words = [0u64; WORDS];
    words[WORDS - 1] = 1;
    let mut q = -1;
    while q >= MIN {
        let mut remainder = 0u64;
        let mut i = WORDS;
        while i > 0 {
            i -= 1;
            let dividend = (remainder as u128) << 64 | words[i] as u128;
            words[i] = (dividend / 5) as u64;
            remainder = (dividend % 5) as u64;
        }
        let entry = top_bits(&words);
        assert!(entry.lo != u64::MAX, "the reader adds one to it");
        table[(q - MIN) as usize] = entry;
        q -= 1;
    }
    table
}
