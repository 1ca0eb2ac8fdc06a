//! Integers to text, held against the standard library.

use std::mem::MaybeUninit;

use linecaster_kernel::number::{
    I64_LEN, I128_LEN, IntBuffer, U64_LEN, U128_LEN, big_capacity, write_big_u30, write_big_u64,
    write_i64, write_i128, write_u64, write_u128,
};

mod number_samples;
use number_samples::Random;

/// The text that `write` leaves, with a check that it keeps to `room` bytes.
fn guarded(room: usize, write: impl FnOnce(*mut u8) -> usize) -> String {
    let mut buffer = vec![0xaa_u8; room + 16];
    let len = write(buffer[8..].as_mut_ptr());
    assert_eq!(buffer[..8], [0xaa; 8], "wrote before its room");
    assert_eq!(buffer[8 + room..], [0xaa; 8], "wrote behind its room");
    String::from_utf8(buffer[8..8 + len].to_vec()).unwrap()
}

fn check(v: u128) {
    let narrow = v as u64;
    // SAFETY: `guarded` gives the room that each writer names.
    unsafe {
        let text = guarded(U64_LEN, |dst| write_u64(dst, narrow));
        assert_eq!(text, narrow.to_string());
        let text = guarded(I64_LEN, |dst| write_i64(dst, narrow as i64));
        assert_eq!(text, (narrow as i64).to_string());
        let text = guarded(I64_LEN, |dst| {
            write_i64(dst, (narrow as i64).wrapping_neg())
        });
        assert_eq!(text, (narrow as i64).wrapping_neg().to_string());
        let text = guarded(U128_LEN, |dst| write_u128(dst, v));
        assert_eq!(text, v.to_string());
        let text = guarded(I128_LEN, |dst| write_i128(dst, v as i128));
        assert_eq!(text, (v as i128).to_string());
        let text = guarded(I128_LEN, |dst| write_i128(dst, (v as i128).wrapping_neg()));
        assert_eq!(text, (v as i128).wrapping_neg().to_string());
    }
}

#[test]
fn every_small_integer() {
    for v in 0..200_000 {
        check(v);
    }
}

#[test]
fn both_sides_of_every_power() {
    for bit in 0..128 {
        for step in 0..5 {
            check((1_u128 << bit).wrapping_add(step).wrapping_sub(2));
        }
    }
    for power in 0..=38 {
        for digit in 1..=9 {
            for step in 0..5 {
                let v = 10_u128.pow(power).wrapping_mul(digit);
                check(v.wrapping_add(step).wrapping_sub(2));
            }
        }
    }
    check(u128::MAX);
}

#[test]
fn random_integers_of_every_length() {
    let mut random = Random::new(1);
    for _ in 0..300_000 {
        let v = u128::from(random.next()) << 64 | u128::from(random.next());
        check(v >> (random.next() % 128));
    }
}

#[test]
fn safe_buffer() {
    let mut buffer = IntBuffer::new();
    assert_eq!(buffer.format_u64(u64::MAX), "18446744073709551615");
    assert_eq!(buffer.format_i64(i64::MIN), "-9223372036854775808");
    assert_eq!(buffer.format_u128(u128::MAX), u128::MAX.to_string());
    assert_eq!(buffer.format_i128(i128::MIN), i128::MIN.to_string());
}

/// Decimal text by schoolbook division, least significant digit first.
fn oracle(digits: &[u64]) -> String {
    let mut digits = digits.to_vec();
    let mut text = Vec::new();
    loop {
        let mut remainder = 0_u128;
        for digit in digits.iter_mut().rev() {
            let dividend = remainder << 64 | u128::from(*digit);
            *digit = (dividend / 10) as u64;
            remainder = dividend % 10;
        }
        text.push(b'0' + remainder as u8);
        if digits.iter().all(|&digit| digit == 0) {
            text.reverse();
            return String::from_utf8(text).unwrap();
        }
    }
}

fn thirty_bit_digits(digits: &[u64]) -> Vec<u32> {
    let bit = |at: usize| digits[at / 64] >> (at % 64) & 1;
    let bits = digits.len() * 64;
    (0..bits)
        .step_by(30)
        .map(|start| {
            let end = bits.min(start + 30);
            (start..end)
                .rev()
                .fold(0, |digit, at| digit << 1 | bit(at) as u32)
        })
        .collect()
}

/// Runs a writer in a buffer of the least allowed length.
fn big(bits: usize, write: impl FnOnce(&mut [MaybeUninit<u8>]) -> usize) -> String {
    let mut buffer = vec![MaybeUninit::uninit(); big_capacity(bits)];
    let len = write(&mut buffer);
    // SAFETY: the writer has initialised the bytes of the text.
    let text = buffer[..len]
        .iter()
        .map(|byte| unsafe { byte.assume_init() });
    String::from_utf8(text.collect()).unwrap()
}

fn check_big(digits: &[u64]) {
    let expected = oracle(digits);
    assert_eq!(
        big(digits.len() * 64, |buffer| write_big_u64(buffer, digits)),
        expected
    );
    let thirty = thirty_bit_digits(digits);
    assert_eq!(
        big(thirty.len() * 30, |buffer| write_big_u30(buffer, &thirty)),
        expected
    );
}

#[test]
fn big_integers() {
    let mut random = Random::new(2);
    for len in 1..60 {
        check_big(&vec![0; len]);
        check_big(&vec![u64::MAX; len]);
        let mut digits = vec![0; len];
        digits[len - 1] = 1;
        check_big(&digits);
        digits[len - 1] = 1 << 63;
        check_big(&digits);
        for _ in 0..40 {
            digits.fill_with(|| random.next());
            check_big(&digits);
            digits[len - 1] >>= random.next() % 64;
            check_big(&digits);
        }
    }
    assert_eq!(big(0, |buffer| write_big_u30(buffer, &[])), "0");
    assert_eq!(big(0, |buffer| write_big_u64(buffer, &[])), "0");
}

/// Places that are all nines or end in zeros: 10^n - 1, 10^n, 10^n + 1.
#[test]
fn big_powers_of_ten() {
    let mut power = vec![1_u64];
    for _ in 0..400 {
        let mut carry = 0_u128;
        for digit in &mut power {
            carry += u128::from(*digit) * 10;
            *digit = carry as u64;
            carry >>= 64;
        }
        if carry != 0 {
            power.push(carry as u64);
        }
        check_big(&power);
        for step in [1, u64::MAX] {
            let mut near = power.clone();
            // The lowest digit neither overflows nor underflows: it is even
            // and, up to 10^63, not zero.
            if near[0] != 0 {
                near[0] = near[0].wrapping_add(step);
                check_big(&near);
            }
        }
    }
}

#[test]
#[should_panic(expected = "shorter than big_capacity")]
fn big_refuses_a_short_buffer() {
    let mut buffer = vec![MaybeUninit::uninit(); big_capacity(90) - 1];
    write_big_u30(&mut buffer, &[1, 2, 3]);
}
