//! Values that are worked out when they are first needed.

use linecaster_heap::{Gc, Heap, Managed, Slot, Trace, Visitor};

use super::{Code, Function, Name, Object, Record, Value, kind};

/// A value that is worked out at most once.
pub struct Thunk {
    state: Slot<State>,
}

#[derive(Clone)]
enum State {
    Ready(Value),
    Code(Code, Option<Record>),
    Element(Gc<Element>),
    Running,
}

const _: () = assert!(size_of::<Thunk>() == 24);

/// What a thunk has to do.
pub enum Work {
    /// To run code with its record.
    Code(Code, Option<Record>),
    /// To work out an element of an array.
    Element(Gc<Element>),
}

/// How an element of an array follows from its source.
#[derive(Clone)]
pub enum By {
    /// The function applied to the item of the source.
    Item(Function),
    /// The function applied to the index and to the item of the source.
    IndexAndItem(Function),
    /// The function applied to the index; there is no source.
    Index(Function),
    /// The code run with the record, and the item of the source as the only
    /// local value.
    Code(Code, Option<Record>),
    /// The field of an object; there is no source.
    Field(Object, Name),
    /// The function applied to the values of the record; there is no source.
    Call(Function, Record),
}

/// An element of an array that is still to be worked out.
#[derive(Clone)]
pub struct Element {
    /// How.
    pub by: By,
    /// Its index.
    pub index: usize,
    /// The item of the source, maybe pending; null if there is no source.
    pub item: Value,
}

impl Thunk {
    /// A thunk that runs code.
    #[inline]
    pub fn new(heap: &Heap, code: Code, record: Option<Record>) -> Gc<Self> {
        Self::with(heap, State::Code(code, record))
    }

    /// A thunk that works out an element.
    pub fn element(heap: &Heap, element: Element) -> Gc<Self> {
        let element = heap.alloc(element);
        Self::with(heap, State::Element(element))
    }

    /// A thunk that reads a field of an object.
    pub fn field(heap: &Heap, object: &Object, name: Name) -> Gc<Self> {
        let by = By::Field(object.clone(), name);
        Self::element(
            heap,
            Element {
                by,
                index: 0,
                item: Value::Null,
            },
        )
    }

    /// A thunk that calls a function with values, pending ones or not.
    pub fn call(heap: &Heap, function: &Function, args: Vec<Value>) -> Gc<Self> {
        let by = By::Call(function.clone(), Record::new(heap, None, args));
        Self::element(
            heap,
            Element {
                by,
                index: 0,
                item: Value::Null,
            },
        )
    }

    /// A thunk whose value is known: for variables that are bound later, with
    /// [`Thunk::finish`].
    pub fn ready(heap: &Heap, value: Value) -> Gc<Self> {
        Self::with(heap, State::Ready(value))
    }

    #[inline]
    fn with(heap: &Heap, state: State) -> Gc<Self> {
        heap.alloc(Self {
            state: Slot::new(state),
        })
    }

    /// What it was worked out to. Never a pending value.
    #[inline]
    pub fn result(&self) -> Option<Value> {
        match self.state.get() {
            State::Ready(value) => Some(value),
            _ => None,
        }
    }

    /// What is to be done; none if that is done. The thunk keeps it until
    /// [`Thunk::finish`], so that a failed or a recursive attempt can be made
    /// again.
    #[inline]
    pub fn work(&self) -> Option<Work> {
        match self.state.get() {
            State::Code(code, record) => Some(Work::Code(code, record)),
            State::Element(element) => Some(Work::Element(element)),
            State::Ready(_) | State::Running => None,
        }
    }

    /// Takes what is to be done out of the thunk, which then is running and
    /// holds on to nothing. [`Thunk::finish`] or [`Thunk::restore`] must
    /// follow.
    #[inline]
    pub fn start(&self) -> Option<Work> {
        match self.state.replace(State::Running) {
            State::Code(code, record) => Some(Work::Code(code, record)),
            State::Element(element) => Some(Work::Element(element)),
            State::Running => None,
            ready @ State::Ready(_) => {
                self.state.set(ready);
                None
            }
        }
    }

    /// Sets the value and lets go of the work.
    #[inline]
    pub fn finish(&self, value: Value) {
        debug_assert!(value.is_ready(), "a thunk is worked out to a ready value");
        self.state.set(State::Ready(value));
    }

    /// Puts the work back after a failure.
    pub fn restore(&self, work: Work) {
        self.state.set(match work {
            Work::Code(code, record) => State::Code(code, record),
            Work::Element(element) => State::Element(element),
        });
    }
}

impl Managed for Thunk {
    const KIND: u8 = kind::THUNK;
}

impl Trace for Thunk {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        self.state.trace(visitor);
    }
}

impl Trace for State {
    #[inline]
    fn trace(&self, visitor: &mut Visitor<'_>) {
        match self {
            Self::Ready(value) => value.trace(visitor),
            Self::Code(_, record) => record.trace(visitor),
            Self::Element(element) => element.trace(visitor),
            Self::Running => {}
        }
    }
}

impl Managed for Element {
    const KIND: u8 = kind::ELEMENT;
}

impl Trace for Element {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        self.by.trace(visitor);
        self.item.trace(visitor);
    }
}

impl Trace for By {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        match self {
            Self::Item(function) | Self::IndexAndItem(function) | Self::Index(function) => {
                function.trace(visitor);
            }
            Self::Code(_, record) => record.trace(visitor),
            Self::Field(object, _) => object.trace(visitor),
            Self::Call(function, record) => {
                function.trace(visitor);
                record.trace(visitor);
            }
        }
    }
}
