//! Objects.
//!
//! An object is made of layers, the leftmost operand of `+` at the bottom,
//! each of them an object of one layer: a literal or ready fields. Its slots
//! hold what its fields and object locals were worked out to.

mod shape;
mod shapes;

use std::cell::{Cell, OnceCell};

use linecaster_heap::{Gc, GcSlice, Heap, Managed, Slot, Trace, Visitor};

use super::{Code, Name, Record, Store, Value, kind};

pub use shape::{Field, FieldSpec, ShapeRef, Visibility};
pub use shapes::Shapes;

/// An object.
#[derive(Clone)]
pub struct Object(Gc<Head>);

/// Where the values of a layer's fields come from.
#[derive(Clone)]
pub enum Source {
    /// The values were ready when the object was made.
    Ready,
    /// An object literal: the template's code and what it captured.
    Literal(Code, Option<Record>),
    /// An object comprehension: the template's code and what it captured for
    /// each of the fields.
    Comprehension(Code, Gc<Records>),
}

/// The capture records of the fields of an object comprehension.
pub struct Records(pub Vec<Record>);

/// Whether an object's assertions have been checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asserts {
    /// Not yet.
    Unchecked,
    /// They are being checked.
    Running,
    /// They hold, or there are none.
    Hold,
}

struct Head {
    shape: OnceCell<ShapeRef>,
    layers: OnceCell<GcSlice<Layers, Object>>,
    body: Slot<Body>,
    slots: OnceCell<GcSlice<Slots, Slot<Option<Value>>>>,
    asserts: Cell<Asserts>,
}

#[derive(Clone)]
enum Body {
    Layer(Source),
    Merge(Object, Object),
    Merged,
}

struct Layers;
struct Slots;

impl Object {
    /// An object of one layer whose fields are worked out by code.
    #[inline]
    pub fn new(heap: &Heap, shape: &ShapeRef, source: Source) -> Self {
        let asserts = if shape.has_asserts() {
            Asserts::Unchecked
        } else {
            Asserts::Hold
        };
        Self(heap.alloc(Head {
            shape: OnceCell::from(shape.clone()),
            layers: OnceCell::new(),
            body: Slot::new(Body::Layer(source)),
            slots: OnceCell::new(),
            asserts: Cell::new(asserts),
        }))
    }

    /// An object of one layer whose fields have values, maybe pending: as
    /// many as the shape has fields.
    pub fn ready(
        heap: &Heap,
        shape: &ShapeRef,
        values: impl IntoIterator<Item = Value, IntoIter: ExactSizeIterator>,
    ) -> Self {
        let object = Self::new(heap, shape, Source::Ready);
        let values = values.into_iter().map(|value| Slot::new(Some(value)));
        let slots = heap.alloc_slice(Slots, values);
        assert_eq!(
            slots.len(),
            shape.slots() as usize,
            "one value for each field"
        );
        let _ = object.0.slots.set(slots);
        object
    }

    /// An object of fields with values, for native code. The error is a name
    /// that stands there twice.
    pub fn from_fields(
        store: &Store,
        fields: impl IntoIterator<Item = (Name, Visibility, Value)>,
    ) -> Result<Self, Name> {
        let (specs, values): (Vec<FieldSpec>, Vec<Value>) = fields
            .into_iter()
            .map(|(name, visibility, value)| {
                let plus = false;
                (
                    FieldSpec {
                        name,
                        visibility,
                        plus,
                    },
                    value,
                )
            })
            .unzip();
        let shape = store.shapes.leaf(&specs, 0, false)?;
        Ok(Self::ready(&store.heap, &shape, values))
    }

    /// `left + right`. Nothing is looked at before it is needed.
    pub fn merge(heap: &Heap, left: &Self, right: &Self) -> Self {
        Self(heap.alloc(Head {
            shape: OnceCell::new(),
            layers: OnceCell::new(),
            body: Slot::new(Body::Merge(left.clone(), right.clone())),
            slots: OnceCell::new(),
            asserts: Cell::new(Asserts::Unchecked),
        }))
    }

    /// The object's shape.
    #[inline]
    pub fn shape(&self, store: &Store) -> &ShapeRef {
        if let Some(shape) = self.0.shape.get() {
            return shape;
        }
        self.flatten(store);
        self.0.shape.get().expect("flattened")
    }

    /// The field of a name.
    #[inline]
    pub fn find(&self, store: &Store, name: Name) -> Option<Field> {
        self.shape(store).find(name)
    }

