//! Arrays against vectors of numbers.

use linecaster_heap::Heap;
use proptest::prelude::*;

use super::{Array, Item};
use crate::value::{By, Code, Function, ModuleId, Thunk, Value};

/// How an array is made.
#[derive(Clone, Debug)]
enum Plan {
    Values(Vec<i32>),
    Pending(Vec<i32>),
    Numbers(Vec<i32>),
    Bytes(Vec<u8>),
    Range(i32, usize),
    /// The indices, by a function that is never called here.
    Made(usize),
    Slice(Box<Plan>, usize, usize, usize),
    Reversed(Box<Plan>),
    Both(Box<Plan>, Box<Plan>),
    Repeat(Box<Plan>, usize),
    /// One more than each element.
    Mapped(Box<Plan>),
    /// The same, with one element read.
    Read(Box<Plan>, usize),
}

fn plan() -> impl Strategy<Value = Plan> {
    let numbers = || prop::collection::vec(any::<i32>().prop_map(|n| n / 4), 0..40);
    let leaf = prop_oneof![
        numbers().prop_map(Plan::Values),
        numbers().prop_map(Plan::Pending),
        numbers().prop_map(Plan::Numbers),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(Plan::Bytes),
        (-1000..1000_i32, 0..200_usize).prop_map(|(first, len)| Plan::Range(first, len)),
        (0..300_usize).prop_map(Plan::Made),
    ];
    leaf.prop_recursive(12, 30, 2, |inner| {
        let one = || inner.clone().prop_map(Box::new);
        prop_oneof![
            1 => (one(), 0..60_usize, 0..200_usize, 1..4_usize)
                .prop_map(|(of, from, to, step)| Plan::Slice(of, from, to, step)),
            1 => one().prop_map(Plan::Reversed),
            4 => (one(), one()).prop_map(|(left, right)| Plan::Both(left, right)),
            1 => (one(), 0..4_usize).prop_map(|(of, times)| Plan::Repeat(of, times)),
            1 => one().prop_map(Plan::Mapped),
            1 => (one(), any::<usize>()).prop_map(|(of, at)| Plan::Read(of, at)),
        ]
    })
}

fn number(n: i32) -> Value {
    Value::Num(n.into())
}

fn function(heap: &Heap) -> Function {
    let (module, id) = (ModuleId(0), 0);
    Function::closure(heap, Code { module, id }, None)
}

/// Works an element out, as the functions of this test mean it.
fn force(value: &Value) -> i64 {
    match value {
        Value::Num(number) => *number as i64,
        Value::Pending(thunk) => match (thunk.result(), thunk.work()) {
            (Some(value), _) => force(&value),
            (None, Some(crate::value::Work::Element(element))) => {
                let value = work_out(&element);
                thunk.finish(Value::Num(value as f64));
                value
            }
            _ => panic!("only elements are pending"),
        },
        _ => panic!("only numbers are in arrays"),
    }
}

fn work_out(element: &super::Element) -> i64 {
    match &element.by {
        By::Item(_) => force(&element.item) + 1,
        By::Index(_) => element.index as i64,
        _ => panic!("no other function is used"),
    }
}

fn read(heap: &Heap, array: &Array, at: usize) -> i64 {
    match array.item(heap, at) {
        Item::Value(value) => force(&value),
        Item::Element(element) => {
            let value = work_out(&element);
            array.store(at, Value::Num(value as f64));
            assert!(
                matches!(array.item(heap, at), Item::Value(Value::Num(n)) if n as i64 == value)
            );
            value
        }
    }
}

