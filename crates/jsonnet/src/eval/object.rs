//! Objects: their making, their fields, `super`, assertions, locals.

use std::rc::Rc;

use super::frame::{Frame, Start, Trim};
use super::module::{new_shape, visibility};
use super::{Module, Outcome};
use crate::error::Error;
use crate::ir::{CacheId, CodeId, CompBody, Expr, ExprId, FieldName, NameId, ObjectId};
use crate::stdlib::args::string;
use crate::value::object::{Asserts, Field, FieldSpec, Source};
use crate::value::{Array, Code, Name, Object, Record, Thunk, Value};
use crate::vm::Vm;

impl Vm {
    /// An object literal.
    #[inline]
    pub(super) fn object_literal(
        &mut self,
        frame: &Frame<'_>,
        id: ObjectId,
        site: ExprId,
    ) -> Outcome {
        let object = &frame.module.unit.objects[id.index()];
        if object.computed {
            return self.computed_object(frame, id, site);
        }
        let record = self.record(frame, object.record);
        Ok(self.object_of(frame, id, record))
    }

    /// An object literal whose names are all known.
    pub(super) fn object_of(
        &self,
        frame: &Frame<'_>,
        id: ObjectId,
        record: Option<Record>,
    ) -> Value {
        let shape = frame.module.shape(&self.store, id.index());
        let source = Source::Literal(Self::code(frame.module, id.0), record);
        Value::Object(Object::new(&self.store.heap, shape, source))
    }

    fn code(module: &Module, id: u32) -> Code {
        Code {
            module: module.id,
            id,
        }
    }

    /// An object literal with computed names. Where a null leaves a field out,
    /// the numbers of the others are kept behind the captured values.
    #[inline(never)]
    fn computed_object(&mut self, frame: &Frame<'_>, id: ObjectId, site: ExprId) -> Outcome {
        let unit = Rc::clone(frame.module);
        let unit = &unit.unit;
        let object = unit.objects[id.index()];
        let fields = &unit.fields[object.fields.range()];
        let mut specs = Vec::with_capacity(fields.len());
        let mut numbers = Vec::with_capacity(fields.len());
        for (number, field) in fields.iter().enumerate() {
            let name = match field.name {
                FieldName::Fixed(name) => frame.module.name(name),
                FieldName::Computed(name) => {
                    let name = self.eval(frame, name)?;
                    match self.field_name(&name) {
                        Ok(Some(name)) => name,
                        Ok(None) => continue,
                        Err(error) => return Err(frame.at(error, site)),
                    }
                }
            };
            specs.push(FieldSpec {
                name,
                visibility: visibility(field.visibility),
                plus: field.plus,
            });
            numbers.push(number as f64);
        }
        let shape = match new_shape(&self.store, &object, &specs) {
            Ok(shape) => shape,
            Err(name) => return Err(frame.at(self.duplicate(name), site)),
        };
        let mut record = self.record(frame, object.record);
        if numbers.len() < fields.len() {
            let captured = record.iter().flat_map(|r| (0..r.len()).map(|at| r.get(at)));
            let mut captured: Vec<Value> = captured.collect();
            let numbers = Array::numbers(&self.store.heap, numbers);
            captured.push(Value::Array(numbers));
            record = Some(Record::new(&self.store.heap, None, captured));
        }
        let source = Source::Literal(Self::code(frame.module, id.0), record);
        Ok(Value::Object(Object::new(&self.store.heap, &shape, source)))
    }

    /// The name that an evaluated expression gives a field; none for null.
    pub(super) fn field_name(&self, name: &Value) -> Result<Option<Name>, Box<Error>> {
        match name {
            Value::Str(name) => Ok(Some(self.store.names.intern_str(name))),
            Value::Null => Ok(None),
            other => {
                let got = other.type_name();
                let message = format!("Field name must be string, got {got}");
                Err(Error::runtime(message))
            }
        }
    }

    #[cold]
    pub(super) fn duplicate(&self, name: Name) -> Box<Error> {
        match crate::stdlib::json_string(self.store.names.text(name)) {
            Ok(name) => Error::runtime(format!("Duplicate field name: {name}")),
            Err(error) => error,
        }
    }

