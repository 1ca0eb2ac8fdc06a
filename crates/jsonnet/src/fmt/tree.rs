//! The formatter's tree: the syntax with its fodder, made to be changed.

use std::mem;

use super::fodder::Fodder;
use crate::syntax::ast::{BinaryOp, StringKind, UnaryOp, Visibility};

/// An expression.
#[derive(Debug)]
pub struct Node {
    /// What stands before its first token; empty if that belongs to a child.
    pub fodder: Fodder,
    pub kind: Kind,
}

/// A keyword or operator with the fodder before it, and what follows.
pub type Follower = (Fodder, Box<Node>);

/// What an expression is.
#[derive(Debug)]
pub enum Kind {
    /// One token that is left as it is.
    Word(String),
    Var(String),
    Str(Str),
    Array(Array),
    ArrayComp {
        body: Box<Node>,
        comma: Fodder,
        trailing: bool,
        specs: Vec<ForSpec>,
        close: Fodder,
    },
    Object(Object),
    ApplyBrace {
        left: Box<Node>,
        right: Box<Node>,
    },
    Apply {
        target: Box<Node>,
        args: Args,
        tailstrict: Option<Fodder>,
    },
    Field {
        target: Box<Node>,
        dot: Fodder,
        before_name: Fodder,
        name: String,
    },
    Index {
        target: Box<Node>,
        left: Fodder,
        index: Box<Node>,
        right: Fodder,
    },
    Slice(Box<Slice>),
    SuperField {
        dot: Fodder,
        before_name: Fodder,
        name: String,
    },
    SuperIndex {
        left: Fodder,
        index: Box<Node>,
        right: Fodder,
    },
    InSuper {
        index: Box<Node>,
        before_in: Fodder,
        before_super: Fodder,
    },
    Function {
        params: Params,
        body: Box<Node>,
    },
    Local {
        binds: Vec<Bind>,
        body: Box<Node>,
    },
    If {
        cond: Box<Node>,
        then: Follower,
        otherwise: Option<Follower>,
    },
    Binary {
        left: Box<Node>,
        before_op: Fodder,
        op: BinaryOp,
        right: Box<Node>,
    },
    Unary {
        op: UnaryOp,
        operand: Box<Node>,
    },
    Parens {
        inner: Box<Node>,
        close: Fodder,
    },
    Assert {
        cond: Box<Node>,
        message: Option<Follower>,
        semicolon: Fodder,
        rest: Box<Node>,
    },
    Error(Box<Node>),
    Import {
        word: &'static str,
        file: Box<Node>,
    },
}

/// A string literal.
#[derive(Debug)]
pub struct Str {
    pub kind: StringKind,
    /// Between plain quotes as written, else what it means.
    pub value: String,
    /// Of a text block's lines and end.
    pub indent: String,
    pub end_indent: String,
}

#[derive(Debug)]
pub struct Item {
    pub value: Node,
    pub comma: Fodder,
}

#[derive(Debug)]
pub struct Array {
    pub items: Vec<Item>,
    pub trailing: bool,
    pub close: Fodder,
}

/// An object, or with specs an object comprehension.
#[derive(Debug)]
pub struct Object {
    pub members: Vec<Member>,
    pub trailing: bool,
    pub specs: Vec<ForSpec>,
    pub close: Fodder,
}

#[derive(Debug)]
pub struct Slice {
    pub target: Node,
    pub left: Fodder,
    /// Start, end and step.
    pub bounds: [Option<Node>; 3],
    /// Before the first and the second colon.
    pub colons: [Fodder; 2],
    pub right: Fodder,
}

/// `for name in iter`, and the `if`s after it.
#[derive(Debug)]
pub struct ForSpec {
    pub fodder: Fodder,
    pub before_name: Fodder,
    pub name: String,
    pub before_in: Fodder,
    pub iter: Node,
    pub ifs: Vec<(Fodder, Node)>,
}

#[derive(Debug)]
pub struct Args {
    pub left: Fodder,
    pub list: Vec<Arg>,
    pub trailing: bool,
    pub right: Fodder,
}

#[derive(Debug)]
pub struct Arg {
    pub name: Option<(Fodder, String)>,
    pub value: Node,
    pub comma: Fodder,
}

