//! The shapes of a virtual machine.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use rustc_hash::FxBuildHasher;

use super::shape::{Field, FieldSpec, Finder, Hidden, NameTable, Shape, ShapeRef, Visibility};
use crate::value::Name;

/// Makes shapes, and remembers which it has made.
#[derive(Default)]
pub struct Shapes {
    count: Cell<u32>,
    /// Shapes of one layer, by what they were made of.
    single: RefCell<Remembered<Single>>,
    /// Shapes of sums, by the numbers of the shapes that were added.
    merged: RefCell<Remembered<Box<[u32]>>>,
}

type Single = (Box<[FieldSpec]>, u32, bool);

/// Shapes by what they were made of, up to a total number of fields.
struct Remembered<K> {
    shapes: HashMap<K, ShapeRef, FxBuildHasher>,
    size: usize,
}

impl<K> Default for Remembered<K> {
    fn default() -> Self {
        let (shapes, size) = (HashMap::default(), 0);
        Self { shapes, size }
    }
}

impl<K: Eq + std::hash::Hash> Remembered<K> {
    /// With more fields and layers than this, all are forgotten: whoever makes
    /// so many shapes does not make them again.
    const MOST: usize = 1 << 20;

    fn add(&mut self, key: K, shape: &ShapeRef) {
        let size = shape.0.fields.len() + shape.0.layers.len() + 8;
        if self.size + size > Self::MOST {
            *self = Self::default();
        }
        self.size += size;
        self.shapes.insert(key, shape.clone());
    }
}

/// Up to so many fields, a name that stands twice is found by comparing all
/// with all.
const FEW: usize = 12;

impl Shapes {
    /// None so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// The shape of one layer: fields in the order of their definition, so
    /// many object locals, and whether it has assertions. The error is a name
    /// that stands there twice.
    pub fn leaf(&self, fields: &[FieldSpec], locals: u32, asserts: bool) -> Result<ShapeRef, Name> {
        let mut single = self.single.borrow_mut();
        if let Some(shape) = single.shapes.get(&Borrowed(fields, locals, asserts)) {
            return Ok(shape.clone());
        }
        check_names(fields)?;
        let shape = self.leaf_new(fields, locals, asserts);
        single.add((fields.into(), locals, asserts), &shape);
        Ok(shape)
    }

    fn leaf_new(&self, specs: &[FieldSpec], locals: u32, asserts: bool) -> ShapeRef {
        let field = |(index, spec): (u32, &FieldSpec)| Field {
            name: spec.name,
            visibility: spec.visibility,
            plus: spec.plus,
            layer: 0,
            index,
            slot: index,
        };
        let fields: Box<[Field]> = (0..).zip(specs).map(field).collect();
        ShapeRef(Rc::new(Shape {
            id: self.number(),
            slots: fields.len() as u32 + locals,
            find: Finder::new(&fields),
            fields,
            layers: Box::default(),
            bases: [0].into(),
            asserts,
            sorted: OnceCell::new(),
            hides: None,
        }))
    }

    /// The shape of the sum of objects of some shapes.
    pub(super) fn merge(&self, parts: &[&ShapeRef]) -> ShapeRef {
        let small: [u32; 2];
        let large: Box<[u32]>;
        let key: &[u32] = if let [left, right] = parts {
            small = [left.id(), right.id()];
            &small
        } else {
            large = parts.iter().map(|part| part.id()).collect();
            &large
        };
        if let Some(shape) = self.merged.borrow().shapes.get(key) {
            return shape.clone();
        }
        let shape = self.merge_new(parts);
        self.merged.borrow_mut().add(key.into(), &shape);
        shape
    }

    fn merge_new(&self, parts: &[&ShapeRef]) -> ShapeRef {
        let mut fields = Merge::default();
        let mut layers = Vec::new();
        let mut bases = Vec::new();
        let (mut slots, mut asserts) = (0, false);
        for part in parts {
            fields.add(part, layers.len() as u32, slots);
            layers.extend((0..part.layers()).map(|at| part.layer(at).clone()));
            bases.extend(part.0.bases.iter().map(|base| base + slots));
            slots += part.slots();
            asserts |= part.has_asserts();
        }
        let fields: Box<[Field]> = fields.fields.into();
        ShapeRef(Rc::new(Shape {
            id: self.number(),
            find: Finder::new(&fields),
            fields,
            layers: layers.into(),
            bases: bases.into(),
            slots,
            asserts,
            sorted: OnceCell::new(),
            hides: None,
        }))
    }

