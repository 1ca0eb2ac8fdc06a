//! Activations: how they are entered and left, and what limits them.
//!
//! Activations are counted as the reference implementation counts its stack
//! frames, or fewer: a call, a thunk, a field, an assertion, a level of
//! manifestation each take one. The native stack grows as it needs to: every
//! eighth activation looks whether there is room for the next eight.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Module, Outcome};
use crate::error::{Error, ErrorKind};
use crate::ir::{Code, Expr, ExprId};
use crate::value::{Function, Object, Record, Value};
use crate::vm::Vm;

/// What an expression is evaluated in.
pub(crate) struct Frame<'a> {
    pub(crate) module: &'a Rc<Module>,
    pub(crate) exprs: &'a [Expr],
    pub(crate) record: Option<&'a Record>,
    /// First of its slots.
    pub(crate) base: usize,
    pub(crate) this: Option<&'a Object>,
    pub(crate) layer: u32,
    pub(crate) callee: Option<&'a Function>,
    pub(crate) trim: Cell<Trim>,
}

/// Whether the activation may be given up for a call whose value is its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trim {
    No,
    /// It was called with `tailstrict`.
    May,
    /// It counts no more.
    Done,
}

/// What an activation starts from.
#[derive(Clone, Copy)]
pub(crate) struct Start<'a> {
    pub(crate) record: Option<&'a Record>,
    pub(crate) this: Option<(&'a Object, u32)>,
    pub(crate) callee: Option<&'a Function>,
    pub(crate) trim: Trim,
}

impl<'a> Start<'a> {
    /// That of code whose object is its record's.
    #[inline(always)]
    pub(crate) fn captured(record: Option<&'a Record>) -> Self {
        Self {
            record,
            this: record.and_then(|record| Some((record.this()?, record.layer()))),
            callee: None,
            trim: Trim::No,
        }
    }
}

/// Room on the native stack that eight activations never use up.
const RED_ZONE: usize = 256 << 10;
const SEGMENT: usize = 4 << 20;

/// Runs `work` with room on the native stack.
#[inline]
pub(crate) fn with_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, SEGMENT, work)
}

/// What a host asks itself from time to time: an error ends the evaluation.
pub type Watch = dyn FnMut() -> Result<(), Box<Error>>;

/// What ends an evaluation before its time.
pub(crate) struct Limits {
    /// Activations at once.
    pub(crate) depth: u32,
    /// Activations until [`Vm::checkpoint`].
    pub(crate) fuel: u32,
    /// Activations altogether that are still allowed.
    pub(crate) steps: Option<u64>,
    pub(crate) interrupt: Arc<AtomicBool>,
    /// Asked from time to time whether to go on.
    pub(crate) watch: Option<Box<Watch>>,
}

/// Activations between two looks at the clock, so to speak.
const FUEL: u32 = 4096;

impl Vm {
    /// Runs a body whose first slots from `base` on are filled. The caller
    /// empties them.
    #[inline]
    pub(crate) fn activate(
        &mut self,
        module: &Rc<Module>,
        code: Code,
        base: usize,
        start: Start<'_>,
    ) -> Outcome {
        self.activate_with(module, code, base, start, |_, _| Ok(()))
    }

    /// The same, after `prepare` has filled more slots.
    #[inline(always)]
    pub(crate) fn activate_with(
        &mut self,
        module: &Rc<Module>,
        code: Code,
        base: usize,
        start: Start<'_>,
        prepare: impl FnOnce(&mut Self, &Frame<'_>) -> Result<(), Box<Error>>,
    ) -> Outcome {
        let saved = self.depth;
        self.enter()?;
        let end = base + code.slots as usize;
        if self.stack.len() < end {
            self.stack.resize(end, Value::Null);
        }
        let (this, layer) = match start.this {
            Some((this, layer)) => (Some(this), layer),
            None => (None, 0),
        };
        let frame = Frame {
            module,
            exprs: &module.unit.exprs,
            record: start.record,
            base,
            this,
            layer,
            callee: start.callee,
            trim: Cell::new(start.trim),
        };
        prepare(self, &frame)?;
        // Activations that were given up do not count, but are still there.
        let look = self.depth.is_multiple_of(8) || start.trim == Trim::May;
        let outcome = if look {
            with_stack(|| self.eval(&frame, code.body))
        } else {
            self.eval(&frame, code.body)
        };
        self.depth = saved;
        match outcome {
            Err(error) if frame.trim.get() == Trim::Done => Err(error.skipping()),
            outcome => outcome,
        }
    }

    /// Empties the slots from `base` on. Most hold numbers, which need no drop.
    #[inline(always)]
    pub(crate) fn discard(&mut self, base: usize) {
        while self.stack.len() > base {
            match self.stack.pop() {
                Some(Value::Null | Value::Bool(_) | Value::Num(_)) | None => {}
                Some(other) => drop(other),
            }
        }
    }

    /// Counts an activation; the caller restores [`Vm::depth`].
    #[inline(always)]
    pub(crate) fn enter(&mut self) -> Result<(), Box<Error>> {
        if self.depth >= self.limits.depth {
            return Err(too_deep());
        }
        self.depth += 1;
        self.limits.fuel = self.limits.fuel.wrapping_sub(1);
        if self.limits.fuel == 0 {
            self.checkpoint()?;
        }
        Ok(())
    }

    /// Runs `work` as an activation of its own.
    pub(crate) fn nested<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Box<Error>>,
    ) -> Result<T, Box<Error>> {
        let saved = self.depth;
        self.enter()?;
        let outcome = with_stack(|| work(self));
        self.depth = saved;
        outcome
    }

    /// Looks at what may end the evaluation, and after the heap.
    #[cold]
    #[inline(never)]
    pub(crate) fn checkpoint(&mut self) -> Result<(), Box<Error>> {
        self.limits.fuel = FUEL;
        if self.limits.interrupt.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorKind::Interrupted, "interrupted".into()));
        }
        if let Some(watch) = &mut self.limits.watch {
            watch()?;
        }
        if let Some(steps) = &mut self.limits.steps {
            *steps = steps.saturating_sub(FUEL.into());
            if *steps == 0 {
                return Err(Error::new(ErrorKind::Limit, "step limit exceeded".into()));
            }
        }
        if self.store.heap.wants_collection() {
            self.store.heap.collect();
        }
        if self.store.heap.over_limit() {
            self.store.heap.collect();
            if self.store.heap.over_limit() {
                return Err(Error::new(ErrorKind::Limit, "memory limit exceeded".into()));
            }
        }
        Ok(())
    }
}

#[cold]
fn too_deep() -> Box<Error> {
    Error::runtime("max stack frames exceeded.")
}

impl Frame<'_> {
    /// The error with the place that this activation had come to.
    #[cold]
    #[inline(never)]
    pub(crate) fn at(&self, error: Box<Error>, expr: ExprId) -> Box<Error> {
        error.at(&self.module.unit, expr)
    }

    /// The error of `message` at the place that this activation had come to.
    #[cold]
    #[inline(never)]
    pub(crate) fn error(&self, message: impl Into<String>, expr: ExprId) -> Box<Error> {
        self.at(Error::runtime(message), expr)
    }
}
