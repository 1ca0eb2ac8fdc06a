//! The shapes of a virtual machine.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::shape::{Field, FieldSpec, Shape, ShapeRef, Visibility};
use crate::value::Name;

/// Makes shapes, and remembers which it has made.
#[derive(Default)]
pub struct Shapes {
    count: Cell<u32>,
    merged: RefCell<HashMap<(u32, u32), ShapeRef>>,
}

impl Shapes {
    /// None so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// The shape of one layer: fields in the order of their definition, so
    /// many object locals, and whether it has assertions. The error is a name
    /// that stands there twice.
    pub fn leaf(&self, fields: &[FieldSpec], locals: u32, asserts: bool) -> Result<ShapeRef, Name> {
        let mut by_name = HashMap::new();
        let mut all = Vec::with_capacity(fields.len());
        for (index, spec) in (0..).zip(fields) {
            if by_name.insert(spec.name, index).is_some() {
                return Err(spec.name);
            }
            all.push(Field {
                name: spec.name,
                visibility: spec.visibility,
                plus: spec.plus,
                layer: 0,
                index,
                slot: index,
            });
        }
        Ok(ShapeRef(Rc::new(Shape {
            id: self.number(),
            slots: all.len() as u32 + locals,
            fields: all.into(),
            by_name,
            layers: Box::default(),
            bases: [0].into(),
            asserts,
            sorted: OnceCell::new(),
        })))
    }

    /// The shape of `left + right`.
    pub(super) fn merge(&self, left: &ShapeRef, right: &ShapeRef) -> ShapeRef {
        let key = (left.id(), right.id());
        if let Some(shape) = self.merged.borrow().get(&key) {
            return shape.clone();
        }
        let shape = self.merge_new(left, right);
        self.merged.borrow_mut().insert(key, shape.clone());
        shape
    }

    fn merge_new(&self, left: &ShapeRef, right: &ShapeRef) -> ShapeRef {
        let mut fields = left.0.fields.to_vec();
        let mut by_name = left.0.by_name.clone();
        for field in &right.0.fields {
            let moved = Field {
                layer: field.layer + left.layers(),
                slot: field.slot + left.slots(),
                ..*field
            };
            match by_name.get(&field.name) {
                Some(&at) => {
                    let place = &mut fields[at as usize];
                    let visibility = match moved.visibility {
                        Visibility::Inherit => place.visibility,
                        own => own,
                    };
                    *place = Field {
                        visibility,
                        ..moved
                    };
                }
                None => {
                    by_name.insert(field.name, fields.len() as u32);
                    fields.push(moved);
                }
            }
        }
        let singles = |shape: &ShapeRef| -> Vec<ShapeRef> {
            (0..shape.layers())
                .map(|at| shape.layer(at).clone())
                .collect()
        };
        let shift = |base: &u32| base + left.slots();
        ShapeRef(Rc::new(Shape {
            id: self.number(),
            fields: fields.into(),
            by_name,
            layers: [singles(left), singles(right)].concat().into(),
            bases: left
                .0
                .bases
                .iter()
                .copied()
                .chain(right.0.bases.iter().map(shift))
                .collect(),
            slots: left.slots() + right.slots(),
            asserts: left.0.asserts || right.0.asserts,
            sorted: OnceCell::new(),
        }))
    }

    fn number(&self) -> u32 {
        let number = self.count.get();
        self.count.set(number + 1);
        number
    }
}
