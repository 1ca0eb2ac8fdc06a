//! Comprehensions.
//!
//! The places in the traces of their errors are those of the reference
//! implementation, where each `for` is a call.

use super::access::unexpected;
use super::module::visibility;
use super::{Frame, Outcome};
use crate::error::Error;
use crate::ir::{CompBody, CompId, ExprId, Field, FieldName, RecordId, Spec};
use crate::value::object::{FieldSpec, Records, Source};
use crate::value::{Array, By, Code, Object, Record, Value};
use crate::vm::Vm;

/// What the combinations of a comprehension are made into.
trait Collect {
    fn one(&mut self, vm: &mut Vm, frame: &Frame<'_>) -> Result<(), Box<Error>>;
}

/// Why the loops ended early.
enum Stop {
    /// They failed: each of them is a place of the trace.
    Loops(Box<Error>),
    /// What they make failed: they are done by then.
    Body(Box<Error>),
}

struct Elements {
    body: crate::ir::Operands,
    values: Vec<Value>,
}

struct Fields {
    field: Field,
    record: RecordId,
    shown: ExprId,
    specs: Vec<FieldSpec>,
    records: Vec<Record>,
}

impl Vm {
    /// `[body for … if …]`
    #[inline(never)]
    pub(super) fn array_comp(&mut self, frame: &Frame<'_>, id: CompId, site: ExprId) -> Outcome {
        let unit = &*frame.module.unit;
        let comp = unit.comps[id.index()];
        let specs = &unit.specs[comp.specs.range()];
        match comp.body {
            CompBody::Mapped { code, record } => {
                let Spec::For { iter, .. } = specs[0] else {
                    unreachable!("the first part is a loop")
                };
                let source = self.iterated(frame, iter, site)?;
                let code = Code {
                    module: frame.module.id,
                    id: code.0,
                };
                let by = By::Code(code, self.record(frame, record));
                Ok(Value::Array(Array::mapped(&self.store.heap, by, source)))
            }
            CompBody::Element(body) => {
                let mut elements = Elements {
                    body,
                    values: Vec::new(),
                };
                if let Err(Stop::Loops(error) | Stop::Body(error)) =
                    self.combine(frame, specs, site, &mut elements)
                {
                    return Err(error);
                }
                let values = elements.values;
                Ok(Value::Array(Array::new(&self.store.heap, values)))
            }
            CompBody::Field { .. } => unreachable!("makes an object"),
        }
    }

    /// `{ [name]: body for … if … }`
    #[inline(never)]
    pub(super) fn object_comp(&mut self, frame: &Frame<'_>, id: CompId, site: ExprId) -> Outcome {
        let unit = &*frame.module.unit;
        let comp = unit.comps[id.index()];
        let CompBody::Field {
            field,
            record,
            shown,
        } = comp.body
        else {
            unreachable!("makes an array")
        };
        let mut fields = Fields {
            field,
            record,
            shown,
            specs: Vec::new(),
            records: Vec::new(),
        };
        let specs = &unit.specs[comp.specs.range()];
        if let Err(Stop::Loops(error) | Stop::Body(error)) =
            self.combine(frame, specs, site, &mut fields)
        {
            return Err(frame.at(error, site));
        }
        let shape = match self.store.shapes.leaf(&fields.specs, 0, false) {
            Ok(shape) => shape,
            Err(name) => return Err(frame.at(self.duplicate(name), site)),
        };
        let records = self.store.heap.alloc(Records(fields.records));
        let code = Code {
            module: frame.module.id,
            id: id.0,
        };
        let source = Source::Comprehension(code, records);
        Ok(Value::Object(Object::new(&self.store.heap, &shape, source)))
    }

    /// The array that a loop runs over.
    fn iterated(
        &mut self,
        frame: &Frame<'_>,
        iter: ExprId,
        site: ExprId,
    ) -> Result<Array, Box<Error>> {
        match self.eval(frame, iter) {
            Ok(Value::Array(array)) => Ok(array),
            Ok(other) => Err(frame.at(unexpected(&other, "array"), site)),
            Err(error) => Err(frame.at(error, site)),
        }
    }

    /// Runs the loops and conditions.
    fn combine<C: Collect>(
        &mut self,
        frame: &Frame<'_>,
        specs: &[Spec],
        site: ExprId,
        into: &mut C,
    ) -> Result<(), Stop> {
        match specs {
            [] => into.one(self, frame).map_err(Stop::Body),
            [Spec::If(cond), rest @ ..] => match self.eval(frame, *cond).map_err(Stop::Loops)? {
                Value::Bool(true) => self.combine(frame, rest, site, into),
                Value::Bool(false) => Ok(()),
                other => Err(Stop::Loops(unexpected(&other, "boolean").during(""))),
            },
            [Spec::For { slot, iter }, rest @ ..] => {
                let array = self.iterated(frame, *iter, site).map_err(Stop::Loops)?;
                for at in 0..array.len() {
                    self.step().map_err(Stop::Loops)?;
                    self.stack[frame.base + *slot as usize] = self.item_lazy(&array, at);
                    match self.combine(frame, rest, site, into) {
                        Err(Stop::Loops(error)) => return Err(Stop::Loops(frame.at(error, site))),
                        outcome => outcome?,
                    }
                }
                Ok(())
            }
        }
    }
}

impl Collect for Elements {
    fn one(&mut self, vm: &mut Vm, frame: &Frame<'_>) -> Result<(), Box<Error>> {
        let operand = frame.module.unit.operands[self.body.items.start as usize];
        let value = vm.single_operand(frame, operand, self.body.record)?;
        self.values.push(value);
        Ok(())
    }
}

impl Collect for Fields {
    fn one(&mut self, vm: &mut Vm, frame: &Frame<'_>) -> Result<(), Box<Error>> {
        let name = match self.field.name {
            FieldName::Fixed(name) => Some(frame.module.name(name)),
            FieldName::Computed(name) => {
                let name = vm.eval(frame, name)?;
                let name = vm.field_name(&name);
                name.map_err(|error| frame.at(error, self.shown))?
            }
        };
        let Some(name) = name else {
            return Ok(());
        };
        self.specs.push(FieldSpec {
            name,
            visibility: visibility(self.field.visibility),
            plus: self.field.plus,
        });
        let record = vm.record(frame, self.record);
        let heap = &vm.store.heap;
        self.records
            .push(record.unwrap_or_else(|| Record::new(heap, None, [])));
        Ok(())
    }
}
