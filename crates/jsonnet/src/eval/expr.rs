//! Expressions.

use std::rc::Rc;

use super::access::unexpected;
use super::frame::with_stack;
use super::{Frame, Outcome};
use crate::error::Error;
use crate::ir::{BinaryOp, CacheId, CallKind, Expr, ExprId, NameId, Tail, UnaryOp};
use crate::value::{Function, Value};
use crate::vm::Vm;

impl Vm {
    /// Evaluates an expression. Errors have the places of this activation.
    pub(crate) fn eval(&mut self, frame: &Frame<'_>, mut id: ExprId) -> Outcome {
        loop {
            return match frame.exprs[id.index()] {
                Expr::Local(slot) => match &self.stack[frame.base + slot as usize] {
                    Value::Pending(_) => self.force_local(frame, slot, id),
                    ready => Ok(ready.clone()),
                },
                Expr::Captured(at) => self.captured(frame, at, id),
                Expr::Num(number) => Ok(Value::Num(number)),
                Expr::Binary { op, left, right } => self.binary(frame, op, left, right, id),
                Expr::If { cond, yes, no } => match self.test(frame, cond, id) {
                    Ok(cond) => {
                        id = if cond { yes } else { no };
                        continue;
                    }
                    Err(error) => Err(error),
                },
                Expr::Call { target, args, kind } => {
                    if let Expr::Callee = frame.exprs[target.index()] {
                        let base = self.stack.len();
                        if let Err(error) = self.push_operands(frame, args) {
                            return Err(frame.at(error, id));
                        }
                        return self.invoke(frame, Self::callee(frame), base, kind, id);
                    }
                    let target = self.operand_value(frame, target)?;
                    self.call_plain(frame, &target, args, kind, id)
                }
                Expr::Field {
                    target,
                    name,
                    cache,
                } => self.named_field(frame, target, name, cache, id),
                Expr::Let { group, body } => {
                    self.bind_group(frame, group)?;
                    id = body;
                    continue;
                }
                Expr::Str(at) => Ok(Value::Str(frame.module.strings[at.index()].clone())),
                Expr::Null => Ok(Value::Null),
                Expr::Bool(value) => Ok(Value::Bool(value)),
                Expr::CallStd {
                    builtin,
                    args,
                    late,
                } => {
                    if late {
                        self.give_up(frame, Tail::Late);
                    }
                    self.call_std(frame, builtin, args, id)
                }
                Expr::ObjLocal(at) => self.object_local(frame, at, id),
                Expr::This => Ok(Value::Object(Self::this(frame).clone())),
                Expr::Callee => Ok(Value::Function(Self::callee(frame).clone())),
                Expr::Function(at) => self.closure(frame, at),
                Expr::Array(operands) => self.array_literal(frame, operands),
                Expr::Object(at) => self.object_literal(frame, at, id),
                Expr::And(left, right) => self.logical(frame, left, right, false, id),
                Expr::Or(left, right) => self.logical(frame, left, right, true, id),
                Expr::Index { target, index } => {
                    let target = self.operand_value(frame, target)?;
                    let index = self.operand_value(frame, index)?;
                    let indexed = self.index(&target, &index);
                    indexed.map_err(|error| frame.at(error, id))
                }
                Expr::Unary(op, operand) => {
                    let operand = self.eval(frame, operand)?;
                    Self::unary(op, &operand).map_err(|error| frame.at(error, id))
                }
                Expr::CallNamed(call) => self.call_named(frame, call, id),
                Expr::ArrayComp(comp) => self.array_comp(frame, comp, id),
                Expr::Deep(inner) => with_stack(|| self.eval(frame, inner)),
                rare => self.eval_rare(frame, rare, id),
            };
        }
    }

    #[inline(never)]
    fn eval_rare(&mut self, frame: &Frame<'_>, expr: Expr, id: ExprId) -> Outcome {
        match expr {
            Expr::SuperField(name) => {
                let name = frame.module.name(name);
                let found = self.super_field(Self::this(frame), frame.layer, name);
                found.map_err(|error| frame.at(error, id))
            }
            Expr::SuperIndex(index) => {
                let index = self.eval(frame, index)?;
                let found = self.super_index(Self::this(frame), frame.layer, &index);
                found.map_err(|error| frame.at(error, id))
            }
            Expr::InSuper(index) => {
                let index = self.eval(frame, index)?;
                let found = self.in_super(Self::this(frame), frame.layer, &index);
                found.map_err(|error| frame.at(error, id))
            }
            Expr::ObjectComp(comp) => self.object_comp(frame, comp, id),
            Expr::Error(message) => {
                let message = self.eval(frame, message)?;
                Err(match self.to_str(&message) {
                    Ok(text) => frame.error(text.as_str(), id),
                    Err(error) => frame.at(error, id),
                })
            }
            Expr::Import(kind, path) => {
                let path = &frame.module.unit.strings[path.index()];
                let imported = self.import(&frame.module.unit.path, path, kind);
                imported.map_err(|error| frame.at(error, id))
            }
            Expr::StdObject => self.std_object(&frame.module.unit.this_file),
            Expr::Std(builtin) => Ok(self.builtin_value(builtin)),
            Expr::Overflow => Err(frame.error("overflow", id)),
            _ => unreachable!("evaluated without a detour"),
        }
    }

