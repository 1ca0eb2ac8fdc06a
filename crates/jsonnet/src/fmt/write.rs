//! The tree as text.
//!
//! Spaces between tokens follow from two flags: `crowded` says that what was
//! written last would crowd what comes (as `,` does and `(` does not), and
//! `separate` that a token follows which wants a space if it would be crowded,
//! be it by what came before or by a comment.

use super::Options;
use super::fodder::{Element, FodderKind};
use super::tree::{
    Args, Bind, Field, Follower, ForSpec, Kind, Member, Name, Node, Params, Slice, Str,
};
use crate::syntax::ast::{StringKind, Visibility};
use crate::syntax::parser::{RED_ZONE, STACK_CHUNK};

/// Writes a file.
pub fn write(root: &Node, last: &[Element], options: &Options) -> String {
    let mut writer = Writer {
        out: String::new(),
        options,
    };
    writer.node(root, false);
    writer.fodder(last, true, false, true);
    if last.last().is_none_or(|element| !element.breaks()) {
        writer.put("\n");
    }
    writer.out
}

struct Writer<'o> {
    out: String,
    options: &'o Options,
}

impl Writer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn fill(&mut self, fodder: &[Element], crowded: bool, separate: bool) {
        self.fodder(fodder, crowded, separate, false);
    }

    /// Writes fodder; in the end nothing follows the last line break.
    fn fodder(&mut self, fodder: &[Element], mut crowded: bool, separate: bool, end: bool) {
        let mut indent = 0;
        for (place, element) in fodder.iter().enumerate() {
            if element.kind == FodderKind::Interstitial {
                if crowded {
                    self.put(" ");
                }
                element.comment.iter().for_each(|comment| self.put(comment));
                crowded = true;
                continue;
            }
            if element.kind == FodderKind::LineEnd {
                for comment in &element.comment {
                    self.put("  ");
                    self.put(comment);
                }
                self.put("\n");
            } else {
                self.paragraph(&element.comment, indent);
            }
            if !(end && place + 1 == fodder.len()) {
                self.out.extend(std::iter::repeat_n('\n', element.blanks));
                self.out.extend(std::iter::repeat_n(' ', element.indent));
            }
            indent = element.indent;
            crowded = false;
        }
        if separate && crowded {
            self.put(" ");
        }
    }

    /// The lines of a comment; the first one is indented already, empty ones
    /// are not.
    fn paragraph(&mut self, lines: &[String], indent: usize) {
        for (place, line) in lines.iter().enumerate() {
            if place > 0 && !line.is_empty() {
                self.out.extend(std::iter::repeat_n(' ', indent));
            }
            self.put(line);
            self.put("\n");
        }
    }

    fn node(&mut self, node: &Node, crowded: bool) {
        stacker::maybe_grow(RED_ZONE, STACK_CHUNK, || {
            if node.begins_with_operand() {
                self.operation(&node.kind, crowded);
            } else {
                self.fill(&node.fodder, crowded, true);
                self.kind(&node.kind);
            }
        });
    }

    /// What begins with an operand.
    fn operation(&mut self, kind: &Kind, crowded: bool) {
        match kind {
            Kind::Apply {
                target,
                args,
                tailstrict,
            } => {
                self.node(target, crowded);
                self.args(args);
                if let Some(fodder) = tailstrict {
                    self.fill(fodder, true, true);
                    self.put("tailstrict");
                }
            }
            Kind::ApplyBrace { left, right } => {
                self.node(left, crowded);
                self.node(right, true);
            }
            Kind::Binary {
                left,
                before_op,
                op,
                right,
            } => {
                self.node(left, crowded);
                self.fill(before_op, true, true);
                self.put(op.spelling());
                self.node(right, true);
            }
            Kind::InSuper {
                index,
                before_in,
                before_super,
            } => {
                self.node(index, true);
                self.fill(before_in, true, true);
                self.put("in");
                self.fill(before_super, true, true);
                self.put("super");
            }
            Kind::Field {
                target,
                dot,
                before_name,
                name,
            } => {
                self.node(target, crowded);
                self.name_after_dot(dot, before_name, name);
            }
            Kind::Index {
                target,
                left,
                index,
                right,
            } => {
                self.node(target, crowded);
                self.in_brackets(left, index, right);
            }
            Kind::Slice(slice) => self.slice(slice, crowded),
            _ => {}
        }
    }

    /// What begins with a token of its own.
    fn kind(&mut self, kind: &Kind) {
        match kind {
            Kind::Word(word) | Kind::Var(word) => self.put(word),
            Kind::Str(literal) => self.string(literal),
            Kind::Array(array) => {
                let pad = self.options.pad_arrays;
                self.put("[");
                for (place, item) in array.items.iter().enumerate() {
                    self.put(if place > 0 { "," } else { "" });
                    self.node(&item.value, place > 0 || pad);
                    self.fill(&item.comma, false, false);
                }
                self.put(if array.trailing { "," } else { "" });
                self.fill(&array.close, !array.items.is_empty(), pad);
                self.put("]");
            }
            Kind::ArrayComp { .. } | Kind::Object(_) => self.list(kind),
            Kind::SuperField {
                dot,
                before_name,
                name,
            } => {
                self.put("super");
                self.name_after_dot(dot, before_name, name);
            }
            Kind::SuperIndex { left, index, right } => {
                self.put("super");
                self.in_brackets(left, index, right);
            }
            Kind::Function { params, body } => {
                self.put("function");
                self.params(params);
                self.node(body, true);
            }
            Kind::Local { binds, body } => {
                self.put("local");
                for (place, bind) in binds.iter().enumerate() {
                    self.put(if place > 0 { "," } else { "" });
                    self.bind(bind);
                }
                self.put(";");
                self.node(body, true);
            }
            Kind::If {
                cond,
                then,
                otherwise,
            } => {
                self.put("if");
                self.node(cond, true);
                self.follower(Some(then), "then");
                self.follower(otherwise.as_ref(), "else");
            }
            Kind::Unary { op, operand } => {
                self.put(op.spelling());
                self.node(operand, false);
            }
            Kind::Parens { inner, close } => {
                self.put("(");
                self.node(inner, false);
                self.fill(close, false, false);
                self.put(")");
            }
            Kind::Assert {
                cond,
                message,
                semicolon,
                rest,
            } => {
                self.put("assert");
                self.node(cond, true);
                self.follower(message.as_ref(), ":");
                self.fill(semicolon, false, false);
                self.put(";");
                self.node(rest, true);
            }
            Kind::Error(message) => {
                self.put("error");
                self.node(message, true);
            }
            Kind::Import { word, file } => {
                self.put(word);
                self.node(file, true);
            }
            _ => {}
        }
    }

    /// Objects and comprehensions.
    fn list(&mut self, kind: &Kind) {
        match kind {
            Kind::ArrayComp {
                body,
                comma,
                trailing,
                specs,
                close,
            } => {
                let pad = self.options.pad_arrays;
                self.put("[");
                self.node(body, pad);
                self.fill(comma, false, false);
                self.put(if *trailing { "," } else { "" });
                self.specs(specs);
                self.fill(close, true, pad);
                self.put("]");
            }
            Kind::Object(object) => {
                let pad = self.options.pad_objects;
                self.put("{");
                for (place, member) in object.members.iter().enumerate() {
                    self.put(if place > 0 { "," } else { "" });
                    self.member(member, place > 0 || pad);
                }
                self.put(if object.trailing { "," } else { "" });
                self.specs(&object.specs);
                let crowded = !object.members.is_empty() || !object.specs.is_empty();
                self.fill(&object.close, crowded, pad);
                self.put("}");
            }
            _ => {}
        }
    }

    fn follower(&mut self, follower: Option<&Follower>, word: &str) {
        if let Some((fodder, node)) = follower {
            self.fill(fodder, true, true);
            self.put(word);
            self.node(node, true);
        }
    }

    fn name_after_dot(&mut self, dot: &[Element], before_name: &[Element], name: &str) {
        self.fill(dot, false, false);
        self.put(".");
        self.fill(before_name, false, false);
        self.put(name);
    }

    fn in_brackets(&mut self, left: &[Element], index: &Node, right: &[Element]) {
        self.fill(left, false, false);
        self.put("[");
        self.node(index, false);
        self.fill(right, false, false);
        self.put("]");
    }

    fn slice(&mut self, slice: &Slice, crowded: bool) {
        let [start, end, step] = &slice.bounds;
        let [first_colon, second_colon] = &slice.colons;
        self.node(&slice.target, crowded);
        self.fill(&slice.left, false, false);
        self.put("[");
        if let Some(start) = start {
            self.node(start, false);
        }
        self.fill(first_colon, false, false);
        self.put(":");
        if let Some(end) = end {
            self.node(end, false);
        }
        if step.is_some() || !second_colon.is_empty() {
            self.fill(second_colon, false, false);
            self.put(":");
        }
        if let Some(step) = step {
            self.node(step, false);
        }
        self.fill(&slice.right, false, false);
        self.put("]");
    }

    fn args(&mut self, args: &Args) {
        self.fill(&args.left, false, false);
        self.put("(");
        for (place, arg) in args.list.iter().enumerate() {
            self.put(if place > 0 { "," } else { "" });
            let mut space = place > 0;
            if let Some((fodder, name)) = &arg.name {
                self.fill(fodder, space, true);
                self.put(name);
                self.put("=");
                space = false;
            }
            self.node(&arg.value, space);
            self.fill(&arg.comma, false, false);
        }
        self.put(if args.trailing { "," } else { "" });
        self.fill(&args.right, false, false);
        self.put(")");
    }

    fn params(&mut self, params: &Params) {
        self.fill(&params.left, false, false);
        self.put("(");
        for (place, param) in params.list.iter().enumerate() {
            self.put(if place > 0 { "," } else { "" });
            self.fill(&param.fodder, place > 0, true);
            self.put(&param.name);
            if let Some((fodder, default)) = &param.default {
                self.fill(fodder, false, false);
                self.put("=");
                self.node(default, false);
            }
            self.fill(&param.comma, false, false);
        }
        self.put(if params.trailing { "," } else { "" });
        self.fill(&params.right, false, false);
        self.put(")");
    }

    /// `name = body` and what stands before the comma.
    fn bind(&mut self, bind: &Bind) {
        self.fill(&bind.fodder, true, true);
        self.put(&bind.name);
        if let Some(params) = &bind.params {
            self.params(params);
        }
        self.fill(&bind.before_assign, true, true);
        self.put("=");
        self.node(&bind.body, true);
        self.fill(&bind.close, false, false);
    }

    fn member(&mut self, member: &Member, crowded: bool) {
        match member {
            Member::Local { fodder, bind } => {
                self.fill(fodder, crowded, true);
                self.put("local");
                self.bind(bind);
            }
            Member::Assert {
                fodder,
                cond,
                message,
                comma,
            } => {
                self.fill(fodder, crowded, true);
                self.put("assert");
                self.node(cond, true);
                self.follower(message.as_ref(), ":");
                self.fill(comma, false, false);
            }
            Member::Field(field) => self.field(field, crowded),
        }
    }

    fn field(&mut self, field: &Field, crowded: bool) {
        match &field.name {
            Name::Ident(fodder, name) => {
                self.fill(fodder, crowded, true);
                self.put(name);
            }
            Name::Str(literal) => self.node(literal, crowded),
            Name::Expr(left, expr, right) => {
                self.fill(left, crowded, true);
                self.put("[");
                self.node(expr, false);
                self.fill(right, false, false);
                self.put("]");
            }
        }
        if let Some(params) = &field.params {
            self.params(params);
        }
        self.fill(&field.before_op, false, false);
        self.put(if field.plus { "+" } else { "" });
        self.put(match field.visibility {
            Visibility::Inherit => ":",
            Visibility::Hidden => "::",
            Visibility::Forced => ":::",
        });
        self.node(&field.body, true);
        self.fill(&field.comma, false, false);
    }

    fn specs(&mut self, specs: &[ForSpec]) {
        for spec in specs {
            self.fill(&spec.fodder, true, true);
            self.put("for");
            self.fill(&spec.before_name, true, true);
            self.put(&spec.name);
            self.fill(&spec.before_in, true, true);
            self.put("in");
            self.node(&spec.iter, true);
            for (fodder, cond) in &spec.ifs {
                self.fill(fodder, true, true);
                self.put("if");
                self.node(cond, true);
            }
        }
    }

    fn string(&mut self, literal: &Str) {
        let value = &literal.value;
        match literal.kind {
            StringKind::Double => self.out.extend(["\"", value, "\""]),
            StringKind::Single => self.out.extend(["'", value, "'"]),
            StringKind::VerbatimDouble => {
                self.out.extend(["@\"", &value.replace('"', "\"\""), "\""]);
            }
            StringKind::VerbatimSingle => {
                self.out.extend(["@'", &value.replace('\'', "''"), "'"]);
            }
            StringKind::Block => self.block(literal),
        }
    }

    /// A text block, its lines ended by `\n` alone.
    fn block(&mut self, literal: &Str) {
        let value = literal.value.replace('\r', "");
        let whole = value.ends_with('\n');
        self.put(if whole { "|||\n" } else { "|||-\n" });
        for (place, line) in value
            .strip_suffix('\n')
            .unwrap_or(&value)
            .split('\n')
            .enumerate()
        {
            self.put(if place > 0 { "\n" } else { "" });
            // A block needs one line at least that shows its indentation.
            if !line.is_empty() || value.is_empty() {
                self.put(&literal.indent);
            }
            self.put(line);
        }
        self.put("\n");
        self.put(&literal.end_indent);
        self.put("|||");
    }
}
