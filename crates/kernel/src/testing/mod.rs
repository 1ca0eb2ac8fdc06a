//! What tests, fuzz targets and benchmarks need to hold the kernel against:
//! the scalar oracle, and every combination of text, policy and output as
//! plain data. Behind the feature `testing`.

mod combination;
mod encoded;
mod oracle;

pub use combination::{Combination, Path, Units, combinations};
pub use encoded::Encoded;
pub use oracle::oracle;