    /// `object.name`, found where it was before if the shape is the same.
    #[inline]
    pub(super) fn cached_field(
        &mut self,
        frame: &Frame<'_>,
        object: &Object,
        name: NameId,
        cache: CacheId,
    ) -> Outcome {
        if object.asserts() == Asserts::Unchecked {
            self.check_asserts(object)?;
        }
        let shape = object.shape(&self.store);
        let cache = &frame.module.caches[cache.index()];
        let entry = cache.get();
        if entry.shape == shape.id() {
            match object.cached(&self.store, entry.slot) {
                Some(Value::Pending(thunk)) => return self.force_thunk(&thunk),
                Some(value) => return Ok(value),
                None => {}
            }
        }
        let name = frame.module.name(name);
        match shape.find(name) {
            Some(field) => {
                cache.set(super::module::Cache {
                    shape: shape.id(),
                    slot: field.slot,
                });
                self.field_value(object, &field)
            }
            None => Err(self.no_field(name)),
        }
    }

    /// Works out a field and keeps its value.
    #[inline(never)]
    pub(crate) fn work_out_field(&mut self, object: &Object, field: &Field) -> Outcome {
        let layer = object.layer(&self.store, field.layer);
        let value = match layer.source() {
            Source::Literal(code, record) => {
                let module = self.module(code.module);
                let template = module.unit.objects[code.id as usize];
                let number = self.field_number(&module, &template, record.as_ref(), field.index);
                let ir = module.unit.fields[template.fields.start as usize + number];
                let start = member(record.as_ref(), object, field.layer);
                self.run_field(&module, &ir, field, start)?
            }
            Source::Comprehension(code, records) => {
                let module = self.module(code.module);
                let CompBody::Field { field: ir, .. } = module.unit.comps[code.id as usize].body
                else {
                    unreachable!("made by a comprehension of fields")
                };
                let record = &records.0[field.index as usize];
                let start = member(Some(record), object, field.layer);
                self.run_field(&module, &ir, field, start)?
            }
            Source::Ready => unreachable!("ready fields have values"),
        };
        object.store(&self.store, field.slot, value.clone());
        Ok(value)
    }

    fn run_field(
        &mut self,
        module: &Rc<Module>,
        ir: &crate::ir::Field,
        field: &Field,
        start: Start<'_>,
    ) -> Outcome {
        if !ir.plus {
            return self.run_member(module, ir.code, start);
        }
        let body = module.unit.codes[ir.code.index()].body;
        let added = self.nested(|vm| {
            let right = vm.run_member(module, ir.code, start)?;
            let Some((object, layer)) = start.this else {
                unreachable!("fields have an object")
            };
            match object.shape(&vm.store).find_below(layer, field.name) {
                Some(below) => {
                    let left = vm.field_value(object, &below)?;
                    vm.add(&left, &right)
                }
                None => Ok(right),
            }
        });
        added.map_err(|error| error.at_plus(&module.unit, body))
    }

    /// The number that a field has in its literal; see [`Vm::computed_object`].
    fn field_number(
        &self,
        module: &Module,
        template: &crate::ir::Object,
        record: Option<&Record>,
        index: u32,
    ) -> usize {
        if template.computed
            && let Some(record) = record
        {
            let captured = module.unit.records[template.record.index()].origins.len();
            if record.len() > captured
                && let Value::Array(numbers) = record.get(captured)
                && let Value::Num(number) = numbers.get(&self.store.heap, index as usize)
            {
                return number as usize;
            }
        }
        index as usize
    }

    /// Runs the code of a field, local or assertion. Constants need no
    /// activation.
    #[inline]
    fn run_member(&mut self, module: &Rc<Module>, code: CodeId, start: Start<'_>) -> Outcome {
        let code = module.unit.codes[code.index()];
        match module.unit.exprs[code.body.index()] {
            Expr::Num(number) => return Ok(Value::Num(number)),
            Expr::Str(at) => return Ok(Value::Str(module.strings[at.index()].clone())),
            Expr::Bool(value) => return Ok(Value::Bool(value)),
            Expr::Null => return Ok(Value::Null),
            _ => {}
        }
        let base = self.stack.len();
        let outcome = self.activate(module, code, base, start);
        self.discard(base);
        outcome
    }

