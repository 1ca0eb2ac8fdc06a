//! Random texts of the kinds that occur.

use linecaster_kernel::testing::{Encoded, combinations};
use proptest::prelude::*;

use crate::runner::{check, check_sinks};

/// Characters of one range, with others strewn in.
fn characters() -> impl Strategy<Value = Vec<u32>> {
    let range = prop_oneof![
        Just(0x20..0x7F_u32),
        Just(0x00..0x80),
        Just(0x00..0x100),
        Just(0x400..0x460),
        Just(0x00..0x800),
        Just(0x4E00..0x9000),
        Just(0xD700..0xE100),
        Just(0x1_F300..0x1_F700),
        Just(0x00..0x11_0000),
    ];
    (range, 0..10_u32).prop_flat_map(|(range, ascii)| {
        let character = prop_oneof![10 => range, ascii => 0x00..0x80_u32];
        prop::collection::vec(character, 0..300)
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        rng_seed: prop::test_runner::RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_path_agrees_with_the_oracle(characters in characters()) {
        for combination in combinations() {
            if let Some(text) = Encoded::new(&characters, combination.text) {
                check(&combination, &text.units());
            }
        }
    }

    #[test]
    fn every_sink_agrees_with_the_oracle(characters in characters(), pick in any::<prop::sample::Index>()) {
        let all = combinations();
        let combination = &all[pick.index(all.len())];
        if let Some(text) = Encoded::new(&characters, combination.text) {
            check_sinks(combination, &text.units());
        }
    }
}