    /// The shape of an object of a shape without a field: a layer above the
    /// others hides it. That layer's shape comes second.
    pub(super) fn without(&self, shape: &ShapeRef, name: Name) -> (ShapeRef, ShapeRef) {
        let layers = shape.layers();
        let lid = ShapeRef(Rc::new(Shape {
            id: self.number(),
            fields: Box::default(),
            find: Finder::new(&[]),
            layers: Box::default(),
            bases: [0].into(),
            slots: 0,
            asserts: false,
            sorted: OnceCell::new(),
            hides: Some(Hidden { name, layers }),
        }));
        let kept = shape.fields().iter().filter(|field| field.name != name);
        let fields: Box<[Field]> = kept.copied().collect();
        let singles = (0..layers).map(|at| shape.layer(at).clone());
        let bases = shape.0.bases.iter().copied();
        let whole = ShapeRef(Rc::new(Shape {
            id: self.number(),
            find: Finder::new(&fields),
            fields,
            layers: singles.chain([lid.clone()]).collect(),
            bases: bases.chain([shape.slots()]).collect(),
            slots: shape.slots(),
            asserts: shape.has_asserts(),
            sorted: OnceCell::new(),
            hides: None,
        }));
        (whole, lid)
    }

    fn number(&self) -> u32 {
        let number = self.count.get();
        self.count.set(number + 1);
        number
    }
}

/// A [`Single`] that owns nothing; its hash is the same.
#[derive(Hash)]
struct Borrowed<'a>(&'a [FieldSpec], u32, bool);

impl hashbrown::Equivalent<Single> for Borrowed<'_> {
    fn equivalent(&self, key: &Single) -> bool {
        (self.0, self.1, self.2) == (&*key.0, key.1, key.2)
    }
}

/// Checks that no name stands twice; the error is the second one.
fn check_names(fields: &[FieldSpec]) -> Result<(), Name> {
    if fields.len() <= FEW {
        for (at, field) in fields.iter().enumerate() {
            if fields[..at].iter().any(|other| other.name == field.name) {
                return Err(field.name);
            }
        }
        return Ok(());
    }
    let mut names = NameTable::with_capacity_and_hasher(fields.len(), FxBuildHasher);
    for field in fields {
        if names.insert(field.name, 0).is_some() {
            return Err(field.name);
        }
    }
    Ok(())
}

/// The fields of a sum, as far as it has been added up.
#[derive(Default)]
struct Merge {
    fields: Vec<Field>,
    /// Where each name is, once there are many.
    table: Option<NameTable>,
}

impl Merge {
    /// Adds the fields of a shape whose layers and slots begin here.
    fn add(&mut self, part: &ShapeRef, layer: u32, slot: u32) {
        if self.fields.is_empty() {
            let moved = part
                .fields()
                .iter()
                .map(|field| shifted(field, layer, slot));
            self.fields.extend(moved);
            return;
        }
        for field in part.fields() {
            let moved = shifted(field, layer, slot);
            match self.place(field.name) {
                Some(at) => {
                    let place = &mut self.fields[at];
                    let visibility = match moved.visibility {
                        Visibility::Inherit => place.visibility,
                        own => own,
                    };
                    *place = Field {
                        visibility,
                        ..moved
                    };
                }
                None => self.fields.push(moved),
            }
        }
    }

    /// Where the field of a name is; if there is none, it is about to be
    /// added.
    fn place(&mut self, name: Name) -> Option<usize> {
        if self.table.is_none() {
            if self.fields.len() <= FEW {
                return self.fields.iter().position(|field| field.name == name);
            }
            let names = self.fields.iter().map(|field| field.name);
            self.table = Some(names.zip(0..).collect());
        }
        let next = self.fields.len() as u32;
        match self.table.as_mut()?.entry(name) {
            Entry::Occupied(place) => Some(*place.get() as usize),
            Entry::Vacant(place) => {
                place.insert(next);
                None
            }
        }
    }
}

/// The field of a part as it is in the sum.
fn shifted(field: &Field, layer: u32, slot: u32) -> Field {
    Field {
        layer: field.layer + layer,
        slot: field.slot + slot,
        ..*field
    }
}
