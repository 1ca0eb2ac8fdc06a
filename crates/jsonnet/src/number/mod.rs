//! Elementary functions, bit for bit as Go's `math` package has them on a
//! machine with fused multiply-add.
//!
//! The last bit of a logarithm or a sine is the library's choice, and it shows
//! in what a program prints. The methods are the published ones that Go names
//! as its sources: FreeBSD's `msun` for the logarithm, N. Shibata's SIMD
//! evaluation (ISC 2010) for the exponential, S. Moshier's Cephes for the
//! circular functions.

#![allow(clippy::excessive_precision, reason = "the digits as published")]

mod circular;
mod exponential;

pub use circular::{acos, asin, atan, atan2, cos, sin, tan};
pub use exponential::{exp, frexp, hypot, log, pow, pow10};

#[cfg(test)]
mod tests {
    use super::*;

    /// Every function, bit for bit, on arguments of many sizes.
    #[test]
    fn as_recorded() {
        let recorded = include_str!("../../tests/data/elementary.txt");
        let mut rows = 0;
        for row in recorded.lines().filter(|line| !line.starts_with('#')) {
            let bits: Vec<Option<f64>> = row
                .split(' ')
                .map(|field| u64::from_str_radix(field, 16).ok().map(f64::from_bits))
                .collect();
            let (x, y) = (bits[0].unwrap(), bits[1].unwrap());
            let unary: [fn(f64) -> f64; 8] = [log, exp, sin, cos, tan, asin, acos, atan];
            let places = [2, 3, 5, 6, 7, 8, 9, 10];
            for (function, place) in unary.into_iter().zip(places) {
                same(function(x), bits[place], row, place);
            }
            same(pow(x, y), bits[4], row, 4);
            same(atan2(x, y), bits[11], row, 11);
            same(hypot(x, y), bits[12], row, 12);
            rows += 1;
        }
        assert_eq!(rows, 150);
    }

    fn same(ours: f64, recorded: Option<f64>, row: &str, place: usize) {
        match recorded {
            Some(recorded) => assert_eq!(ours.to_bits(), recorded.to_bits(), "{row}: {place}"),
            None => assert!(ours.is_nan(), "{row}: {place}"),
        }
    }

    #[test]
    fn the_ends_of_the_range() {
        assert_eq!(exp(710.0), f64::INFINITY);
        assert_eq!(exp(-1000.0), 0.0);
        assert_eq!(exp(1e300), f64::INFINITY);
        assert_eq!(exp(-1e300), 0.0);
        assert_eq!(pow10(308.0), 1.000_000_000_000_000_6e308);
        assert_eq!(pow10(400.0), f64::INFINITY);
        assert_eq!(pow10(-400.0), 0.0);
        assert_eq!(pow(-2.0, 3.0), -8.0);
        assert!(pow(-2.0, 0.5).is_nan());
        assert_eq!(pow(2.0, 1e300), f64::INFINITY);
        assert_eq!(sin(f64::MAX).abs().min(1.0), sin(f64::MAX).abs());
    }
}