fn build(heap: &Heap, plan: &Plan) -> (Array, Vec<i64>) {
    match plan {
        Plan::Values(items) => {
            let array = Array::new(heap, items.iter().map(|&n| number(n)));
            (array, items.iter().map(|&n| n.into()).collect())
        }
        Plan::Pending(items) => {
            let pending = items.iter().map(|&n| Thunk::ready(heap, number(n)).into());
            (
                Array::new(heap, pending),
                items.iter().map(|&n| n.into()).collect(),
            )
        }
        Plan::Numbers(items) => {
            let array = Array::numbers(heap, items.iter().map(|&n| n.into()).collect());
            assert_eq!(array.as_numbers().map(<[f64]>::len), Some(items.len()));
            (array, items.iter().map(|&n| n.into()).collect())
        }
        Plan::Bytes(bytes) => {
            let array = Array::from_bytes(heap, bytes);
            assert_eq!(array.as_bytes(), Some(&**bytes));
            (array, bytes.iter().map(|&n| n.into()).collect())
        }
        Plan::Range(first, len) => {
            let array = Array::range(heap, (*first).into(), *len);
            assert_eq!(array.as_range(), Some((*first).into()));
            (array, (i64::from(*first)..).take(*len).collect())
        }
        Plan::Made(len) => (
            Array::made(heap, function(heap), *len),
            (0..*len as i64).collect(),
        ),
        Plan::Slice(of, from, to, step) => {
            let (of, model) = build(heap, of);
            let model = model
                .into_iter()
                .take(*to)
                .skip(*from)
                .step_by(*step)
                .collect();
            (of.slice(heap, *from, *to, *step), model)
        }
        Plan::Reversed(of) => {
            let (of, mut model) = build(heap, of);
            model.reverse();
            (of.reversed(heap), model)
        }
        Plan::Both(left, right) => {
            let (left, right) = (build(heap, left), build(heap, right));
            let both = Array::concat(heap, &left.0, &right.0);
            // Another one with the same left side must not disturb it.
            let _ = Array::concat(heap, &left.0, &Array::new(heap, [Value::Null]));
            (both, [left.1, right.1].concat())
        }
        Plan::Repeat(of, times) => {
            let (of, model) = build(heap, of);
            (of.repeat(heap, *times), model.repeat(*times))
        }
        Plan::Mapped(of) => {
            let (of, model) = build(heap, of);
            let by = By::Item(function(heap));
            let model = model.into_iter().map(|n| n + 1).collect();
            (Array::mapped(heap, by, of), model)
        }
        Plan::Read(of, at) => {
            let (of, model) = build(heap, of);
            if !model.is_empty() {
                let at = at % model.len();
                assert_eq!(read(heap, &of, at), model[at]);
            }
            (of, model)
        }
    }
}

proptest! {
    #[test]
    fn an_array_is_a_vector(plan in plan(), backwards: bool) {
        let heap = Heap::new();
        let (array, model) = build(&heap, &plan);
        prop_assert_eq!(array.len(), model.len());
        prop_assert_eq!(array.is_empty(), model.is_empty());
        let mut order: Vec<usize> = (0..model.len()).collect();
        if backwards {
            order.reverse();
        }
        for &at in &order {
            prop_assert_eq!(read(&heap, &array, at), model[at]);
        }
        for at in order {
            prop_assert_eq!(force(&array.get(&heap, at)), model[at]);
        }
        prop_assert!(array.same(&array.clone()));
        drop(array);
        heap.collect();
        prop_assert_eq!(heap.bytes(), 0);
    }
}

#[test]
fn loops_that_append_or_put_before() {
    let heap = Heap::new();
    for (front, look) in [(false, false), (false, true), (true, false)] {
        let mut array = Array::new(&heap, []);
        for at in 0..50_000_i32 {
            let one = Array::new(&heap, [number(at)]);
            array = if front {
                Array::concat(&heap, &one, &array)
            } else {
                Array::concat(&heap, &array, &one)
            };
            if look {
                assert_eq!(
                    read(&heap, &array, array.len() / 2),
                    i64::from((at + 1) / 2)
                );
            }
        }
        for at in 0..50_000 {
            let wanted = if front { 49_999 - at } else { at };
            assert_eq!(read(&heap, &array, at), wanted as i64);
        }
    }
}

#[test]
fn views_of_views_without_end() {
    let heap = Heap::new();
    let mut tail = Array::new(&heap, (0..100_000).map(number));
    while tail.len() > 1 {
        tail = tail
            .slice(&heap, 1, usize::MAX, 1)
            .reversed(&heap)
            .reversed(&heap);
    }
    assert_eq!(read(&heap, &tail, 0), 99_999);

    let mut array = Array::range(&heap, 0, 3);
    for _ in 0..10_000 {
        array = Array::mapped(&heap, By::Item(function(&heap)), array);
        array = array.repeat(&heap, 2).slice(&heap, 0, 3, 1);
        // What is deep is worked out on the way, as an evaluator does that
        // grows its stack.
        assert!(array.depth() <= super::DEEPEST);
    }
    drop(array);
}

#[test]
fn a_long_lazy_array_used_sparsely_is_small() {
    let heap = Heap::new();
    let array = Array::made(&heap, function(&heap), 10_000_000);
    for at in [0, 63, 64, 5_000_000, 9_999_999] {
        assert_eq!(read(&heap, &array, at), at as i64);
    }
    assert!(heap.bytes() < 4 << 20);
}
