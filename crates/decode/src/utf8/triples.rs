//! UTF-8 of nothing but three-byte characters, by byte shuffles.
//!
//! Everything here is inlined into functions of [`crate::dispatch`] that run on
//! machines with AVX2 alone. (No closures: they would be compiled without it.)

use core::arch::x86_64::{
    __m128i, __m256i, _mm_loadu_si128, _mm_setr_epi8, _mm_storeu_si128, _mm256_and_si256,
    _mm256_broadcastsi128_si256, _mm256_castsi128_si256, _mm256_castsi256_si128,
    _mm256_cmpeq_epi32, _mm256_cmpgt_epi32, _mm256_inserti128_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_or_si256, _mm256_packus_epi32, _mm256_permute4x64_epi64,
    _mm256_set1_epi32, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_testz_si256,
    _mm256_xor_si256,
};

/// Bytes of the eight characters that [`triples`] takes at a time, and how many
/// it loads for them.
const TRIPLES: usize = 24;
const TRIPLES_LOADED: usize = 28;

/// Checks and writes text all of whose characters are of three bytes, as that
/// of an East Asian language often is; whether it is, and well formed.
///
/// # Safety
/// The machine has AVX2, `len <= text.len()`, and `to` has room for `len / 3`.
#[inline(always)]
pub unsafe fn triples(text: &[u8], len: usize, to: *mut u16) -> bool {
    if len < TRIPLES || !len.is_multiple_of(3) || len - TRIPLES + TRIPLES_LOADED > text.len() {
        return false;
    }
    let last = len - TRIPLES;
    // SAFETY: the last load begins at `last`, and all end within the text.
    unsafe {
        let mut faults = _mm256_setzero_si256();
        let mut at = 0;
        loop {
            let (units, fault) = eight_triples(text.as_ptr().add(at));
            faults = _mm256_or_si256(faults, fault);
            _mm_storeu_si128(to.add(at / 3).cast(), units);
            if at == last {
                break;
            }
            at = last.min(at + TRIPLES);
        }
        _mm256_testz_si256(faults, faults) != 0
    }
}

/// Eight characters of three bytes each, and bits wherever one is none.
///
/// # Safety
/// The machine has AVX2, and [`TRIPLES_LOADED`] bytes lie at `from`.
#[inline(always)]
unsafe fn eight_triples(from: *const u8) -> (__m128i, __m256i) {
    // SAFETY: the machine has the instructions; the loads are of 16 bytes each,
    // the second from the twelfth on.
    unsafe {
        // Each lane gets the bytes of one character, the last one lowest.
        let bytes = _mm256_inserti128_si256::<1>(
            _mm256_castsi128_si256(_mm_loadu_si128(from.cast())),
            _mm_loadu_si128(from.add(TRIPLES / 2).cast()),
        );
        let order = _mm_setr_epi8(2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1);
        let lanes = _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(order));
        let marks = _mm256_and_si256(lanes, _mm256_set1_epi32(0x00F0_C0C0));
        let wrong_marks = _mm256_xor_si256(marks, _mm256_set1_epi32(0x00E0_8080));
        // Six bits of each continuation, four of the lead.
        let bits = _mm256_and_si256(lanes, _mm256_set1_epi32(0x000F_3F3F));
        let pairs = _mm256_maddubs_epi16(bits, _mm256_set1_epi32(0x0001_4001));
        let points = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x1000_0001));
        // U+0800 and more take three bytes; surrogates are no characters.
        let overlong = _mm256_cmpgt_epi32(_mm256_set1_epi32(0x800), points);
        let upper = _mm256_and_si256(points, _mm256_set1_epi32(0xF800));
        let surrogate = _mm256_cmpeq_epi32(upper, _mm256_set1_epi32(0xD800));
        let faults = _mm256_or_si256(wrong_marks, _mm256_or_si256(overlong, surrogate));
        let units = _mm256_packus_epi32(points, points);
        let units = _mm256_permute4x64_epi64::<0b00_00_10_00>(units);
        (_mm256_castsi256_si128(units), faults)
    }
}
