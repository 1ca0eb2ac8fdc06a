//! The evaluator.
//!
//! - [`module`]: a unit as one VM knows it,
//! - [`frame`]: activations: their limits, their native stack,
//! - [`access`]: what the standard library and hosts use.

mod access;
mod frame;
mod interim;
mod module;

pub(crate) use frame::{Frame, Limits};
pub(crate) use module::Module;

pub use crate::vm::Vm;

use crate::error::Error;
use crate::value::Value;

/// What evaluation comes to.
pub type Outcome = Result<Value, Box<Error>>;
