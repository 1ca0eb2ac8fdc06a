//! Objects.
//!
//! An object is made of layers, the leftmost operand of `+` at the bottom,
//! each of them an object of one layer: a literal or ready fields. Its slots
//! hold what its fields and object locals were worked out to.

mod shape;
mod shapes;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;

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
#[repr(u16)]
pub enum Asserts {
    /// Not yet.
    Unchecked = 0,
    /// They are being checked.
    Running = 1,
    /// They hold, or there are none.
    Hold = 2,
}

/// What an object is; its note has the state of its assertions and whether
/// fields are ready.
struct Head {
    shape: OnceCell<ShapeRef>,
    body: Slot<Body>,
    slots: OnceCell<Slots>,
}

const _: () = assert!(size_of::<Head>() == 40);

#[derive(Clone)]
enum Body {
    Layer(Source),
    /// A sum whose shape has not been asked for.
    Merge(Object, Object),
    /// A sum whose layers are known.
    Layers,
}

/// The slots of an object, one behind the other, and its layers if it has
/// more than one.
type Slots = GcSlice<SlotsHead, Slot<Option<Value>>>;

struct SlotsHead {
    layers: Option<Layers>,
}

type Layers = GcSlice<LayersHead, Object>;

struct LayersHead;

/// The bits of an object's note that hold the state of its assertions.
const ASSERTS: u16 = 3;
/// Some fields of the object were ready when it was made.
const READY: u16 = 4;

impl Object {
    /// An object of one layer whose fields are worked out by code.
    #[inline]
    pub fn new(heap: &Heap, shape: &ShapeRef, source: Source) -> Self {
        let object = heap.alloc(Head {
            shape: OnceCell::from(shape.clone()),
            body: Slot::new(Body::Layer(source)),
            slots: OnceCell::new(),
        });
        if !shape.has_asserts() {
            object.note().set(Asserts::Hold as u16);
        }
        Self(object)
    }

    /// An object of one layer whose fields have values, maybe pending: as
    /// many as the shape has fields.
    ///
    /// # Panics
    /// If there are more or fewer values.
    pub fn ready(
        heap: &Heap,
        shape: &ShapeRef,
        values: impl IntoIterator<Item = Value, IntoIter: ExactSizeIterator>,
    ) -> Self {
        let values = values.into_iter();
        let wanted = shape.slots() as usize;
        assert_eq!(values.len(), wanted, "one value for each field");
        let values = values.map(|value| Slot::new(Some(value)));
        let slots = heap.alloc_slice(SlotsHead { layers: None }, values);
        let object = heap.alloc(Head {
            shape: OnceCell::from(shape.clone()),
            body: Slot::new(Body::Layer(Source::Ready)),
            slots: OnceCell::from(slots),
        });
        object.note().set(Asserts::Hold as u16 | READY);
        Self(object)
    }

    /// An object of fields with values, for native code. The error is a name
    /// that stands there twice.
    pub fn from_fields(
        store: &Store,
        fields: impl IntoIterator<Item = (Name, Visibility, Value)>,
    ) -> Result<Self, Name> {
        let spec = |(name, visibility, value)| {
            let plus = false;
            let spec = FieldSpec {
                name,
                visibility,
                plus,
            };
            (spec, value)
        };
        let (specs, values): (Vec<FieldSpec>, Vec<Value>) = fields.into_iter().map(spec).unzip();
        let shape = store.shapes.leaf(&specs, 0, false)?;
        Ok(Self::ready(&store.heap, &shape, values))
    }

    /// `left + right`. Nothing is looked at before it is needed.
    #[inline]
    pub fn merge(heap: &Heap, left: &Self, right: &Self) -> Self {
        Self(heap.alloc(Head {
            shape: OnceCell::new(),
            body: Slot::new(Body::Merge(left.clone(), right.clone())),
            slots: OnceCell::new(),
        }))
    }

    /// The object without a field, which neither `self` nor what is put on top
    /// of it finds; its own layers still find it by `super`.
    #[must_use]
    pub fn without(&self, store: &Store, name: Name) -> Self {
        let (whole, lid) = store.shapes.without(self.shape(store), name);
        let lid = Self::new(&store.heap, &lid, Source::Ready);
        let object = Self(store.heap.alloc(Head {
            shape: OnceCell::new(),
            body: Slot::new(Body::Layers),
            slots: OnceCell::new(),
        }));
        object.flatten_as(store, whole, &[self, &lid]);
        object
    }

    /// The object's shape.
    #[inline]
    pub fn shape(&self, store: &Store) -> &ShapeRef {
        match self.0.shape.get() {
            Some(shape) => shape,
            None => self.flatten(store),
        }
    }

    /// The field of a name.
    #[inline]
    pub fn find(&self, store: &Store, name: Name) -> Option<Field> {
        self.shape(store).find(name)
    }

    /// The object that is a layer of this one, itself if it has only one.
    #[inline]
    pub fn layer(&self, store: &Store, layer: u32) -> &Self {
        let shape = self.shape(store);
        if shape.layers() == 1 {
            return self;
        }
        match self.layers() {
            Some(layers) => &layers[layer as usize],
            None => self,
        }
    }

    /// The layers of an object with more than one whose shape is known.
    #[inline]
    fn layers(&self) -> Option<&Layers> {
        self.0.slots.get()?.head().layers.as_ref()
    }

