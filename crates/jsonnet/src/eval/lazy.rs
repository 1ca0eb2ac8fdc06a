//! What is wanted later: operands, records, thunks, `local`.

use linecaster_heap::Gc;

use super::frame::Start;
use super::{Frame, Outcome};
use crate::error::Error;
use crate::ir::{
    Bind, CodeId, Expr, ExprId, FunctionId, GroupId, Operand, OperandsId, Origin, RecordId, UnaryOp,
};
use crate::value::array::Item;
use crate::value::object::Asserts;
use crate::value::{Array, By, Code, Element, Function, Record, Thunk, Value, Work};
use crate::vm::Vm;

/// A record that is made when the first thunk needs it.
enum Shared {
    Unmade(RecordId),
    Made(Option<Record>),
}

impl Vm {
    /// Pushes the values of operands, pending ones among them.
    #[inline]
    pub(super) fn push_operands(
        &mut self,
        frame: &Frame<'_>,
        operands: OperandsId,
    ) -> Result<(), Box<Error>> {
        let unit = &*frame.module.unit;
        let list = unit.operand_lists[operands.index()];
        let mut shared = Shared::Unmade(list.record);
        for &operand in &unit.operands[list.items.range()] {
            let value = self.operand(frame, operand, &mut shared)?;
            self.stack.push(value);
        }
        Ok(())
    }

    /// The value of an operand whose thunk has a record of its own.
    pub(super) fn single_operand(
        &mut self,
        frame: &Frame<'_>,
        operand: Operand,
        record: RecordId,
    ) -> Outcome {
        self.operand(frame, operand, &mut Shared::Unmade(record))
    }

    #[inline(always)]
    fn operand(&mut self, frame: &Frame<'_>, operand: Operand, shared: &mut Shared) -> Outcome {
        match operand {
            Operand::Slot(slot) => Ok(known(&self.stack[frame.base + slot as usize])),
            Operand::Captured(at) => Ok(Self::captured_as_is(frame, at)),
            Operand::Now(expr) => self.eval(frame, expr),
            Operand::Try(expr, code) => {
                if let Expr::Binary { op, left, right } = frame.exprs[expr.index()]
                    && let Some(a) = self.quick_number(frame, left)
                    && let Some(b) = self.quick_number(frame, right)
                    && let Some(value) = Self::arithmetic(op, a, b)
                {
                    return Ok(value);
                }
                match self.attempt(frame, expr) {
                    Some(value) => Ok(value),
                    None => Ok(self.thunk(frame, code, shared)),
                }
            }
            Operand::Later(code) => Ok(self.thunk(frame, code, shared)),
            Operand::ObjLocal(at) => Ok(self.object_local_as_is(frame, at)),
        }
    }

    fn thunk(&mut self, frame: &Frame<'_>, code: CodeId, shared: &mut Shared) -> Value {
        let record = match shared {
            Shared::Made(record) => record.clone(),
            Shared::Unmade(id) => {
                let record = self.record(frame, *id);
                *shared = Shared::Made(record.clone());
                record
            }
        };
        self.thunk_of(frame, code, record)
    }

    fn thunk_of(&self, frame: &Frame<'_>, code: CodeId, record: Option<Record>) -> Value {
        let code = Code {
            module: frame.module.id,
            id: code.0,
        };
        Value::Pending(Thunk::new(&self.store.heap, code, record))
    }

    #[inline(always)]
    fn captured_as_is(frame: &Frame<'_>, at: u32) -> Value {
        let record = frame.record.expect("captured values have a record");
        match record.get(at as usize) {
            Value::Pending(thunk) => thunk.result().unwrap_or(Value::Pending(thunk)),
            ready => ready,
        }
    }

    /// The captured values of code that runs later.
    pub(super) fn record(&self, frame: &Frame<'_>, id: RecordId) -> Option<Record> {
        let unit = &*frame.module.unit;
        let record = unit.records[id.index()];
        if record.origins.is_empty() && !record.this {
            return None;
        }
        let this = if record.this {
            frame.this.map(|this| (this.clone(), frame.layer))
        } else {
            None
        };
        let origins = unit.origins[record.origins.range()].iter();
        let values = origins.map(|&origin| self.origin(frame, origin));
        Some(Record::new(&self.store.heap, this, values))
    }

