//! What the values of one virtual machine share.

use linecaster_heap::Heap;

use super::Names;
use super::object::Shapes;

/// The names, shapes and memory of one virtual machine.
pub struct Store {
    /// The interned names.
    pub names: Names,
    /// The shapes of objects.
    pub shapes: Shapes,
    /// The memory.
    pub heap: Heap,
}

impl Store {
    /// An empty store.
    pub fn new() -> Self {
        let heap = Heap::new();
        Self {
            names: Names::new(&heap),
            shapes: Shapes::new(),
            heap,
        }
    }
}

impl Default for Store {
    fn default() -> Self {
        Self::new()
    }
}