    /// The object that is a layer of this one, itself if it has only one.
    #[inline]
    pub fn layer(&self, store: &Store, layer: u32) -> &Self {
        let _ = self.shape(store);
        match self.0.layers.get() {
            Some(layers) => &layers[layer as usize],
            None => self,
        }
    }

    /// Where the fields of an object of one layer come from.
    #[inline]
    pub fn source(&self) -> Source {
        match self.0.body.get() {
            Body::Layer(source) => source,
            Body::Merge(..) | Body::Merged => Source::Ready,
        }
    }

    /// What a slot holds, maybe a pending value; none if the field or object
    /// local has not been worked out.
    #[inline]
    pub fn cached(&self, store: &Store, slot: u32) -> Option<Value> {
        self.slots(store)[slot as usize].get()
    }

    /// Fills a slot.
    #[inline]
    pub fn store(&self, store: &Store, slot: u32, value: Value) {
        self.slots(store)[slot as usize].set(Some(value));
    }

    /// Whether the assertions have been checked.
    #[inline]
    pub fn asserts(&self) -> Asserts {
        self.0.asserts.get()
    }

    /// Notes whether the assertions have been checked.
    #[inline]
    pub fn set_asserts(&self, asserts: Asserts) {
        self.0.asserts.set(asserts);
    }

    /// Whether both are the same object.
    #[inline]
    pub fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }

    #[inline]
    fn slots(&self, store: &Store) -> &[Slot<Option<Value>>] {
        self.0.slots.get_or_init(|| {
            let shape = self.shape(store);
            let values = match self.0.layers.get() {
                None => vec![None; shape.slots() as usize],
                Some(layers) => {
                    let mut values = Vec::with_capacity(shape.slots() as usize);
                    for layer in layers.iter() {
                        let own = layer.shape(store).slots();
                        match layer.source() {
                            Source::Ready => {
                                values.extend((0..own).map(|slot| layer.cached(store, slot)));
                            }
                            _ => values.extend((0..own).map(|_| None)),
                        }
                    }
                    values
                }
            };
            store
                .heap
                .alloc_slice(Slots, values.into_iter().map(Slot::new))
        })
    }

    #[cold]
    fn flatten(&self, store: &Store) {
        let mut layers = Vec::new();
        let mut shape: Option<ShapeRef> = None;
        let mut open = vec![self.clone()];
        while let Some(object) = open.pop() {
            if let Body::Merge(left, right) = object.0.body.get() {
                open.push(right);
                open.push(left);
                continue;
            }
            let own = object.shape(store);
            shape = Some(match shape {
                None => own.clone(),
                Some(below) => store.shapes.merge(&below, own),
            });
            match object.0.layers.get() {
                Some(many) => layers.extend(many.iter().cloned()),
                None => layers.push(object),
            }
        }
        let shape = shape.expect("a merge has layers");
        if !shape.has_asserts() {
            self.0.asserts.set(Asserts::Hold);
        }
        let _ = self.0.shape.set(shape);
        let _ = self.0.layers.set(store.heap.alloc_slice(Layers, layers));
        self.0.body.set(Body::Merged);
    }
}

impl Trace for Object {
    #[inline]
    fn trace(&self, visitor: &mut Visitor<'_>) {
        self.0.trace(visitor);
    }
}

impl Managed for Head {
    const KIND: u8 = kind::OBJECT;
}

impl Trace for Head {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        if let Some(layers) = self.layers.get() {
            layers.trace(visitor);
        }
        if let Some(slots) = self.slots.get() {
            slots.trace(visitor);
        }
        self.body.trace(visitor);
    }
}

impl Trace for Body {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        match self {
            Self::Layer(source) => source.trace(visitor),
            Self::Merge(left, right) => {
                left.trace(visitor);
                right.trace(visitor);
            }
            Self::Merged => {}
        }
    }
}

impl Trace for Source {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        match self {
            Self::Ready => {}
            Self::Literal(_, record) => record.trace(visitor),
            Self::Comprehension(_, records) => records.trace(visitor),
        }
    }
}

impl Managed for Layers {
    const KIND: u8 = kind::LAYERS;
}

impl Trace for Layers {
    fn trace(&self, _: &mut Visitor<'_>) {}
}

impl Managed for Slots {
    const KIND: u8 = kind::SLOTS;
}

impl Trace for Slots {
    fn trace(&self, _: &mut Visitor<'_>) {}
}

impl Managed for Records {
    const KIND: u8 = kind::RECORDS;
}

impl Trace for Records {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        for record in &self.0 {
            record.trace(visitor);
        }
    }
}