    #[inline]
    fn origin(&self, frame: &Frame<'_>, origin: Origin) -> Value {
        match origin {
            Origin::Local(slot) => known(&self.stack[frame.base + slot as usize]),
            Origin::Captured(at) => Self::captured_as_is(frame, at),
            Origin::ObjLocal(at) => self.object_local_as_is(frame, at),
            Origin::This => Value::Object(Self::this(frame).clone()),
            Origin::Callee => Value::Function(Self::callee(frame).clone()),
        }
    }

    /// A small expression on variables, if these are known and nothing fails.
    fn attempt(&self, frame: &Frame<'_>, id: ExprId) -> Option<Value> {
        match frame.exprs[id.index()] {
            Expr::Num(number) => Some(Value::Num(number)),
            Expr::Local(slot) => self.stack[frame.base + slot as usize].known(),
            Expr::Captured(at) => frame.record?.get(at as usize).known(),
            Expr::Binary { op, left, right } => {
                let left = self.attempt_number(frame, left)?;
                let right = self.attempt_number(frame, right)?;
                Self::arithmetic(op, left, right)
            }
            Expr::Field {
                target,
                name,
                cache,
            } => {
                let Value::Object(object) = self.attempt(frame, target)? else {
                    return None;
                };
                let name = frame.module.name(name);
                if object.asserts() != Asserts::Hold {
                    return None;
                }
                let shape = object.shape(&self.store).id();
                let entry = frame.module.caches[cache.index()].get();
                let slot = if entry.shape == shape {
                    entry.slot
                } else {
                    object.find(&self.store, name)?.slot
                };
                object.cached(&self.store, slot)?.known()
            }
            Expr::Index { target, index } => {
                let Value::Array(array) = self.attempt(frame, target)? else {
                    return None;
                };
                let index = self.attempt_number(frame, index)?;
                let at = index as usize;
                if at as f64 != index || at >= array.len() {
                    return None;
                }
                match array.item(&self.store.heap, at) {
                    Item::Value(value) => value.known(),
                    Item::Element(_) => None,
                }
            }
            Expr::Unary(UnaryOp::Minus, operand) => {
                Some(Value::Num(-self.attempt_number(frame, operand)?))
            }
            Expr::Unary(UnaryOp::Not, operand) => match self.attempt(frame, operand)? {
                Value::Bool(value) => Some(Value::Bool(!value)),
                _ => None,
            },
            Expr::Bool(value) => Some(Value::Bool(value)),
            Expr::This => Some(Value::Object(frame.this?.clone())),
            Expr::ObjLocal(at) => self.known_object_local(frame, at),
            _ => None,
        }
    }

    fn attempt_number(&self, frame: &Frame<'_>, id: ExprId) -> Option<f64> {
        let value = match frame.exprs[id.index()] {
            Expr::Num(number) => return Some(number),
            Expr::Local(slot) => match &self.stack[frame.base + slot as usize] {
                Value::Num(number) => return Some(*number),
                other => other.known()?,
            },
            _ => self.attempt(frame, id)?,
        };
        match value {
            Value::Num(number) => Some(number),
            _ => None,
        }
    }

    /// A function literal.
    pub(super) fn closure(&mut self, frame: &Frame<'_>, id: FunctionId) -> Outcome {
        let record = self.record(frame, frame.module.unit.functions[id.index()].record);
        Ok(self.closure_of(frame, id, record))
    }

    fn closure_of(&self, frame: &Frame<'_>, id: FunctionId, record: Option<Record>) -> Value {
        let code = Code {
            module: frame.module.id,
            id: id.0,
        };
        Value::Function(Function::closure(&self.store.heap, code, record))
    }

    /// An array literal.
    pub(super) fn array_literal(&mut self, frame: &Frame<'_>, id: OperandsId) -> Outcome {
        let base = self.stack.len();
        self.push_operands(frame, id)?;
        let elements = self.stack.drain(base..);
        Ok(Value::Array(Array::new(&self.store.heap, elements)))
    }

    /// Fills the slots of a `local`.
    #[inline]
    pub(super) fn bind_group(&mut self, frame: &Frame<'_>, id: GroupId) -> Result<(), Box<Error>> {
        let unit = &*frame.module.unit;
        let group = unit.groups[id.index()];
        let binds = &unit.binds[group.binds.range()];
        if group.patched {
            return self.bind_patched(frame, &mut binds.iter());
        }
        for bind in binds {
            let value = self.single_operand(frame, bind.value, bind.record)?;
            self.stack[frame.base + bind.slot as usize] = value;
        }
        Ok(())
    }