    #[cold]
    #[inline(never)]
    fn force_local(&mut self, frame: &Frame<'_>, slot: u32, id: ExprId) -> Outcome {
        let at = frame.base + slot as usize;
        let pending = self.stack[at].clone();
        match self.force(&pending) {
            Ok(value) => {
                self.stack[at] = value.clone();
                Ok(value)
            }
            Err(error) => Err(frame.at(error, id)),
        }
    }

    #[inline]
    fn captured(&mut self, frame: &Frame<'_>, at: u32, id: ExprId) -> Outcome {
        let record = frame.record.expect("captured values have a record");
        match record.get(at as usize) {
            Value::Pending(thunk) => match self.force_thunk(&thunk) {
                Ok(value) => {
                    record.set(at as usize, value.clone());
                    Ok(value)
                }
                Err(error) => Err(frame.at(error, id)),
            },
            ready => Ok(ready),
        }
    }

    /// The object that the activation belongs to.
    #[inline(always)]
    pub(super) fn this<'a>(frame: &Frame<'a>) -> &'a crate::value::Object {
        frame.this.expect("checked when lowered")
    }

    #[inline(always)]
    pub(super) fn callee<'a>(frame: &Frame<'a>) -> &'a Function {
        frame.callee.expect("named only in its own body")
    }

    /// The number that an expression is without evaluating anything.
    #[inline(always)]
    pub(super) fn quick_number(&self, frame: &Frame<'_>, id: ExprId) -> Option<f64> {
        match frame.exprs[id.index()] {
            Expr::Num(number) => Some(number),
            Expr::Local(slot) => match self.stack[frame.base + slot as usize] {
                Value::Num(number) => Some(number),
                _ => None,
            },
            _ => None,
        }
    }

    /// Evaluates an expression that is often a variable or a constant.
    #[inline(always)]
    pub(super) fn operand_value(&mut self, frame: &Frame<'_>, id: ExprId) -> Outcome {
        match frame.exprs[id.index()] {
            Expr::Num(number) => Ok(Value::Num(number)),
            Expr::Local(slot) => match &self.stack[frame.base + slot as usize] {
                Value::Num(number) => Ok(Value::Num(*number)),
                Value::Object(object) => Ok(Value::Object(object.clone())),
                _ => self.eval(frame, id),
            },
            _ => self.eval(frame, id),
        }
    }

    /// The condition of an `if`.
    #[inline(always)]
    fn test(&mut self, frame: &Frame<'_>, cond: ExprId, id: ExprId) -> Result<bool, Box<Error>> {
        if let Expr::Binary { op, left, right } = frame.exprs[cond.index()]
            && let Some(a) = self.quick_number(frame, left)
            && let Some(b) = self.quick_number(frame, right)
        {
            match op {
                BinaryOp::Eq => return Ok(a == b),
                BinaryOp::Ne => return Ok(a != b),
                BinaryOp::Lt => return Ok(a < b),
                BinaryOp::Le => return Ok(a <= b),
                BinaryOp::Gt => return Ok(a > b),
                BinaryOp::Ge => return Ok(a >= b),
                _ => {}
            }
        }
        match self.eval(frame, cond)? {
            Value::Bool(cond) => Ok(cond),
            other => Err(frame.at(unexpected(&other, "boolean"), id)),
        }
    }

    #[inline(always)]
    fn binary(
        &mut self,
        frame: &Frame<'_>,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        id: ExprId,
    ) -> Outcome {
        if let Some(a) = self.quick_number(frame, left)
            && let Some(b) = self.quick_number(frame, right)
            && let Some(value) = Self::arithmetic(op, a, b)
        {
            return Ok(value);
        }
        self.binary_evaluated(frame, op, left, right, id)
    }

    #[inline(never)]
    fn binary_evaluated(
        &mut self,
        frame: &Frame<'_>,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        id: ExprId,
    ) -> Outcome {
        let left = match self.operand_value(frame, left) {
            Ok(left) => left,
            Err(error) => return Err(in_operand(frame, op, error, id)),
        };
        let right = match self.operand_value(frame, right) {
            Ok(right) => right,
            Err(error) => return Err(in_operand(frame, op, error, id)),
        };
        if let (Value::Num(a), Value::Num(b)) = (&left, &right)
            && let Some(value) = Self::arithmetic(op, *a, *b)
        {
            // Numbers need no drop, which is a call otherwise.
            std::mem::forget((left, right));
            return Ok(value);
        }
        let applied = self.apply(op, &left, &right);
        applied.map_err(|error| frame.at(error, id))
    }

    /// `&&` and `||`: the right operand counts unless the left one is `stop`.
    fn logical(
        &mut self,
        frame: &Frame<'_>,
        left: ExprId,
        right: ExprId,
        stop: bool,
        id: ExprId,
    ) -> Outcome {
        for operand in [left, right] {
            match self.eval(frame, operand)? {
                Value::Bool(value) if value == stop || operand == right => {
                    return Ok(Value::Bool(value));
                }
                Value::Bool(_) => {}
                other => return Err(frame.at(unexpected(&other, "boolean"), id)),
            }
        }
        unreachable!("the right operand decides")
    }

    /// `target.name`
    #[inline(always)]
    fn named_field(
        &mut self,
        frame: &Frame<'_>,
        target: ExprId,
        name: NameId,
        cache: CacheId,
        id: ExprId,
    ) -> Outcome {
        let target = self.operand_value(frame, target)?;
        let found = match &target {
            Value::Object(object) => self.cached_field(frame, object, name, cache),
            other => Err(non_indexable(other, "string")),
        };
        found.map_err(|error| frame.at(error, id))
    }

    /// `target[index]`
    pub(crate) fn index(&mut self, target: &Value, index: &Value) -> Outcome {
        match (target, index) {
            (Value::Array(array), Value::Num(index)) => {
                let len = array.len();
                match whole(*index).and_then(|at| usize::try_from(at).ok()) {
                    Some(at) if at < len => self.item(array, at),
                    _ => Err(out_of_bounds(*index, len)),
                }
            }
            (Value::Object(object), Value::Str(name)) => {
                let name = self.store.names.intern_str(name);
                self.field(object, name)
            }
            (Value::Str(text), Value::Num(index)) => {
                let at = whole(*index).and_then(|at| usize::try_from(at).ok());
                match at.and_then(|at| text.index(&self.store.heap, at)) {
                    Some(text) => Ok(Value::Str(text)),
                    None => Err(out_of_bounds(*index, text.len())),
                }
            }
            (target, index) => Err(non_indexable(target, index.type_name())),
        }
    }

    fn unary(op: UnaryOp, operand: &Value) -> Outcome {
        match (op, operand) {
            (UnaryOp::Not, Value::Bool(value)) => Ok(Value::Bool(!value)),
            (UnaryOp::Minus, Value::Num(number)) => Ok(Value::Num(-number)),
            (UnaryOp::Plus, Value::Num(number)) => Ok(Value::Num(*number)),
            (UnaryOp::BitNot, Value::Num(number)) => {
                let bits = whole(*number).unwrap_or(i64::MIN);
                Ok(Value::Num(!bits as f64))
            }
            (UnaryOp::Not, other) => Err(unexpected(other, "boolean")),
            (_, other) => Err(unexpected(other, "number")),
        }
    }

    /// Where a call stands decides what becomes of the activation.
    #[inline(always)]
    pub(super) fn give_up(&mut self, frame: &Frame<'_>, tail: Tail) {
        if tail != Tail::Not && frame.trim.get() == super::frame::Trim::May {
            frame.trim.set(super::frame::Trim::Done);
            self.depth -= 1;
        }
    }

    /// A call whose arguments are all positional.
    #[inline(always)]
    fn call_plain(
        &mut self,
        frame: &Frame<'_>,
        target: &Value,
        args: crate::ir::OperandsId,
        kind: CallKind,
        id: ExprId,
    ) -> Outcome {
        let Value::Function(function) = target else {
            return Err(frame.at(unexpected(target, "function"), id));
        };
        let base = self.stack.len();
        if let Err(error) = self.push_operands(frame, args) {
            return Err(frame.at(error, id));
        }
        self.invoke(frame, function, base, kind, id)
    }

    /// The module of some code.
    #[inline(always)]
    pub(super) fn module(&self, id: crate::value::ModuleId) -> Rc<super::Module> {
        Rc::clone(&self.modules[id.0 as usize])
    }
}

