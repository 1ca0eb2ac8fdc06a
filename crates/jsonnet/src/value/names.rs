//! Interned names: of fields, variables and parameters.

use std::cell::{Cell, OnceCell, RefCell};
use std::hash::BuildHasher;

use hashbrown::HashTable;
use linecaster_heap::Heap;
use rustc_hash::FxBuildHasher;

use super::Str;

/// A name interned in a virtual machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name(pub u32);

/// The interner. Names are never forgotten.
pub struct Names {
    heap: Heap,
    /// The names by the hash of their texts, which stands beside them.
    table: RefCell<HashTable<(u32, Name)>>,
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
            table: RefCell::default(),
            chunks: [const { OnceCell::new() }; 24],
            count: Cell::new(0),
        }
    }

    /// The name of a text.
    pub fn intern(&self, text: &str) -> Name {
        let hash = hash(text);
        match self.look_up(text, hash) {
            Some(name) => name,
            None => self.add(Str::new(&self.heap, text), hash),
        }
    }

    /// The name of a string. A string that does not stand in its value
    /// remembers it.
    #[inline]
    pub fn intern_str(&self, text: &Str) -> Name {
        if let Some(name) = text.known_name() {
            return name;
        }
        let name = self.intern(text.as_str());
        text.set_name(name);
        name
    }

    /// The name of a text, if it has been interned.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.look_up(text, hash(text))
    }

    /// The name of a string, if it has been interned.
    #[inline]
    pub fn find_str(&self, text: &Str) -> Option<Name> {
        if let Some(name) = text.known_name() {
            return Some(name);
        }
        let name = self.find(text.as_str())?;
        text.set_name(name);
        Some(name)
    }

    /// The text of a name of this interner.
    ///
    /// # Panics
    /// If it is of another one.
    #[inline]
    pub fn text(&self, name: Name) -> &Str {
        let (chunk, at) = Self::place(name.0);
        self.chunks[chunk]
            .get()
            .and_then(|texts| texts[at].get())
            .expect("a name of this interner")
    }

    fn look_up(&self, text: &str, hash: u64) -> Option<Name> {
        let table = self.table.borrow();
        let is_it =
            |&(other, name): &(u32, Name)| other == hash as u32 && self.text(name).as_str() == text;
        Some(table.find(hash, is_it)?.1)
    }

    fn add(&self, text: Str, hash: u64) -> Name {
        let name = Name(self.count.get());
        self.count.set(name.0 + 1);
        text.set_name(name);
        let (chunk, at) = Self::place(name.0);
        let texts = self.chunks[chunk]
            .get_or_init(|| vec![OnceCell::new(); (Self::FIRST as usize) << chunk].into());
        let placed = texts[at].set(text);
        debug_assert!(placed.is_ok(), "each number is given once");
        let again = |&(_, name): &(u32, Name)| self::hash(self.text(name).as_str());
        let entry = (hash as u32, name);
        self.table.borrow_mut().insert_unique(hash, entry, again);
        name
    }

    #[inline]
    fn place(name: u32) -> (usize, usize) {
        let chunk = (name / Self::FIRST + 1).ilog2();
        let first = ((1 << chunk) - 1) * Self::FIRST;
        (chunk as usize, (name - first) as usize)
    }
}

#[inline]
fn hash(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_has_one_name() {
        let heap = Heap::new();
        let names = Names::new(&heap);
        let text = |at: u32| format!("a name that is long enough or {at}");
        for at in 0..5000 {
            assert_eq!(names.find(&text(at)), None);
            assert_eq!(names.intern(&text(at)), Name(at));
        }
        for at in (0..5000).rev() {
            let string = Str::new(&heap, &text(at));
            assert_eq!(names.find_str(&string), Some(Name(at)));
            assert_eq!(string.known_name(), Some(Name(at)));
            assert_eq!(names.intern_str(&string), Name(at));
            assert_eq!(names.text(Name(at)), &string);
        }
        assert_eq!(names.intern_str(&Str::empty()), Name(5000));
    }
}