    /// Fills slots whose values refer to one another: records are made with
    /// what is there, and completed when all slots are filled.
    pub(super) fn bind_patched(
        &mut self,
        frame: &Frame<'_>,
        binds: &mut dyn Iterator<Item = &Bind>,
    ) -> Result<(), Box<Error>> {
        let unit = &*frame.module.unit;
        let mut incomplete: Vec<(Record, RecordId)> = Vec::new();
        for bind in binds {
            let value = if bind.patch {
                let (value, record, id) = self.bind_incomplete(frame, bind)?;
                incomplete.extend(record.map(|record| (record, id)));
                value
            } else {
                self.single_operand(frame, bind.value, bind.record)?
            };
            self.stack[frame.base + bind.slot as usize] = value;
        }
        for (record, id) in incomplete {
            let origins = unit.records[id.index()].origins;
            for (at, origin) in unit.origins[origins.range()].iter().enumerate() {
                if let Origin::Local(_) = origin {
                    record.set(at, self.origin(frame, *origin));
                }
            }
        }
        Ok(())
    }

    /// The value of a bind whose record is to be completed, and that record.
    fn bind_incomplete(
        &mut self,
        frame: &Frame<'_>,
        bind: &Bind,
    ) -> Result<(Value, Option<Record>, RecordId), Box<Error>> {
        let unit = &*frame.module.unit;
        let (value, record, id) = match bind.value {
            Operand::Later(code) | Operand::Try(_, code) => {
                let record = self.record(frame, bind.record);
                let value = self.thunk_of(frame, code, record.clone());
                (value, record, bind.record)
            }
            Operand::Now(expr) => match frame.exprs[expr.index()] {
                Expr::Function(function) => {
                    let id = unit.functions[function.index()].record;
                    let record = self.record(frame, id);
                    (self.closure_of(frame, function, record.clone()), record, id)
                }
                Expr::Object(object) => {
                    let id = unit.objects[object.index()].record;
                    let record = self.record(frame, id);
                    (self.object_of(frame, object, record.clone()), record, id)
                }
                _ => (self.eval(frame, expr)?, None, bind.record),
            },
            other => (
                self.single_operand(frame, other, bind.record)?,
                None,
                bind.record,
            ),
        };
        Ok((value, record, id))
    }

    /// What a thunk is worked out to.
    #[inline]
    pub(crate) fn force_thunk(&mut self, thunk: &Gc<Thunk>) -> Outcome {
        match thunk.result() {
            Some(value) => Ok(value),
            None => self.run_thunk(thunk),
        }
    }

    #[inline(never)]
    fn run_thunk(&mut self, thunk: &Gc<Thunk>) -> Outcome {
        // The thunk keeps its work until that is done: one that needs itself
        // goes round until there are too many activations.
        let value = match thunk.work() {
            Some(Work::Code(code, record)) => self.run_code(code, record.as_ref(), None)?,
            Some(Work::Element(element)) => self.element(&element)?,
            None => unreachable!("not worked out"),
        };
        thunk.finish(value.clone());
        Ok(value)
    }

    /// Runs the code of a thunk, or of an element with the item of its source.
    fn run_code(&mut self, code: Code, record: Option<&Record>, item: Option<Value>) -> Outcome {
        let module = self.module(code.module);
        let base = self.stack.len();
        self.stack.extend(item);
        let code = module.unit.codes[code.id as usize];
        let outcome = self.activate(&module, code, base, Start::captured(record));
        self.discard(base);
        outcome
    }

    /// Works out an element of an array.
    pub(crate) fn element(&mut self, element: &Element) -> Outcome {
        let index = Value::Num(element.index as f64);
        match &element.by {
            By::Item(function) => self.call_values(function, std::slice::from_ref(&element.item)),
            By::IndexAndItem(function) => {
                self.call_values(function, &[index, element.item.clone()])
            }
            By::Index(function) => self
                .call_values(function, &[index])
                .map_err(|error| error.during("")),
            By::Field(object, name) => self.field(object, *name),
            By::Call(function, args) => {
                let args: Vec<Value> = (0..args.len()).map(|at| args.get(at)).collect();
                self.call_values(function, &args)
            }
            By::Code(code, record) => {
                self.run_code(*code, record.as_ref(), Some(element.item.clone()))
            }
        }
    }
}

/// A value as it stands in a slot; what its thunk was worked out to, if it was.
#[inline(always)]
pub(super) fn known(value: &Value) -> Value {
    match value {
        Value::Pending(thunk) => thunk
            .result()
            .unwrap_or_else(|| Value::Pending(thunk.clone())),
        ready => ready.clone(),
    }
}
