//! Indentation after the structure of the code.
//!
//! The pass models where the writer will be: it keeps the column as if the
//! tree were written, and sets the indents of line breaks on its way. What
//! follows an opening on the same line is lined up with it, what begins a line
//! of its own is indented by one more level.

use super::Options;
use super::fodder::{Element, FodderKind, breaks, same_line};
use super::tree::{Args, Array, Bind, Follower, ForSpec, Kind, Node, Params, Slice, Str};
use crate::syntax::ast::StringKind;
use crate::syntax::parser::{RED_ZONE, STACK_CHUNK};

/// Indents a whole file.
pub fn indent(root: &mut Node, last: &mut [Element], options: &Options) {
    let mut pass = Indentation { column: 0, options };
    pass.node(
        root,
        Indent {
            base: 0,
            line_up: 0,
        },
        false,
    );
    set_indents(last, 0, 0);
}

/// How far lines of an expression are indented.
#[derive(Clone, Copy)]
pub(super) struct Indent {
    /// What deeper levels are derived from.
    pub(super) base: usize,
    /// Where lines begin.
    pub(super) line_up: usize,
}

pub(super) struct Indentation<'o> {
    pub(super) column: usize,
    pub(super) options: &'o Options,
}

/// Sets the indents of all line breaks, and that of the last one.
fn set_indents(fodder: &mut [Element], all: usize, last: usize) {
    let mut line_breaks = fodder.iter_mut().filter(|element| element.breaks()).rev();
    if let Some(element) = line_breaks.next() {
        element.indent = last;
    }
    line_breaks.for_each(|element| element.indent = all);
}

