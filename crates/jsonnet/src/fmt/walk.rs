//! Going through a tree, parents before children.

use super::fodder::Fodder;
use super::tree::{Args, Field, Follower, ForSpec, Kind, Member, Name, Node, Object, Params};
use crate::syntax::parser::{RED_ZONE, STACK_CHUNK};

/// A change of style, made at each place where it may apply.
pub trait Pass {
    /// At what stands before a token (some places are left out, as the
    /// reference implementation does).
    fn fodder(&mut self, _fodder: &mut Fodder) {}
    /// At a child of an expression that was seen.
    fn child(&mut self, node: &mut Node)
    where
        Self: Sized,
    {
        walk(self, node);
    }
    /// At an expression.
    fn node(&mut self, _node: &mut Node) {}
    /// At a field.
    fn field(&mut self, _field: &mut Field) {}
    /// At the parameters of a function.
    fn params(&mut self, _params: &mut Params) {}
}

/// Lets `pass` see everything below `node`, and itself.
pub fn walk(pass: &mut impl Pass, node: &mut Node) {
    stacker::maybe_grow(RED_ZONE, STACK_CHUNK, || {
        pass.fodder(&mut node.fodder);
        pass.node(node);
        children(pass, node);
    });
}

fn children(pass: &mut impl Pass, node: &mut Node) {
    match &mut node.kind {
        Kind::Word(_) | Kind::Var(_) | Kind::Str(_) => {}
        Kind::Array(array) => {
            for item in &mut array.items {
                pass.child(&mut item.value);
                pass.fodder(&mut item.comma);
            }
            pass.fodder(&mut array.close);
        }
        Kind::ArrayComp {
            body,
            comma,
            specs: list,
            close,
            ..
        } => {
            pass.child(body);
            pass.fodder(comma);
            specs(pass, list);
            pass.fodder(close);
        }
        Kind::Object(object) => members(pass, object),
        Kind::SuperField {
            dot, before_name, ..
        } => {
            pass.fodder(dot);
            pass.fodder(before_name);
        }
        Kind::SuperIndex { left, index, right } => {
            pass.fodder(left);
            pass.child(index);
            pass.fodder(right);
        }
        Kind::Function { params: list, body } => {
            params(pass, list);
            pass.child(body);
        }
        Kind::Local { binds, body } => {
            for bind in binds {
                pass.fodder(&mut bind.fodder);
                if let Some(list) = &mut bind.params {
                    params(pass, list);
                }
                pass.fodder(&mut bind.before_assign);
                pass.child(&mut bind.body);
                pass.fodder(&mut bind.close);
            }
            pass.child(body);
        }
        Kind::If {
            cond,
            then,
            otherwise,
        } => {
            pass.child(cond);
            pass.fodder(&mut then.0);
            pass.child(&mut then.1);
            follower(pass, otherwise);
        }
        Kind::Parens { inner, close } => {
            pass.child(inner);
            pass.fodder(close);
        }
        Kind::Assert {
            cond,
            message,
            semicolon,
            rest,
        } => {
            pass.child(cond);
            follower(pass, message);
            pass.fodder(semicolon);
            pass.child(rest);
        }
        Kind::Unary { operand: only, .. } | Kind::Error(only) | Kind::Import { file: only, .. } => {
            pass.child(only);
        }
        operation => operands(pass, operation),
    }
}

