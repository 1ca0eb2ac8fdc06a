//! The evaluator.
//!
//! - [`module`] - a unit as one VM knows it,
//! - [`frame`] - activations: their limits, their native stack,
//! - [`expr`] - expressions,
//! - [`lazy`] - operands, records, thunks, `local`,
//! - [`call`] - calls,
//! - [`object`] - fields, `super`, assertions, object literals,
//! - [`comp`] - comprehensions,
//! - [`operator`], [`relation`] - operators on values,
//! - [`access`] - what the standard library and hosts use.

mod access;
mod call;
mod comp;
mod expr;
mod frame;
mod lazy;
mod module;
mod object;
mod operator;
mod relation;
#[cfg(test)]
mod tests;

pub(crate) use access::{not_finite, unexpected};
pub(crate) use call::Handed;
pub use frame::Watch;
pub(crate) use frame::{Frame, Limits};
pub(crate) use module::Module;
pub(crate) use operator::spell_g;

pub use crate::vm::Vm;

use crate::error::Error;
use crate::value::Value;

/// What evaluation comes to.
pub type Outcome = Result<Value, Box<Error>>;