    /// Where the fields of an object of one layer come from.
    #[inline]
    pub fn source(&self) -> Source {
        match self.0.body.get() {
            Body::Layer(source) => source,
            Body::Merge(..) | Body::Layers => Source::Ready,
        }
    }

    /// What a slot holds, maybe a pending value; none if the field or object
    /// local has not been worked out.
    #[inline]
    pub fn cached(&self, store: &Store, slot: u32) -> Option<Value> {
        match self.0.slots.get() {
            Some(slots) => slots[slot as usize].get(),
            None => self.slots(store)[slot as usize].get(),
        }
    }

    /// Fills a slot.
    #[inline]
    pub fn store(&self, store: &Store, slot: u32, value: Value) {
        self.slots(store)[slot as usize].set(Some(value));
    }

    /// Whether the assertions have been checked.
    #[inline]
    pub fn asserts(&self) -> Asserts {
        match self.0.note().get() & ASSERTS {
            0 => Asserts::Unchecked,
            1 => Asserts::Running,
            _ => Asserts::Hold,
        }
    }

    /// Notes whether the assertions have been checked.
    #[inline]
    pub fn set_asserts(&self, asserts: Asserts) {
        let note = self.0.note();
        note.set(note.get() & !ASSERTS | asserts as u16);
    }

    /// Whether both are the same object.
    #[inline]
    pub fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }

    #[inline]
    fn slots(&self, store: &Store) -> &Slots {
        match self.0.slots.get() {
            Some(slots) => slots,
            None => self.make_slots(store),
        }
    }

    /// The slots, which the object does not have yet: those of a sum come
    /// with its shape.
    #[inline(never)]
    fn make_slots(&self, store: &Store) -> &Slots {
        let shape = self.shape(store);
        self.0.slots.get_or_init(|| {
            let head = SlotsHead { layers: None };
            store.heap.alloc_slice(head, empty(shape.slots()))
        })
    }

    /// Works out the shape, layers and slots of a sum.
    #[cold]
    #[inline(never)]
    fn flatten(&self, store: &Store) -> &ShapeRef {
        if let Body::Merge(left, right) = self.0.body.get()
            && let (Some(below), Some(above)) = (left.0.shape.get(), right.0.shape.get())
        {
            let shape = store.shapes.merge(&[below, above]);
            return self.flatten_as(store, shape, &[&left, &right]);
        }
        let parts = self.parts();
        let shapes: Vec<&ShapeRef> = parts.iter().map(|part| part.shape(store)).collect();
        let shape = store.shapes.merge(&shapes);
        self.flatten_as(store, shape, &parts.iter().collect::<Vec<_>>())
    }

    /// Becomes an object whose layers are those of the parts.
    fn flatten_as(&self, store: &Store, shape: ShapeRef, parts: &[&Self]) -> &ShapeRef {
        let mut layers: Vec<Self> = Vec::with_capacity(shape.layers() as usize);
        for &part in parts {
            match part.layers() {
                Some(many) => layers.extend(many.iter().cloned()),
                None => layers.push(part.clone()),
            }
        }
        let mut note = 0;
        if !shape.has_asserts() {
            note = Asserts::Hold as u16;
        }
        note |= parts
            .iter()
            .fold(0, |ready, part| ready | part.0.note().get() & READY);
        self.0.note().set(note);
        let slots = Self::sum_slots(store, &shape, layers, note & READY != 0);
        let _ = self.0.slots.set(slots);
        self.0.body.set(Body::Layers);
        self.0.shape.get_or_init(|| shape)
    }

    /// The objects that a sum adds up: those with a shape of their own.
    fn parts(&self) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut open = vec![self.clone()];
        while let Some(object) = open.pop() {
            match object.0.body.get() {
                Body::Merge(left, right) => open.extend([right, left]),
                Body::Layer(_) | Body::Layers => parts.push(object),
            }
        }
        parts
    }

    /// The slots of a sum: empty, but for the fields that were ready when
    /// their layer was made.
    fn sum_slots(store: &Store, shape: &ShapeRef, layers: Vec<Self>, ready: bool) -> Slots {
        let own = store.heap.alloc_slice(LayersHead, layers);
        if !ready {
            let head = SlotsHead { layers: Some(own) };
            return store.heap.alloc_slice(head, empty(shape.slots()));
        }
        let mut values = Vec::with_capacity(shape.slots() as usize);
        for layer in own.iter() {
            let end = values.len() + layer.shape(store).slots() as usize;
            if layer.0.note().get() & READY != 0
                && let Some(slots) = layer.0.slots.get()
            {
                values.extend(slots.iter().map(Slot::get));
            }
            values.resize(end, None);
        }
        let head = SlotsHead { layers: Some(own) };
        store
            .heap
            .alloc_slice(head, values.into_iter().map(Slot::new))
    }
}

/// So many slots with nothing in them.
#[inline]
fn empty(count: u32) -> impl ExactSizeIterator<Item = Slot<Option<Value>>> {
    (0..count as usize).map(|_| Slot::new(None))
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
        self.body.trace(visitor);
        if let Some(slots) = self.slots.get() {
            slots.trace(visitor);
        }
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
            Self::Layers => {}
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

impl Managed for LayersHead {
    const KIND: u8 = kind::LAYERS;
}

impl Trace for LayersHead {
    fn trace(&self, _: &mut Visitor<'_>) {}
}

impl Managed for SlotsHead {
    const KIND: u8 = kind::SLOTS;
}

impl Trace for SlotsHead {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        self.layers.trace(visitor);
    }
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
