//! The language-neutral vectors of `testdata/escape`, recorded from what each
//! policy stands in for.

use std::collections::BTreeSet;
use std::path::PathBuf;

use linecaster_kernel::policy::Word;
use linecaster_kernel::testing::{Combination, Encoded, Path, combinations};
use serde::Deserialize;

use crate::runner::output;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "origin")]
    _origin: String,
    vector: Vec<Vector>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    note: String,
    input: Option<String>,
    units: Option<Vec<u32>>,
    output: String,
}

impl Vector {
    fn characters(&self) -> Vec<u32> {
        match (&self.input, &self.units) {
            (Some(text), None) => text.chars().map(u32::from).collect(),
            (None, Some(units)) => units.clone(),
            _ => panic!("{}: either input or units", self.note),
        }
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/escape")
}

fn check(combination: &Combination, vector: &Vector) {
    // The vectors are UTF-8: an output of units is their characters.
    let expected: Vec<u8> = match (combination.utf8, combination.width) {
        (true, _) => vector.output.clone().into_bytes(),
        (false, 1) => vector.output.chars().map(|c| c as u8).collect(),
        (false, 2) => {
            let units = vector.output.chars().map(|c| u32::from(c) as u16);
            units.flat_map(u16::to_ne_bytes).collect()
        }
        (false, _) => {
            let units = vector.output.chars().map(u32::from);
            units.flat_map(u32::to_ne_bytes).collect()
        }
    };
    let Some(text) = Encoded::new(&vector.characters(), combination.text) else {
        return;
    };
    for path in Path::available() {
        let got = output(combination, path, Word::EMPTY, &text.units(), Word::EMPTY);
        let got = got.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let expected = String::from_utf8_lossy(&expected).into_owned();
        assert_eq!(
            got,
            Ok(expected),
            "{path:?} {combination:?} {}",
            vector.note
        );
    }
}

#[test]
fn every_policy_has_vectors_and_meets_them() {
    let all = combinations();
    let policies: BTreeSet<&str> = all.iter().map(|one| one.policy).collect();
    for policy in &policies {
        let path = folder().join(format!("{policy}.toml"));
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let file: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        for vector in &file.vector {
            for combination in all.iter().filter(|one| one.policy == *policy) {
                check(combination, vector);
            }
        }
    }
    let files = std::fs::read_dir(folder()).expect("the folder").count();
    assert_eq!(files, policies.len(), "a file without a policy");
}
