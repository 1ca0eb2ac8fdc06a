//! Interned names: of fields, variables and parameters.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;

use linecaster_heap::Heap;

use super::Str;

/// A name interned in a virtual machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name(pub u32);

/// The interner. Names are never forgotten.
pub struct Names {
    heap: Heap,
    by_text: RefCell<HashMap<String, Name>>,
    /// Chunk k holds 2^k times [`Names::FIRST`] texts, which never move.
    chunks: [OnceCell<Box<[OnceCell<Str>]>>; 24],
    count: Cell<u32>,
}

impl Names {
    const FIRST: u32 = 256;

    /// An interner whose texts live in the heap.
    pub fn new(heap: &Heap) -> Self {
        Self {
            heap: heap.clone(),
            by_text: RefCell::default(),
            chunks: [const { OnceCell::new() }; 24],
            count: Cell::new(0),
        }
    }

    /// The name of a text.
    pub fn intern(&self, text: &str) -> Name {
        if let Some(name) = self.find(text) {
            return name;
        }
        self.add(Str::new(&self.heap, text))
    }

    /// The name of a string.
    pub fn intern_str(&self, text: &Str) -> Name {
        self.intern(text.as_str())
    }

    /// The name of a text, if it has been interned.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.by_text.borrow().get(text).copied()
    }

    /// The name of a string, if it has been interned.
    pub fn find_str(&self, text: &Str) -> Option<Name> {
        self.find(text.as_str())
    }

    /// The text of a name of this interner.
    #[inline]
    pub fn text(&self, name: Name) -> &Str {
        let (chunk, at) = Self::place(name.0);
        self.chunks[chunk]
            .get()
            .and_then(|texts| texts[at].get())
            .expect("a name of this interner")
    }

    fn add(&self, text: Str) -> Name {
        let name = Name(self.count.get());
        self.count.set(name.0 + 1);
        self.by_text
            .borrow_mut()
            .insert(text.as_str().to_owned(), name);
        let (chunk, at) = Self::place(name.0);
        let texts = self.chunks[chunk]
            .get_or_init(|| vec![OnceCell::new(); (Self::FIRST as usize) << chunk].into());
        let placed = texts[at].set(text);
        debug_assert!(placed.is_ok(), "each number is given once");
        name
    }

    #[inline]
    fn place(name: u32) -> (usize, usize) {
        let chunk = (name / Self::FIRST + 1).ilog2();
        let first = ((1 << chunk) - 1) * Self::FIRST;
        (chunk as usize, (name - first) as usize)
    }
}
