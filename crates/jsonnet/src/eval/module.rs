//! A unit as one VM knows it: names interned, constants made, caches empty.

use std::cell::{Cell, OnceCell};
use std::sync::Arc;

use crate::ir::{NameId, Object, Unit};
use crate::value::object::{FieldSpec, ShapeRef, Visibility};
use crate::value::{ModuleId, Name, Store, Str};

pub(crate) struct Module {
    pub(crate) id: ModuleId,
    pub(crate) unit: Arc<Unit>,
    pub(crate) names: Box<[Name]>,
    pub(crate) strings: Box<[Str]>,
    /// Where fields were found before.
    pub(crate) caches: Box<[Cell<Cache>]>,
    /// Shapes of the object literals whose names are all known.
    shapes: Box<[OnceCell<ShapeRef>]>,
}

/// Where a field was found in the last object that was asked.
#[derive(Clone, Copy)]
pub(crate) struct Cache {
    /// The object's shape.
    pub(crate) shape: u32,
    /// The field's slot.
    pub(crate) slot: u32,
}

impl Cache {
    const EMPTY: Self = Self {
        shape: u32::MAX,
        slot: 0,
    };
}

impl Module {
    pub(crate) fn new(id: ModuleId, unit: Arc<Unit>, store: &Store) -> Self {
        let names = unit.names.iter();
        let strings = unit.strings.iter();
        Self {
            id,
            names: names.map(|name| store.names.intern(name)).collect(),
            strings: strings.map(|text| Str::new(&store.heap, text)).collect(),
            caches: (0..unit.caches).map(|_| Cell::new(Cache::EMPTY)).collect(),
            shapes: unit.objects.iter().map(|_| OnceCell::new()).collect(),
            unit,
        }
    }

    #[inline(always)]
    pub(crate) fn name(&self, name: NameId) -> Name {
        self.names[name.index()]
    }

    /// The shape of an object literal whose names are all known; they differ,
    /// as the parser saw to.
    #[inline]
    pub(crate) fn shape(&self, store: &Store, at: usize) -> &ShapeRef {
        self.shapes[at].get_or_init(|| {
            let object = self.unit.objects[at];
            let specs: Vec<FieldSpec> = self.unit.fields[object.fields.range()]
                .iter()
                .filter_map(|field| match field.name {
                    crate::ir::FieldName::Fixed(name) => Some(FieldSpec {
                        name: self.name(name),
                        visibility: visibility(field.visibility),
                        plus: field.plus,
                    }),
                    crate::ir::FieldName::Computed(_) => None,
                })
                .collect();
            new_shape(store, &object, &specs).unwrap_or_else(|_| unreachable!("names differ"))
        })
    }
}

/// The shape of a layer of the literal `object` with these fields; the error
/// is a name that stands there twice.
pub(crate) fn new_shape(
    store: &Store,
    object: &Object,
    specs: &[FieldSpec],
) -> Result<ShapeRef, Name> {
    let asserts = !object.asserts.is_empty();
    let locals = object.locals.len() as u32;
    store.shapes.leaf(specs, locals, asserts)
}

/// Visibility in the terms of values.
pub(crate) fn visibility(visibility: crate::syntax::ast::Visibility) -> Visibility {
    match visibility {
        crate::syntax::ast::Visibility::Inherit => Visibility::Inherit,
        crate::syntax::ast::Visibility::Hidden => Visibility::Hidden,
        crate::syntax::ast::Visibility::Forced => Visibility::Visible,
    }
}