/// The error of an operand. Those of `%` and `in` are arguments of calls.
#[cold]
fn in_operand(frame: &Frame<'_>, op: BinaryOp, error: Box<Error>, id: ExprId) -> Box<Error> {
    match op {
        BinaryOp::Percent | BinaryOp::In => frame.at(error, id),
        _ => error,
    }
}

/// The integer that a number is cut off to, if it fits.
fn whole(number: f64) -> Option<i64> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    (-LIMIT..LIMIT).contains(&number).then_some(number as i64)
}

#[cold]
fn out_of_bounds(index: f64, len: usize) -> Box<Error> {
    let index = whole(index).unwrap_or(i64::MIN);
    Error::runtime(format!(
        "Index {index} out of bounds, not within [0, {len})"
    ))
}

/// An index of the wrong type, or a value that has none.
#[cold]
fn non_indexable(target: &Value, index: &str) -> Box<Error> {
    let (wanted, name) = match target {
        Value::Object(_) => ("string", ""),
        Value::Array(_) | Value::Str(_) => ("number", ""),
        Value::Null => ("", "Null"),
        Value::Bool(_) => ("", "Boolean"),
        Value::Num(_) => ("", "Number"),
        Value::Function(_) | Value::Pending(_) => ("", "Function"),
    };
    Error::runtime(if wanted.is_empty() {
        format!("Value non indexable: *jsonnet.value{name}")
    } else {
        format!("Unexpected type {index}, expected {wanted}")
    })
}
