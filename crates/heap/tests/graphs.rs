//! Random graphs: what is reachable survives, the rest is freed exactly once.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use linecaster_heap::{Gc, GcSlice, Heap, Managed, Slot, Trace, Visitor};
use proptest::prelude::*;

/// The numbers of the nodes that exist.
type Alive = Rc<RefCell<HashSet<usize>>>;

struct Node {
    number: usize,
    edges: Slot<Option<Edges>>,
    alive: Alive,
}

type Edges = GcSlice<EdgesHead, Slot<Option<Gc<Node>>>>;

struct EdgesHead;

impl Trace for Node {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        self.edges.trace(visitor);
    }
}

impl Managed for Node {
    const KIND: u8 = 1;
}

impl Trace for EdgesHead {
    fn trace(&self, _: &mut Visitor<'_>) {}
}

impl Managed for EdgesHead {
    const KIND: u8 = 2;
}

impl Drop for Node {
    fn drop(&mut self) {
        assert!(self.alive.borrow_mut().remove(&self.number), "dropped once");
    }
}

/// What happens to a graph.
#[derive(Clone, Debug)]
enum Step {
    /// A node with room for so many edges, referred to from outside.
    Add(usize),
    /// An edge of a node, if both nodes are held from outside.
    Join(usize, usize, usize),
    /// An edge is taken away.
    Part(usize, usize),
    /// A node is no longer referred to from outside.
    LetGo(usize),
    Collect,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => prop_oneof![0_usize..5, 0_usize..5, Just(if cfg!(miri) { 40 } else { 1500_usize })].prop_map(Step::Add),
        6 => (any::<usize>(), any::<usize>(), any::<usize>())
            .prop_map(|(from, edge, to)| Step::Join(from, edge, to)),
        2 => (any::<usize>(), any::<usize>()).prop_map(|(from, edge)| Step::Part(from, edge)),
        3 => any::<usize>().prop_map(Step::LetGo),
        1 => Just(Step::Collect),
    ]
}

/// The numbers of the nodes that can be reached from those held outside.
fn reachable(held: &[Gc<Node>]) -> HashSet<usize> {
    let mut seen = HashSet::new();
    let mut open: Vec<Gc<Node>> = held.to_vec();
    while let Some(node) = open.pop() {
        if seen.insert(node.number) {
            let edges = node.edges.get();
            open.extend(
                edges
                    .iter()
                    .flat_map(|edges| edges.iter().filter_map(Slot::get)),
            );
        }
    }
    seen
}

fn run(steps: &[Step]) {
    let heap = Heap::new();
    let alive = Alive::default();
    let mut held: Vec<Gc<Node>> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        match *step {
            Step::Add(edges) => {
                alive.borrow_mut().insert(number);
                let edges = std::iter::repeat_n(None, edges).map(Slot::new);
                held.push(heap.alloc(Node {
                    number,
                    edges: Slot::new(Some(heap.alloc_slice(EdgesHead, edges))),
                    alive: alive.clone(),
                }));
            }
            Step::Join(from, edge, to) if !held.is_empty() => {
                set(
                    &held[from % held.len()],
                    edge,
                    Some(held[to % held.len()].clone()),
                );
            }
            Step::Part(from, edge) if !held.is_empty() => set(&held[from % held.len()], edge, None),
            Step::LetGo(node) if !held.is_empty() => drop(held.swap_remove(node % held.len())),
            Step::Collect => {
                heap.collect();
                assert_eq!(*alive.borrow(), reachable(&held));
            }
            _ => {}
        }
        assert!(alive.borrow().is_superset(&reachable(&held)));
    }
    heap.collect();
    assert_eq!(*alive.borrow(), reachable(&held));
    held.clear();
    heap.collect();
    assert!(alive.borrow().is_empty());
    assert_eq!(heap.bytes(), 0);
}

fn set(node: &Gc<Node>, edge: usize, to: Option<Gc<Node>>) {
    if let Some(edges) = node.edges.get()
        && !edges.is_empty()
    {
        edges[edge % edges.len()].set(to);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(miri) { 1 } else { 400 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_reachable_survives(steps in prop::collection::vec(step(), 0..if cfg!(miri) { 12 } else { 150 })) {
        run(&steps);
    }
}