/// The children of what begins with an operand.
fn operands(pass: &mut impl Pass, kind: &mut Kind) {
    match kind {
        Kind::ApplyBrace { left, right } => {
            pass.child(left);
            pass.child(right);
        }
        Kind::Apply {
            target,
            args: list,
            tailstrict,
        } => {
            pass.child(target);
            args(pass, list);
            if let Some(tailstrict) = tailstrict {
                pass.fodder(tailstrict);
            }
        }
        Kind::Field { target, dot, .. } => {
            pass.child(target);
            pass.fodder(dot);
        }
        Kind::Index {
            target,
            left,
            index,
            right,
        } => {
            pass.child(target);
            pass.fodder(left);
            pass.child(index);
            pass.fodder(right);
        }
        Kind::Slice(slice) => {
            pass.child(&mut slice.target);
            pass.fodder(&mut slice.left);
            for (place, bound) in slice.bounds.iter_mut().enumerate() {
                if let Some(bound) = bound {
                    pass.child(bound);
                }
                pass.fodder(slice.colons.get_mut(place).unwrap_or(&mut slice.right));
            }
        }
        Kind::Binary {
            left,
            before_op,
            right,
            ..
        } => {
            pass.child(left);
            pass.fodder(before_op);
            pass.child(right);
        }
        Kind::InSuper { index, .. } => pass.child(index),
        _ => {}
    }
}

fn follower(pass: &mut impl Pass, follower: &mut Option<Follower>) {
    if let Some((fodder, node)) = follower {
        pass.fodder(fodder);
        pass.child(node);
    }
}

fn args(pass: &mut impl Pass, args: &mut Args) {
    pass.fodder(&mut args.left);
    for arg in &mut args.list {
        if let Some((fodder, _)) = &mut arg.name {
            pass.fodder(fodder);
        }
        pass.child(&mut arg.value);
        pass.fodder(&mut arg.comma);
    }
    pass.fodder(&mut args.right);
}

fn params(pass: &mut impl Pass, params: &mut Params) {
    pass.params(params);
    pass.fodder(&mut params.left);
    for param in &mut params.list {
        pass.fodder(&mut param.fodder);
        follower(pass, &mut param.default);
        pass.fodder(&mut param.comma);
    }
    pass.fodder(&mut params.right);
}

fn members(pass: &mut impl Pass, object: &mut Object) {
    for member in &mut object.members {
        match member {
            Member::Local { fodder, bind } => {
                pass.fodder(fodder);
                pass.fodder(&mut bind.fodder);
                if let Some(list) = &mut bind.params {
                    params(pass, list);
                }
                pass.fodder(&mut bind.before_assign);
                pass.child(&mut bind.body);
            }
            Member::Assert {
                fodder,
                cond,
                message,
                ..
            } => {
                pass.fodder(fodder);
                pass.child(cond);
                follower(pass, message);
            }
            Member::Field(field) => members_field(pass, field),
        }
        pass.fodder(member.comma());
    }
    specs(pass, &mut object.specs);
    pass.fodder(&mut object.close);
}

fn members_field(pass: &mut impl Pass, field: &mut Field) {
    pass.field(field);
    match &mut field.name {
        Name::Ident(fodder, _) => pass.fodder(fodder),
        Name::Str(literal) => pass.child(literal),
        Name::Expr(left, expr, right) => {
            pass.fodder(left);
            pass.child(expr);
            pass.fodder(right);
        }
    }
    if let Some(list) = &mut field.params {
        params(pass, list);
    }
    pass.fodder(&mut field.before_op);
    pass.child(&mut field.body);
}

fn specs(pass: &mut impl Pass, specs: &mut [ForSpec]) {
    for spec in specs {
        pass.fodder(&mut spec.fodder);
        pass.fodder(&mut spec.before_name);
        pass.fodder(&mut spec.before_in);
        pass.child(&mut spec.iter);
        for (fodder, cond) in &mut spec.ifs {
            pass.fodder(fodder);
            pass.child(cond);
        }
    }
}

/// Drops a tree of any depth.
pub fn dismantle(root: Node) {
    let mut rest = Dismantle(vec![root]);
    while let Some(mut node) = rest.0.pop() {
        children(&mut rest, &mut node);
    }
}

/// Takes nodes out of their parents, which are then dropped alone.
struct Dismantle(Vec<Node>);

impl Pass for Dismantle {
    fn child(&mut self, node: &mut Node) {
        self.0.push(node.take());
    }
}
