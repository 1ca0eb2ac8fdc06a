//! Shapes: which fields an object has, how visible they are, and where they
//! are found.
//!
//! The shape of one object literal has one layer; the shape of `a + b` has the
//! layers of `a` and then those of `b`. Each layer has a slot for each of its
//! fields and object locals; a layer's slots follow those of the layer below.

use std::cell::{Cell, OnceCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::value::{Name, Names};

/// How visible a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// `:`, as visible as the field that it overrides.
    Inherit,
    /// `::`
    Hidden,
    /// `:::`
    Visible,
}

/// A field as a layer defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSpec {
    /// Its name.
    pub name: Name,
    /// How visible it is.
    pub visibility: Visibility,
    /// Whether it was written with `+:`.
    pub plus: bool,
}

impl Hash for FieldSpec {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let flags = self.visibility as u64 * 2 + u64::from(self.plus);
        state.write_u64(u64::from(self.name.0) | flags << 32);
    }
}

/// A field as it is found in an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// How visible it is, what it overrides considered.
    pub visibility: Visibility,
    /// Whether it was written with `+:`.
    pub plus: bool,
    /// The layer that defines it.
    pub layer: u32,
    /// Its number in that layer.
    pub index: u32,
    /// Its slot in the object.
    pub slot: u32,
}

impl Field {
    /// Whether manifesting shows the field.
    #[inline]
    pub fn is_visible(&self) -> bool {
        self.visibility != Visibility::Hidden
    }
}

/// A shape, shared by the objects that have it.
#[derive(Clone)]
pub struct ShapeRef(pub(super) Rc<Shape>);

pub(super) struct Shape {
    pub(super) id: u32,
    /// Each name once, in the order of the first definitions.
    pub(super) fields: Box<[Field]>,
    pub(super) find: Finder,
    /// The single layers; empty if the shape is one itself.
    pub(super) layers: Box<[ShapeRef]>,
    /// The first slot of each layer.
    pub(super) bases: Box<[u32]>,
    pub(super) slots: u32,
    pub(super) asserts: bool,
    pub(super) sorted: OnceCell<Box<[u32]>>,
    /// What a layer hides, which is there for nothing else.
    pub(super) hides: Option<Hidden>,
}

/// A name that is not found in some layers by whoever looks from above them.
#[derive(Clone, Copy)]
pub(super) struct Hidden {
    pub(super) name: Name,
    /// So many layers, right below the one that hides it.
    pub(super) layers: u32,
}

/// Finds the number of a field by its name: few names are looked through,
/// many get a table when they have been looked through some times.
pub(super) struct Finder {
    names: Box<[Name]>,
    searches: Cell<u8>,
    table: OnceCell<NameTable>,
}

/// The numbers of fields by name.
pub(super) type NameTable = HashMap<Name, u32, FxBuildHasher>;

impl Finder {
    /// So many names are always looked through.
    const FEW: usize = 8;
    /// So often are more names looked through.
    const PATIENCE: u8 = 4;

    pub(super) fn new(fields: &[Field]) -> Self {
        Self {
            names: fields.iter().map(|field| field.name).collect(),
            searches: Cell::new(0),
            table: OnceCell::new(),
        }
    }

    #[inline]
    pub(super) fn find(&self, name: Name) -> Option<usize> {
        if self.names.len() > Self::FEW {
            return self.find_among_many(name);
        }
        self.names.iter().position(|&other| other == name)
    }

    fn find_among_many(&self, name: Name) -> Option<usize> {
        if let Some(table) = self.table.get() {
            return table.get(&name).map(|&at| at as usize);
        }
        if self.searches.get() < Self::PATIENCE {
            self.searches.set(self.searches.get() + 1);
            return self.names.iter().position(|&other| other == name);
        }
        let table = self
            .table
            .get_or_init(|| self.names.iter().copied().zip(0..).collect());
        table.get(&name).map(|&at| at as usize)
    }
}

impl ShapeRef {
    /// A number that no other shape of the virtual machine has.
    #[inline]
    pub fn id(&self) -> u32 {
        self.0.id
    }

    /// The field of a name.
    #[inline]
    pub fn find(&self, name: Name) -> Option<Field> {
        Some(self.0.fields[self.0.find.find(name)?])
    }

    /// The field of a name in the layers below one: what `super` finds.
    /// Visibility is that of the definition.
    pub fn find_below(&self, layer: u32, name: Name) -> Option<Field> {
        let mut below = layer;
        while below > 0 {
            below -= 1;
            let single = self.layer(below);
            if let Some(field) = single.find(name) {
                return Some(Field {
                    layer: below,
                    slot: field.slot + self.0.bases[below as usize],
                    ..field
                });
            }
            if let Some(hidden) = single.0.hides
                && hidden.name == name
            {
                below -= hidden.layers;
            }
        }
        None
    }

    /// The fields, each name once, in the order of their first definitions.
    #[inline]
    pub fn fields(&self) -> &[Field] {
        &self.0.fields
    }

    /// The numbers in [`ShapeRef::fields`] of all fields, hidden ones too,
    /// sorted by the code points of their names.
    #[inline]
    pub fn sorted(&self, names: &Names) -> &[u32] {
        self.0.sorted.get_or_init(|| {
            let mut order: Box<[u32]> = (0..self.0.fields.len() as u32).collect();
            let text = |at: u32| names.text(self.0.fields[at as usize].name).as_str();
            order.sort_unstable_by(|&a, &b| text(a).cmp(text(b)));
            order
        })
    }

    /// How many layers there are.
    #[inline]
    pub fn layers(&self) -> u32 {
        self.0.bases.len() as u32
    }

    /// The shape of a single layer.
    #[inline]
    pub fn layer(&self, layer: u32) -> &Self {
        self.0.layers.get(layer as usize).unwrap_or(self)
    }

    /// The slot of an object local of a layer.
    #[inline]
    pub fn local_slot(&self, layer: u32, local: u32) -> u32 {
        self.0.bases[layer as usize] + self.layer(layer).0.fields.len() as u32 + local
    }

    /// How many slots an object of this shape has.
    #[inline]
    pub fn slots(&self) -> u32 {
        self.0.slots
    }

    /// Whether any layer has assertions.
    #[inline]
    pub fn has_asserts(&self) -> bool {
        self.0.asserts
    }

    /// Whether both are the same shape.
    #[inline]
    pub fn same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}
