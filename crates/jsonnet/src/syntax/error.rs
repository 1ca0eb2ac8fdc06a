//! Errors that are found before anything is evaluated.

use std::fmt;
use std::sync::Arc;

use super::source::{Source, Span};

/// What is wrong with a program's text, and where.
#[derive(Clone, Debug)]
pub struct StaticError(Box<Details>);

/// One pointer is what results carry about; the rest is behind it.
#[derive(Clone, Debug)]
struct Details {
    message: String,
    span: Span,
    source: Arc<Source>,
}

impl StaticError {
    /// An error at `span` of `source`.
    #[cold]
    pub fn new(source: &Arc<Source>, span: Span, message: impl Into<String>) -> Self {
        let source = Arc::clone(source);
        Self(Box::new(Details {
            message: message.into(),
            span,
            source,
        }))
    }

    /// The same, with what was going on.
    #[must_use]
    pub(super) fn while_(mut self, context: &str) -> Self {
        self.0.message.push_str(" while ");
        self.0.message.push_str(context);
        self
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Where.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// In which file.
    pub fn source(&self) -> &Arc<Source> {
        &self.0.source
    }

    /// The place, as `file:line:column-column`.
    pub fn location(&self) -> String {
        self.0.source.location(self.0.span)
    }
}

impl fmt::Display for StaticError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.location(), self.0.message)
    }
}

impl std::error::Error for StaticError {}