impl Arg {
    /// What stands before it.
    pub fn fodder(&mut self) -> &mut Fodder {
        match &mut self.name {
            Some((fodder, _)) => fodder,
            None => self.value.open(),
        }
    }
}

#[derive(Debug)]
pub struct Params {
    pub left: Fodder,
    pub list: Vec<Param>,
    pub trailing: bool,
    pub right: Fodder,
}

#[derive(Debug)]
pub struct Param {
    pub fodder: Fodder,
    pub name: String,
    pub default: Option<Follower>,
    pub comma: Fodder,
}

#[derive(Debug)]
pub struct Bind {
    pub fodder: Fodder,
    pub name: String,
    pub params: Option<Params>,
    pub before_assign: Fodder,
    pub body: Box<Node>,
    /// Before the comma or semicolon, if there is one.
    pub close: Fodder,
}

/// What stands between the braces of an object.
#[derive(Debug)]
pub enum Member {
    Local {
        fodder: Fodder,
        bind: Bind,
    },
    Assert {
        fodder: Fodder,
        cond: Node,
        message: Option<Follower>,
        comma: Fodder,
    },
    Field(Box<Field>),
}

#[derive(Debug)]
pub struct Field {
    pub name: Name,
    pub params: Option<Params>,
    pub before_op: Fodder,
    pub plus: bool,
    pub visibility: Visibility,
    pub body: Node,
    pub comma: Fodder,
}

#[derive(Debug)]
pub enum Name {
    Ident(Fodder, String),
    Str(Node),
    Expr(Fodder, Node, Fodder),
}

impl Member {
    /// What stands before it.
    pub fn fodder(&mut self) -> &mut Fodder {
        match self {
            Self::Local { fodder, .. } | Self::Assert { fodder, .. } => fodder,
            Self::Field(field) => match &mut field.name {
                Name::Ident(fodder, _) | Name::Expr(fodder, ..) => fodder,
                Name::Str(literal) => &mut literal.fodder,
            },
        }
    }

    /// What stands before the comma after it.
    pub fn comma(&mut self) -> &mut Fodder {
        match self {
            Self::Local { bind, .. } => &mut bind.close,
            Self::Assert { comma, .. } => comma,
            Self::Field(field) => &mut field.comma,
        }
    }
}

impl Node {
    pub fn new(fodder: Fodder, kind: Kind) -> Self {
        Self { fodder, kind }
    }

    /// The operand that the expression begins with.
    pub fn first_operand(&mut self) -> Option<&mut Self> {
        match &mut self.kind {
            Kind::Apply { target: first, .. }
            | Kind::ApplyBrace { left: first, .. }
            | Kind::Binary { left: first, .. }
            | Kind::Field { target: first, .. }
            | Kind::Index { target: first, .. }
            | Kind::InSuper { index: first, .. } => Some(first),
            Kind::Slice(slice) => Some(&mut slice.target),
            _ => None,
        }
    }

    /// Whether the first token is a child's.
    pub fn begins_with_operand(&self) -> bool {
        matches!(
            self.kind,
            Kind::Apply { .. }
                | Kind::ApplyBrace { .. }
                | Kind::Binary { .. }
                | Kind::Field { .. }
                | Kind::Index { .. }
                | Kind::InSuper { .. }
                | Kind::Slice(_)
        )
    }

    /// The node that has the expression's first token.
    pub fn first_leaf(&mut self) -> &mut Self {
        let mut node = self;
        while node.begins_with_operand() {
            node = match node.first_operand() {
                Some(first) => first,
                None => unreachable!("it begins with an operand"),
            };
        }
        node
    }

    /// What stands before the expression's first token.
    pub fn open(&mut self) -> &mut Fodder {
        &mut self.first_leaf().fodder
    }

    /// Takes the kind out, to be put back changed.
    pub fn take_kind(&mut self) -> Kind {
        mem::replace(&mut self.kind, Kind::Word(String::new()))
    }

    /// Takes the whole node out.
    pub fn take(&mut self) -> Self {
        mem::replace(self, Self::new(Vec::new(), Kind::Word(String::new())))
    }
}
