//! Objects of every layout and size, freed when they lose their last pointer.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use linecaster_heap::{Gc, GcSlice, GcStr, Heap, InlineStr, Managed, Slot, Trace, Visitor};

/// Counts how many of them exist.
struct Counted(Rc<Cell<isize>>);

impl Counted {
    fn new(count: &Rc<Cell<isize>>) -> Self {
        count.set(count.get() + 1);
        Self(count.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// A list that can be made cyclic.
struct Link {
    next: Slot<Option<Gc<Link>>>,
    _own: Counted,
}

impl Trace for Link {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        self.next.trace(visitor);
    }
}

impl Managed for Link {
    const KIND: u8 = 1;
}

struct Head(#[allow(dead_code)] Option<Counted>);

impl Trace for Head {
    fn trace(&self, _: &mut Visitor<'_>) {}
}

impl Managed for Head {
    const KIND: u8 = 2;
}

struct TextHead;

impl Trace for TextHead {
    fn trace(&self, _: &mut Visitor<'_>) {}
}

impl Managed for TextHead {
    const KIND: u8 = 3;
    const LEAF: bool = true;
}

fn link(heap: &Heap, count: &Rc<Cell<isize>>, next: Option<Gc<Link>>) -> Gc<Link> {
    heap.alloc(Link {
        next: Slot::new(next),
        _own: Counted::new(count),
    })
}

#[test]
fn the_last_pointer_frees() {
    let (heap, count) = (Heap::new(), Rc::default());
    let one = link(&heap, &count, None);
    let other = one.clone();
    drop(one);
    assert_eq!(count.get(), 1);
    drop(other);
    assert_eq!(count.get(), 0);
}

#[test]
fn a_freed_slot_is_used_again() {
    let (heap, count) = (Heap::new(), Rc::default());
    let first = link(&heap, &count, None).address();
    for _ in 0..1000 {
        assert_eq!(link(&heap, &count, None).address(), first);
    }
    assert_eq!(heap.bytes(), 64 << 10);
}

#[test]
fn a_long_list_is_dropped_without_a_deep_stack() {
    let (heap, count) = (Heap::new(), Rc::default());
    let len = if cfg!(miri) { 500 } else { 1_000_000 };
    let mut list = None;
    for _ in 0..len {
        list = Some(link(&heap, &count, list));
    }
    assert_eq!(count.get(), len);
    drop(list);
    assert_eq!(count.get(), 0);
}

#[test]
fn a_cycle_is_collected_and_nothing_else() {
    let (heap, count) = (Heap::new(), Rc::default());
    let kept = link(&heap, &count, None);
    let last = link(&heap, &count, Some(kept.clone()));
    let first = link(&heap, &count, Some(last.clone()));
    last.next.set(Some(first.clone()));
    drop((first, last));
    let whole = link(&heap, &count, None);
    whole.next.set(Some(whole.clone()));
    assert_eq!(count.get(), 4);
    heap.collect();
    assert_eq!(count.get(), 2);
    assert!(whole.next.get().is_some_and(|next| next.same(&whole)));
    drop(whole);
    heap.collect();
    assert_eq!(count.get(), 1);
    assert!(kept.next.get().is_none());
}

#[test]
fn a_heap_frees_its_cycles_when_it_goes() {
    let count = Rc::default();
    for _ in 0..if cfg!(miri) { 3 } else { 1000 } {
        let heap = Heap::new();
        let one = link(&heap, &count, None);
        let two = link(&heap, &count, Some(one.clone()));
        one.next.set(Some(two));
    }
    assert_eq!(count.get(), 0);
}

#[test]
fn objects_outlive_the_handles_of_their_heap() {
    let (heap, count) = (Heap::new(), Rc::default());
    let mut list = None;
    for _ in 0..200 {
        list = Some(link(&heap, &count, list));
    }
    let text = heap.alloc_str(TextHead, &["a text", " that stays"]);
    drop(heap);
    assert_eq!(&*text, "a text that stays");
    drop(list);
    assert_eq!(count.get(), 0);
    let heap = text.heap();
    let fresh = link(&heap, &count, None);
    drop(heap);
    drop(text);
    assert!(fresh.next.get().is_none());
    drop(fresh);
    assert_eq!(count.get(), 0);
}

#[test]
fn slices_of_every_size() {
    let (heap, count) = (Heap::new(), Rc::default());
    let mut kept: Vec<(usize, GcSlice<Head, Slot<usize>>)> = Vec::new();
    let sizes = (0..40).chain([100, 1000, 1020, 1021, 1022, 1023, 1024, 9000, 100_000]);
    for len in sizes.filter(|len| !cfg!(miri) || len % 5 == 0 && *len < 10_000) {
        let counted = Head(Some(Counted::new(&count)));
        let slice = heap.alloc_slice(counted, (0..len).map(Slot::new));
        slice.note().set(len as u32);
        kept.push((len, slice));
    }
    for (len, slice) in &kept {
        assert!(slice.iter().map(Slot::get).eq(0..*len), "{len}");
        assert_eq!(slice.note().get() as usize, *len);
    }
    heap.collect();
    assert_eq!(count.get() as usize, kept.len());
    let bytes = heap.bytes();
    kept.clear();
    assert_eq!(count.get(), 0);
    heap.collect();
    assert!(bytes > 0 && heap.bytes() == 0);
}

#[test]
fn the_items_of_slices_are_dropped() {
    let (heap, count) = (Heap::new(), Rc::default());
    for len in [0, 1, 3, if cfg!(miri) { 30 } else { 2000 }] {
        let items = (0..len).map(|_| Some(link(&heap, &count, None)));
        let slice = heap.alloc_slice(Head(None), items);
        assert_eq!(count.get(), len);
        drop(slice);
        assert_eq!(count.get(), 0);
    }
}

#[test]
fn text_of_pieces() {
    let heap = Heap::new();
    let long = "x".repeat(100_000);
    let text: GcStr<TextHead> = heap.alloc_str(TextHead, &["é", "", "漢字", &long]);
    assert_eq!(&*text, format!("é漢字{long}"));
    let other = text.clone();
    assert!(text.same(&other));
    assert_eq!(&*heap.alloc_str(TextHead, &[]), "");
}

#[test]
fn text_in_place() {
    for text in ["", "a", "é", "fourteen bytes"] {
        let place = InlineStr::new(text, 5).expect("it fits");
        assert_eq!(
            (place.as_str(), place.len(), place.note()),
            (text, text.len(), 5)
        );
        assert_eq!(place.is_empty(), text.is_empty());
        let mut bytes = [b' '; 16];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        assert_eq!(place.word(b' ').to_le_bytes(), bytes);
        assert_eq!(place.with_note(9).note(), 9);
        assert_eq!(place.with_note(9).as_str(), text);
    }
    assert!(InlineStr::new("fifteen letters", 0).is_none());
    assert_eq!(InlineStr::EMPTY.as_str(), "");
}

#[test]
fn only_what_is_unique_is_changed_in_place() {
    let (heap, count) = (Heap::new(), Rc::default());
    let mut one = link(&heap, &count, None);
    let two = link(&heap, &count, None);
    two.next.set(Some(two.clone()));
    drop(two);
    let changed = one.update(|link| {
        // Not now: the link is being changed.
        heap.collect();
        link.next = Slot::new(None);
    });
    assert!(changed.is_some());
    assert_eq!(count.get(), 2);
    let other = one.clone();
    assert!(one.update(|_| ()).is_none());
    drop(other);
    heap.collect();
    assert_eq!(count.get(), 1);

    let mut slice = heap.alloc_copy(Head(None), &[1_u8, 2, 3]);
    assert!(slice.update(|_, items| items[1] = 9).is_some());
    assert_eq!(*slice, [1, 9, 3]);
}

#[test]
#[should_panic(expected = "two types have the kind 1")]
fn two_types_with_one_number() {
    struct Other;
    impl Trace for Other {
        fn trace(&self, _: &mut Visitor<'_>) {}
    }
    impl Managed for Other {
        const KIND: u8 = 1;
    }
    let (heap, count) = (Heap::new(), Rc::default());
    let _link = link(&heap, &count, None);
    let _other = heap.alloc(Other);
}

#[test]
fn an_iterator_that_panics_or_collects() {
    let (heap, count) = (Heap::new(), Rc::default());
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let items = (0..3).map(|at| {
            heap.collect();
            assert!(at < 2, "as planned");
            Some(link(&heap, &count, None))
        });
        heap.alloc_slice(Head(None), items)
    }));
    assert!(failed.is_err());
    heap.collect();
    let items = (0..3).map(|_| {
        let item = link(&heap, &count, None);
        heap.collect();
        Some(item)
    });
    let slice = heap.alloc_slice(Head(None), items);
    heap.collect();
    assert!(
        slice
            .iter()
            .all(|item| item.as_ref().is_some_and(Gc::is_unique))
    );
}

#[test]
fn pointers_between_heaps() {
    let (left, right, count) = (Heap::new(), Heap::new(), Rc::default());
    let a = link(&left, &count, None);
    let b = link(&right, &count, Some(a.clone()));
    a.next.set(Some(b.clone()));
    left.collect();
    right.collect();
    assert_eq!(count.get(), 2);
    a.next.set(None);
    drop((a, left));
    assert_eq!(count.get(), 2);
    drop(b);
    assert_eq!(count.get(), 0);
}

#[test]
fn limits_and_wishes() {
    let heap = Heap::new();
    assert!(!heap.over_limit() && !heap.wants_collection());
    heap.set_limit(1 << 20);
    let big: RefCell<Vec<GcSlice<Head, u64>>> = RefCell::default();
    while !heap.over_limit() {
        big.borrow_mut()
            .push(heap.alloc_slice(Head(None), std::iter::repeat_n(7, 20_000)));
    }
    assert!(heap.bytes() > 1 << 20 && heap.bytes() < 2 << 20);
    big.borrow_mut().clear();
    assert!(!heap.over_limit());
}