    /// Checks the object's assertions, once.
    #[inline]
    pub fn check_asserts(&mut self, object: &Object) -> Result<(), Box<Error>> {
        if object.asserts() == Asserts::Unchecked {
            let _ = object.shape(&self.store);
            if object.asserts() == Asserts::Unchecked {
                return self.run_asserts(object);
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn run_asserts(&mut self, object: &Object) -> Result<(), Box<Error>> {
        object.set_asserts(Asserts::Running);
        for at in (0..object.shape(&self.store).layers()).rev() {
            let Source::Literal(code, record) = object.layer(&self.store, at).source() else {
                continue;
            };
            let module = self.module(code.module);
            let template = module.unit.objects[code.id as usize];
            for &assert in &module.unit.codes_of_objects[template.asserts.range()] {
                let start = member(record.as_ref(), object, at);
                if let Err(error) = self.run_member(&module, assert, start) {
                    object.set_asserts(Asserts::Unchecked);
                    return Err(error);
                }
            }
        }
        object.set_asserts(Asserts::Hold);
        Ok(())
    }

    /// A local of the activation's object layer.
    #[inline]
    pub(super) fn object_local(&mut self, frame: &Frame<'_>, at: u32, id: ExprId) -> Outcome {
        let this = Self::this(frame);
        let slot = this.shape(&self.store).local_slot(frame.layer, at);
        let worked_out = match this.cached(&self.store, slot) {
            Some(Value::Pending(thunk)) => self.force_thunk(&thunk),
            Some(value) => return Ok(value),
            None => {
                let (module, code, record) = self.local_code(this, frame.layer, at);
                let start = member(record.as_ref(), this, frame.layer);
                self.run_member(&module, code, start)
            }
        };
        match worked_out {
            Ok(value) => {
                this.store(&self.store, slot, value.clone());
                Ok(value)
            }
            Err(error) => Err(frame.at(error, id)),
        }
    }

    /// The code of an object local, and what it captured.
    fn local_code(
        &self,
        this: &Object,
        layer: u32,
        at: u32,
    ) -> (Rc<Module>, CodeId, Option<Record>) {
        let Source::Literal(code, record) = this.layer(&self.store, layer).source() else {
            unreachable!("only literals have locals")
        };
        let module = self.module(code.module);
        let locals = module.unit.objects[code.id as usize].locals;
        let code = module.unit.codes_of_objects[locals.start as usize + at as usize];
        (module, code, record)
    }

    pub(super) fn known_object_local(&self, frame: &Frame<'_>, at: u32) -> Option<Value> {
        let this = Self::this(frame);
        let slot = this.shape(&self.store).local_slot(frame.layer, at);
        this.cached(&self.store, slot)?.known()
    }

    /// A local of the activation's object layer, pending if it has not been
    /// worked out.
    pub(super) fn object_local_as_is(&self, frame: &Frame<'_>, at: u32) -> Value {
        let this = Self::this(frame);
        let slot = this.shape(&self.store).local_slot(frame.layer, at);
        if let Some(value) = this.cached(&self.store, slot) {
            return super::lazy::known(&value);
        }
        let (module, code, record) = self.local_code(this, frame.layer, at);
        let captured = record.iter().flat_map(|r| (0..r.len()).map(|at| r.get(at)));
        let captured: Vec<Value> = captured.collect();
        let with_this = Some((this.clone(), frame.layer));
        let record = Record::new(&self.store.heap, with_this, captured);
        let code = Self::code(&module, code.0);
        let thunk = Value::Pending(Thunk::new(&self.store.heap, code, Some(record)));
        this.store(&self.store, slot, thunk.clone());
        thunk
    }

    /// `super.name` in a layer of the object.
    pub(super) fn super_field(&mut self, this: &Object, layer: u32, name: Name) -> Outcome {
        self.check_asserts(this)?;
        if layer == 0 {
            let message = "Attempt to use super when there is no super class.";
            return Err(Error::runtime(message));
        }
        match this.shape(&self.store).find_below(layer, name) {
            Some(field) => self.field_value(this, &field),
            None => Err(self.no_field(name)),
        }
    }

    /// `super[index]`
    pub(super) fn super_index(&mut self, this: &Object, layer: u32, index: &Value) -> Outcome {
        let name = self.store.names.intern_str(string(index)?);
        self.super_field(this, layer, name)
    }

    /// `index in super`
    pub(super) fn in_super(&self, this: &Object, layer: u32, index: &Value) -> Outcome {
        let name = string(index)?;
        let found = self.store.names.find_str(name).is_some_and(|name| {
            let shape = this.shape(&self.store);
            shape.find_below(layer, name).is_some()
        });
        Ok(Value::Bool(found))
    }
}

/// What the code of an object's layer starts from.
fn member<'a>(record: Option<&'a Record>, object: &'a Object, layer: u32) -> Start<'a> {
    Start {
        record,
        this: Some((object, layer)),
        callee: None,
        trim: Trim::No,
    }
}
