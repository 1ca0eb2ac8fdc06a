//! The kernel against the scalar oracle: every implementation, text, policy
//! and output.

mod code_points;
mod forced;
mod guarded;
mod properties;
mod runner;
mod seeds;
mod vectors;
