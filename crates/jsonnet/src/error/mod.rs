//! Errors of evaluation, and their form in messages.
//!
//! A trace is built while the error goes up, so that evaluation which succeeds
//! pays nothing for it: each activation that the error leaves adds the place
//! that it had come to.

use std::fmt;
use std::sync::Arc;

use crate::ir::{ExprId, Unit};
use crate::syntax::StaticError;

/// Why an evaluation failed, and where.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    trace: Vec<TraceFrame>,
    /// The next place is not part of the trace: its activation was given up.
    skip: bool,
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
    wrong: Option<StaticError>,
}

/// Kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The program does not parse, or names a variable that is not there.
    Static,
    /// The evaluation failed.
    Runtime,
    /// The evaluation was interrupted.
    Interrupted,
    /// A limit of steps or memory was reached.
    Limit,
}

/// A line of a trace.
#[derive(Clone, Debug)]
pub struct TraceFrame(Place);

#[derive(Clone, Debug)]
enum Place {
    Code(Arc<Unit>, ExprId),
    Bare(Arc<Unit>, ExprId),
    Body(Arc<Unit>, ExprId),
    Note(String),
}

impl Error {
    /// An error that arises at the place that is added next.
    #[cold]
    pub fn new(kind: ErrorKind, message: String) -> Box<Self> {
        Box::new(Self {
            kind,
            message,
            trace: Vec::new(),
            skip: false,
            cause: None,
            wrong: None,
        })
    }

    /// An error in a text.
    #[cold]
    pub fn in_text(wrong: StaticError) -> Box<Self> {
        let mut error = Self::new(ErrorKind::Static, wrong.to_string());
        error.wrong = Some(wrong);
        error
    }

    /// An error of the evaluation.
    #[cold]
    pub fn runtime(message: impl Into<String>) -> Box<Self> {
        Self::new(ErrorKind::Runtime, message.into())
    }

    /// With what the host reported.
    #[must_use]
    pub fn caused_by(
        mut self: Box<Self>,
        cause: Box<dyn std::error::Error + Send + Sync>,
    ) -> Box<Self> {
        self.cause = Some(cause);
        self
    }

    /// What the host reported.
    pub fn cause(&self) -> Option<&(dyn std::error::Error + Send + Sync + 'static)> {
        self.cause.as_deref()
    }

    /// Of which kind it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What is wrong with the text, if that is the error.
    pub fn in_source(&self) -> Option<&StaticError> {
        self.wrong.as_ref()
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The places, innermost first.
    pub fn trace(&self) -> &[TraceFrame] {
        &self.trace
    }

    /// Adds the expression that an activation had come to.
    #[cold]
    #[must_use]
    pub fn at(mut self: Box<Self>, unit: &Arc<Unit>, expr: ExprId) -> Box<Self> {
        self.push(Place::Code(Arc::clone(unit), expr));
        self
    }

    /// Adds an expression that stands in no context.
    #[cold]
    #[must_use]
    pub fn at_bare(mut self: Box<Self>, unit: &Arc<Unit>, expr: ExprId) -> Box<Self> {
        self.push(Place::Bare(Arc::clone(unit), expr));
        self
    }

    /// Adds the body of a field that is added to the inherited one.
    #[cold]
    #[must_use]
    pub fn at_plus(mut self: Box<Self>, unit: &Arc<Unit>, body: ExprId) -> Box<Self> {
        self.push(Place::Body(Arc::clone(unit), body));
        self
    }

    /// Adds a line that names what was done instead of a place.
    #[cold]
    #[must_use]
    pub fn during(mut self: Box<Self>, note: impl Into<String>) -> Box<Self> {
        self.push(Place::Note(note.into()));
        self
    }

    /// Leaves out the place that is added next.
    #[must_use]
    pub(crate) fn skipping(mut self: Box<Self>) -> Box<Self> {
        self.skip = true;
        self
    }

    fn push(&mut self, place: Place) {
        if !std::mem::take(&mut self.skip) {
            self.trace.push(TraceFrame(place));
        }
    }

    /// The whole text, at most `max_trace` places of it (0: all).
    pub fn render(&self, max_trace: usize) -> String {
        let mut out = match self.kind {
            ErrorKind::Static => return self.render_static(),
            _ => format!("RUNTIME ERROR: {}\n", self.message),
        };
        let count = self.trace.len();
        let above = max_trace / 2;
        let below = max_trace - above;
        let mut at = 0;
        while at < count {
            if max_trace > 0 && at >= above && at + below < count {
                out.push_str("\t...\n");
                at = count - below;
                continue;
            }
            let frame = &self.trace[at];
            out.extend(["\t", &frame.location(), "\t", &frame.context(), "\n"]);
            at += 1;
        }
        out
    }
}

impl Error {
    /// The message and the lines that are wrong.
    fn render_static(&self) -> String {
        let mut out = format!("{}\n", self.message);
        if let Some(wrong) = &self.wrong {
            let source = wrong.source();
            let first = source.position(wrong.span().start).line;
            let last = source.position(wrong.span().end).line;
            out.push('\n');
            for line in first..=last {
                out.extend([source.line(line), "\n"]);
            }
        }
        out.push('\n');
        out
    }
}

impl TraceFrame {
    /// The place: `file:line:column-column`, or what was done.
    pub fn location(&self) -> String {
        match &self.0 {
            Place::Code(unit, expr) | Place::Bare(unit, expr) | Place::Body(unit, expr) => {
                unit.location(*expr)
            }
            Place::Note(note) => note.clone(),
        }
    }

    /// What surrounds the place.
    pub fn context(&self) -> String {
        match &self.0 {
            Place::Code(unit, expr) => unit.context_name(unit.context(*expr)),
            Place::Body(..) => "+:".into(),
            Place::Bare(..) | Place::Note(_) => String::new(),
        }
    }

    /// The file and the expression, if the place is one.
    pub fn place(&self) -> Option<(&Arc<Unit>, ExprId)> {
        match &self.0 {
            Place::Code(unit, expr) | Place::Bare(unit, expr) | Place::Body(unit, expr) => {
                Some((unit, *expr))
            }
            Place::Note(_) => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ErrorKind::Static => f.write_str(&self.message),
            _ => write!(f, "RUNTIME ERROR: {}", self.message),
        }
    }
}

impl std::error::Error for Error {}
