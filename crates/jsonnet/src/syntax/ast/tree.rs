//! The vectors that hold a tree, and what is read from them.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::{
    Arg, Bind, Expr, ExprId, Field, Ident, List, Member, NameRef, ObjectComp, ObjectCompId, Param,
    SliceBounds, SliceId, Spec, Text,
};
use crate::syntax::source::{Source, Span};

/// The tree of one file.
#[derive(Debug)]
pub struct Ast {
    pub(in crate::syntax) source: Arc<Source>,
    pub(in crate::syntax) root: Option<ExprId>,
    pub(in crate::syntax) exprs: Vec<Expr>,
    pub(in crate::syntax) spans: Vec<Span>,
    pub(in crate::syntax) items: Vec<ExprId>,
    pub(in crate::syntax) args: Vec<Arg>,
    pub(in crate::syntax) params: Vec<Param>,
    pub(in crate::syntax) binds: Vec<Bind>,
    pub(in crate::syntax) members: Vec<Member>,
    pub(in crate::syntax) specs: Vec<Spec>,
    pub(in crate::syntax) object_comps: Vec<ObjectComp>,
    pub(in crate::syntax) slices: Vec<SliceBounds>,
    pub(in crate::syntax) idents: Vec<Text>,
    pub(in crate::syntax) decoded: String,
}

impl Ast {
    /// A tree without nodes.
    pub(in crate::syntax) fn new(source: Arc<Source>) -> Self {
        // Some files have a node per 10 bytes, few less than one per 30.
        let nodes = source.text().len() / 20 + 8;
        let (mut exprs, mut spans) = (Vec::with_capacity(nodes), Vec::with_capacity(nodes));
        exprs.push(Expr::Null);
        spans.push(Span::default());
        Self {
            source,
            root: None,
            exprs,
            spans,
            items: Vec::new(),
            args: Vec::new(),
            params: Vec::new(),
            binds: Vec::new(),
            members: Vec::new(),
            specs: Vec::new(),
            object_comps: Vec::new(),
            slices: Vec::new(),
            idents: Vec::new(),
            decoded: String::new(),
        }
    }

    /// Appends a node.
    #[inline]
    pub(in crate::syntax) fn push(&mut self, expr: Expr, span: Span) -> ExprId {
        let id = NonZeroU32::new(self.exprs.len() as u32).expect("position 0 is taken");
        self.exprs.push(expr);
        self.spans.push(span);
        ExprId(id)
    }

    /// The file that was parsed.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The expression that is the file's value.
    ///
    /// # Panics
    /// Never on a tree that the parser returned.
    pub fn root(&self) -> ExprId {
        self.root.expect("set by the parser")
    }

    /// An expression.
    #[inline]
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.index()]
    }

    /// Where it stands.
    #[inline]
    pub fn span(&self, id: ExprId) -> Span {
        self.spans[id.index()]
    }

    /// All expressions, children before parents; position 0 is unused.
    pub fn exprs(&self) -> &[Expr] {
        &self.exprs
    }

    /// Where each of [`Ast::exprs`] stands.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The items of a list.
    #[inline]
    pub fn list<T: Listed>(&self, list: List<T>) -> &[T] {
        &T::vector(self)[list.range()]
    }

    /// The parts of an object comprehension.
    pub fn object_comp(&self, id: ObjectCompId) -> ObjectComp {
        self.object_comps[id.0 as usize]
    }

    /// The bounds of a slice.
    pub fn slice(&self, id: SliceId) -> SliceBounds {
        self.slices[id.0 as usize]
    }

    /// A text.
    #[inline]
    pub fn text(&self, text: Text) -> &str {
        let from = if text.decoded {
            self.decoded.as_str()
        } else {
            self.source.text()
        };
        &from[text.range()]
    }

    /// A name.
    #[inline]
    pub fn ident(&self, ident: Ident) -> &str {
        self.text(self.idents[ident.0 as usize])
    }

    /// Where a name is spelled.
    #[inline]
    pub fn ident_text(&self, ident: Ident) -> Text {
        self.idents[ident.0 as usize]
    }

    /// Number of different names: idents are `0..ident_count()`.
    pub fn ident_count(&self) -> usize {
        self.idents.len()
    }

    /// Decoded texts; see [`Text`].
    pub fn decoded(&self) -> &str {
        &self.decoded
    }

    /// Where an identifier stands.
    pub fn name_span(&self, name: NameRef) -> Span {
        let text = self.idents[name.ident.0 as usize];
        Span {
            start: name.start,
            end: name.start + (text.end - text.start),
        }
    }

    /// Where a parameter stands, default included.
    pub fn param_span(&self, param: &Param) -> Span {
        let name = self.name_span(param.name);
        Span {
            start: name.start,
            end: param.default.map_or(name.end, |e| self.span(e).end),
        }
    }

    /// Where a bind stands, from its name to the end of its body.
    pub fn bind_span(&self, bind: &Bind) -> Span {
        Span {
            start: bind.name.start,
            end: self.span(bind.body).end,
        }
    }

    /// Where a field stands, from its name to the end of its body.
    pub fn field_span(&self, field: &Field) -> Span {
        Span {
            start: field.start,
            end: self.span(field.body).end,
        }
    }
}

/// What lists are made of.
pub trait Listed: Sized {
    /// The vector that holds the tree's items of this kind.
    fn vector(ast: &Ast) -> &[Self];
}

macro_rules! listed {
    ($($item:ty => $vector:ident),*) => {$(
        impl Listed for $item {
            #[inline]
            fn vector(ast: &Ast) -> &[Self] {
                &ast.$vector
            }
        }
    )*};
}
listed!(ExprId => items, Arg => args, Param => params, Bind => binds, Member => members, Spec => specs);