impl Indentation<'_> {
    /// Sets indents and goes over the fodder; for the flags see
    /// [`super::write`].
    pub(super) fn fill_last(
        &mut self,
        f: &mut [Element],
        mut crowded: bool,
        separate: bool,
        all: usize,
        last: usize,
    ) {
        set_indents(f, all, last);
        for element in f {
            if element.kind == FodderKind::Interstitial {
                self.column +=
                    usize::from(crowded) + element.comment.first().map_or(0, String::len);
                crowded = true;
            } else {
                self.column = element.indent;
                crowded = false;
            }
        }
        self.column += usize::from(separate && crowded);
    }

    pub(super) fn fill(
        &mut self,
        fodder: &mut [Element],
        crowded: bool,
        separate: bool,
        indent: usize,
    ) {
        self.fill_last(fodder, crowded, separate, indent, indent);
    }

    /// One level more than `old`.
    fn deeper(&self, old: Indent) -> Indent {
        let level = old.base + self.options.indent;
        Indent {
            base: level,
            line_up: level,
        }
    }

    /// For what is lined up if its first part, after `first`, is on this line.
    pub(super) fn new_indent(&self, first: &[Element], old: Indent, line_up: usize) -> Indent {
        if same_line(first) {
            Indent {
                base: old.base,
                line_up,
            }
        } else {
            self.deeper(old)
        }
    }

    /// The same, where deeper levels are lined up as well.
    fn strong_indent(&self, first: &[Element], old: Indent, line_up: usize) -> Indent {
        if same_line(first) {
            Indent {
                base: line_up,
                line_up,
            }
        } else {
            self.deeper(old)
        }
    }

    /// A child after a keyword, with a space between.
    fn after_word(&mut self, node: &mut Node, old: Indent) {
        let indent = self.new_indent(node.open(), old, self.column + 1);
        self.node(node, indent, true);
    }

    pub(super) fn node(&mut self, node: &mut Node, current: Indent, crowded: bool) {
        stacker::maybe_grow(RED_ZONE, STACK_CHUNK, || {
            let separate = !node.begins_with_operand();
            self.fill(&mut node.fodder, crowded, separate, current.line_up);
            if separate {
                self.kind(&mut node.kind, current);
            } else {
                self.operation(&mut node.kind, current, crowded);
            }
        });
    }

    /// What begins with an operand.
    fn operation(&mut self, kind: &mut Kind, current: Indent, crowded: bool) {
        match kind {
            Kind::Apply {
                target,
                args,
                tailstrict,
            } => {
                let indent = self.align(target, current, crowded);
                self.node(target, indent, crowded);
                self.fill(&mut args.left, false, false, indent.line_up);
                self.args(args, current);
                if let Some(tailstrict) = tailstrict {
                    self.fill(tailstrict, true, true, current.base);
                    self.column += "tailstrict".len();
                }
            }
            Kind::ApplyBrace { left, right } => {
                let indent = self.align(left, current, crowded);
                self.node(left, indent, crowded);
                self.node(right, indent, true);
            }
            Kind::Binary {
                left,
                before_op,
                op,
                right,
            } => {
                let mut indent = self.align(left, current, crowded);
                if same_line(left.open()) && (breaks(before_op) || breaks(right.open())) {
                    indent.base = indent.line_up;
                }
                self.node(left, indent, crowded);
                self.fill(before_op, true, true, indent.line_up);
                self.column += op.spelling().len();
                self.node(right, indent, true);
            }
            Kind::InSuper {
                index,
                before_in,
                before_super,
            } => {
                self.node(index, current, crowded);
                self.fill(before_in, true, true, current.line_up);
                self.column += "in".len();
                self.fill(before_super, true, true, current.line_up);
                self.column += "super".len();
            }
            Kind::Field {
                target,
                dot,
                before_name,
                name,
            } => {
                self.node(target, current, crowded);
                self.fill(dot, false, false, current.line_up);
                self.name_after_dot(before_name, name, current);
            }
            Kind::Index {
                target,
                left,
                index,
                right,
            } => {
                self.node(target, current, crowded);
                self.fill(left, false, false, current.line_up);
                self.in_brackets(index, right, current);
            }
            Kind::Slice(slice) => self.slice(slice, current, crowded),
            _ => {}
        }
    }

    /// For what goes on where its first operand begins.
    fn align(&self, first: &mut Node, current: Indent, crowded: bool) -> Indent {
        let column = self.column + usize::from(crowded);
        if same_line(first.open()) {
            Indent {
                base: current.base,
                line_up: column,
            }
        } else {
            current
        }
    }

    /// What begins with a token of its own.
    fn kind(&mut self, kind: &mut Kind, current: Indent) {
        match kind {
            Kind::Word(word) | Kind::Var(word) => self.column += word.len(),
            Kind::Str(literal) => self.string(literal, current),
            Kind::Array(array) => self.array(array, current),
            Kind::ArrayComp {
                body,
                comma,
                trailing,
                specs,
                close,
            } => {
                let pad = self.options.pad_arrays;
                self.column += 1;
                let indent = self.new_indent(body.open(), current, self.column + usize::from(pad));
                self.node(body, indent, pad);
                self.fill(comma, false, false, indent.line_up);
                self.column += usize::from(*trailing);
                self.specs(specs, indent);
                self.fill_last(close, true, pad, indent.line_up, current.base);
                self.column += 1;
            }
            Kind::Object(object) => self.object(object, current),
            Kind::SuperField {
                dot,
                before_name,
                name,
            } => {
                self.column += "super".len();
                self.fill(dot, false, false, current.line_up);
                self.name_after_dot(before_name, name, current);
            }
            Kind::SuperIndex { left, index, right } => {
                self.column += "super".len();
                self.fill(left, false, false, current.line_up);
                self.in_brackets(index, right, current);
            }
            Kind::Function { params, body } => {
                self.column += "function".len();
                self.params(params, current);
                self.after_word(body, current);
            }
            Kind::Local { binds, body } => self.local(binds, body, current),
            Kind::If {
                cond,
                then,
                otherwise,
            } => {
                self.column += "if".len();
                self.after_word(cond, current);
                for (fodder, branch) in std::iter::once(then).chain(otherwise) {
                    self.fill(fodder, true, true, current.base);
                    self.column += "then".len();
                    self.after_word(branch, current);
                }
            }
            Kind::Unary { op, operand } => {
                self.column += op.spelling().len();
                let indent = self.new_indent(operand.open(), current, self.column);
                let dollar = matches!(&operand.first_leaf().kind, Kind::Word(word) if word == "$");
                self.node(operand, indent, dollar);
            }
            Kind::Parens { inner, close } => {
                self.column += 1;
                let indent = self.strong_indent(inner.open(), current, self.column);
                self.node(inner, indent, false);
                self.fill_last(close, false, false, indent.line_up, current.base);
                self.column += 1;
            }
            Kind::Assert {
                cond,
                message,
                semicolon,
                rest,
            } => {
                self.column += "assert".len();
                let indent = self.new_indent(cond.open(), current, self.column + 1);
                self.node(cond, indent, true);
                self.message(message, indent);
                self.fill(semicolon, false, false, indent.line_up);
                self.column += 1;
                self.node(rest, current, true);
            }
            Kind::Error(message) => {
                self.column += "error".len();
                self.after_word(message, current);
            }
            Kind::Import { word, file } => {
                self.column += word.len();
                self.after_word(file, current);
            }
            _ => {}
        }
    }

    /// `: message`
    pub(super) fn message(&mut self, message: &mut Option<Follower>, indent: Indent) {
        if let Some((colon, message)) = message {
            self.fill(colon, true, true, indent.line_up);
            self.column += 1;
            self.node(message, indent, true);
        }
    }

    fn name_after_dot(&mut self, before_name: &mut [Element], name: &str, current: Indent) {
        self.column += 1;
        let indent = self.new_indent(before_name, current, self.column);
        self.fill(before_name, false, false, indent.line_up);
        self.column += name.len();
    }

    /// `[index]`
    fn in_brackets(&mut self, index: &mut Node, right: &mut [Element], current: Indent) {
        self.column += 1;
        let indent = self.new_indent(index.open(), current, self.column);
        self.node(index, indent, false);
        self.fill_last(right, false, false, indent.line_up, current.base);
        self.column += 1;
    }

    fn slice(&mut self, slice: &mut Slice, current: Indent, crowded: bool) {
        self.node(&mut slice.target, current, crowded);
        self.fill(&mut slice.left, false, false, current.line_up);
        self.column += 1;
        let [start, end, step] = &mut slice.bounds;
        let [first_colon, second_colon] = &mut slice.colons;
        let nothing = start.is_none() && end.is_none() && step.is_none();
        let mut indent = Indent {
            base: 0,
            line_up: 0,
        };
        if let Some(start) = start {
            indent = self.new_indent(start.open(), current, self.column);
            self.node(start, indent, false);
        }
        if end.is_some() || step.is_some() || nothing {
            indent = self.new_indent(first_colon, current, self.column);
            self.fill(first_colon, false, false, indent.line_up);
            self.column += 1;
        }
        if let Some(end) = end {
            self.node(end, indent, false);
        }
        if let Some(step) = step {
            self.fill(second_colon, false, false, indent.line_up);
            self.column += 1;
            self.node(step, indent, false);
        }
        self.column += 1;
    }

    fn string(&mut self, literal: &mut Str, current: Indent) {
        let value = &literal.value;
        let doubled = |quote| value.chars().count() + value.matches(quote).count();
        match literal.kind {
            StringKind::Double | StringKind::Single => self.column += value.len() + 2,
            StringKind::VerbatimSingle => self.column += 3 + doubled('\''),
            StringKind::VerbatimDouble => self.column += 3 + doubled('"'),
            StringKind::Block => {
                literal.indent = " ".repeat(current.base + self.options.indent);
                literal.end_indent = " ".repeat(current.base);
                self.column = current.base + "|||".len();
            }
        }
    }

    fn array(&mut self, array: &mut Array, current: Indent) {
        let pad = self.options.pad_arrays;
        self.column += 1;
        let column = self.column + usize::from(pad);
        let strong = array
            .items
            .iter_mut()
            .skip(1)
            .any(|item| breaks(item.value.open()));
        let first = match array.items.first_mut() {
            Some(item) => item.value.open(),
            None => &array.close,
        };
        let indent = if strong {
            self.strong_indent(first, current, column)
        } else {
            self.new_indent(first, current, column)
        };
        for (place, item) in array.items.iter_mut().enumerate() {
            self.column += usize::from(place > 0);
            self.node(&mut item.value, indent, place > 0 || pad);
            self.fill(&mut item.comma, false, false, indent.line_up);
        }
        self.column += usize::from(array.trailing);
        let crowded = !array.items.is_empty();
        self.fill_last(&mut array.close, crowded, pad, indent.line_up, current.base);
        self.column += 1;
    }

    /// `(args)`, from the bracket on.
    fn args(&mut self, args: &mut Args, current: Indent) {
        self.column += 1;
        let strong = args.list.iter_mut().skip(1).any(|arg| breaks(arg.fodder()));
        let first = match args.list.first_mut() {
            Some(arg) => arg.fodder(),
            None => &args.right,
        };
        let indent = if strong {
            self.strong_indent(first, current, self.column)
        } else {
            self.new_indent(first, current, self.column)
        };
        for (place, arg) in args.list.iter_mut().enumerate() {
            self.column += usize::from(place > 0);
            let mut space = place > 0;
            if let Some((fodder, name)) = &mut arg.name {
                self.fill(fodder, space, false, indent.line_up);
                self.column += name.len() + 1;
                space = false;
            }
            self.node(&mut arg.value, indent, space);
            self.fill(&mut arg.comma, false, false, indent.line_up);
        }
        self.column += usize::from(args.trailing);
        self.fill_last(&mut args.right, false, false, indent.line_up, current.base);
        self.column += 1;
    }

    pub(super) fn params(&mut self, params: &mut Params, current: Indent) {
        self.fill(&mut params.left, false, false, current.line_up);
        self.column += 1;
        let first = params
            .list
            .first()
            .map_or(&params.right, |param| &param.fodder);
        let indent = self.new_indent(first, current, self.column);
        for (place, param) in params.list.iter_mut().enumerate() {
            self.column += usize::from(place > 0);
            self.fill(&mut param.fodder, place > 0, true, indent.line_up);
            self.column += param.name.len();
            if let Some((fodder, default)) = &mut param.default {
                self.fill(fodder, false, false, indent.line_up);
                self.column += 1;
                self.node(default, indent, false);
            }
            self.fill(&mut param.comma, false, false, indent.line_up);
        }
        self.column += usize::from(params.trailing);
        self.fill_last(
            &mut params.right,
            false,
            false,
            indent.line_up,
            current.line_up,
        );
        self.column += 1;
    }

    fn local(&mut self, binds: &mut [Bind], body: &mut Node, current: Indent) {
        self.column += "local".len();
        let first: &[Element] = binds.first().map_or(&[], |bind| &bind.fodder);
        let indent = self.new_indent(first, current, self.column + 1);
        for (place, bind) in binds.iter_mut().enumerate() {
            self.column += usize::from(place > 0);
            self.fill(&mut bind.fodder, true, true, indent.line_up);
            self.column += bind.name.len();
            if let Some(params) = &mut bind.params {
                self.params(params, indent);
            }
            self.fill(&mut bind.before_assign, true, true, indent.line_up);
            self.column += 1;
            let inner = self.new_indent(bind.body.open(), indent, self.column + 1);
            self.node(&mut bind.body, inner, true);
            self.fill_last(&mut bind.close, false, false, inner.line_up, current.base);
        }
        self.column += 1;
        self.node(body, current, true);
    }

    /// The conditions keep their indentation: the reference implementation
    /// looks at what the variable runs over in their stead, once for each.
    pub(super) fn specs(&mut self, specs: &mut [ForSpec], current: Indent) {
        for spec in specs {
            self.fill(&mut spec.fodder, true, true, current.line_up);
            self.column += "for".len();
            self.fill(&mut spec.before_name, true, true, current.line_up);
            self.column += spec.name.len();
            self.fill(&mut spec.before_in, true, true, current.line_up);
            self.column += "in".len();
            let indent = self.new_indent(spec.iter.open(), current, self.column);
            self.node(&mut spec.iter, indent, true);
            for (fodder, _) in &mut spec.ifs {
                self.fill(fodder, true, true, current.line_up);
                self.column += "if".len();
                let indent = self.new_indent(spec.iter.open(), current, self.column);
                self.node(&mut spec.iter, indent, true);
            }
        }
    }
}
