//! Objects against a naive model: layers as lists of fields.

use proptest::prelude::*;

use super::{Asserts, FieldSpec, Object, Source, Visibility};
use crate::value::{Code, ModuleId, Name, Store, Value};

/// A field of a layer: name, visibility, and what it has ready.
type Given = (usize, Visibility, f64);

/// How an object is made.
#[derive(Clone, Debug)]
enum Plan {
    Ready(Vec<Given>),
    /// The fields and the number of object locals.
    Literal(Vec<Given>, u32),
    Sum(Box<Plan>, Box<Plan>),
    /// The same, with the shape of the sum asked for at once.
    Known(Box<Plan>),
}

const NAMES: usize = 30;

fn visibility() -> impl Strategy<Value = Visibility> {
    prop_oneof![
        Just(Visibility::Inherit),
        Just(Visibility::Hidden),
        Just(Visibility::Visible),
    ]
}

fn given_fields() -> impl Strategy<Value = Vec<Given>> {
    prop_oneof![
        prop::collection::vec((0..5_usize, visibility(), any::<f64>()), 0..5),
        prop::collection::vec((0..NAMES, visibility(), any::<f64>()), 0..25),
    ]
    .prop_map(|mut fields| {
        let mut seen = [false; NAMES];
        fields.retain(|field| !std::mem::replace(&mut seen[field.0], true));
        fields
    })
}

fn plan() -> impl Strategy<Value = Plan> {
    let leaf = prop_oneof![
        given_fields().prop_map(Plan::Ready),
        (given_fields(), 0..3_u32).prop_map(|(fields, locals)| Plan::Literal(fields, locals)),
    ];
    leaf.prop_recursive(5, 16, 2, |inner| {
        prop_oneof![
            3 => (inner.clone(), inner.clone())
                .prop_map(|(left, right)| Plan::Sum(Box::new(left), Box::new(right))),
            1 => inner.prop_map(|plan| Plan::Known(Box::new(plan))),
        ]
    })
}

/// A layer of the model, and whether its fields are ready.
type Layer = (Vec<Given>, u32, bool);

fn specs(store: &Store, fields: &[Given]) -> Vec<FieldSpec> {
    let spec = |&(name, visibility, _): &Given| FieldSpec {
        name: text(store, name),
        visibility,
        plus: false,
    };
    fields.iter().map(spec).collect()
}

fn text(store: &Store, name: usize) -> Name {
    // Not in the order of the numbers.
    store.names.intern(&format!("{}{name}", (name * 7) % 10))
}

fn build(store: &Store, plan: &Plan, layers: &mut Vec<Layer>) -> Object {
    match plan {
        Plan::Ready(fields) => {
            layers.push((fields.clone(), 0, true));
            let given = fields.iter();
            let given = given.map(|&(name, visibility, value)| {
                (text(store, name), visibility, Value::Num(value))
            });
            Object::from_fields(store, given).expect("names differ")
        }
        Plan::Literal(fields, locals) => {
            layers.push((fields.clone(), *locals, false));
            let shape = store.shapes.leaf(&specs(store, fields), *locals, false);
            let (module, id) = (ModuleId(0), layers.len() as u32);
            let source = Source::Literal(Code { module, id }, None);
            Object::new(&store.heap, &shape.expect("names differ"), source)
        }
        Plan::Sum(left, right) => {
            let left = build(store, left, layers);
            let right = build(store, right, layers);
            Object::merge(&store.heap, &left, &right)
        }
        Plan::Known(plan) => {
            let object = build(store, plan, layers);
            let _ = object.shape(store);
            object
        }
    }
}

/// The layer and number of the topmost definition of a name below a layer.
fn defined(layers: &[Layer], name: usize) -> Option<(usize, usize)> {
    layers.iter().enumerate().rev().find_map(|(at, layer)| {
        let index = layer.0.iter().position(|field| field.0 == name)?;
        Some((at, index))
    })
}

fn visible(layers: &[Layer], name: usize) -> bool {
    let stated = layers.iter().rev().find_map(|layer| {
        let field = layer.0.iter().find(|field| field.0 == name)?;
        (field.1 != Visibility::Inherit).then_some(field.1)
    });
    stated != Some(Visibility::Hidden)
}

proptest! {
    #[test]
    fn an_object_is_a_list_of_layers(plan in plan()) {
        let store = Store::new();
        let mut layers = Vec::new();
        let object = build(&store, &plan, &mut layers);
        let shape = object.shape(&store).clone();
        prop_assert_eq!(shape.layers() as usize, layers.len());
        prop_assert_eq!(object.asserts(), Asserts::Hold);
        let slots: usize = layers.iter().map(|layer| layer.0.len() + layer.1 as usize).sum();
        prop_assert_eq!(shape.slots() as usize, slots);
        let mut base = 0;
        for (at, layer) in (0..).zip(&layers) {
            for local in 0..layer.1 {
                let slot = base + layer.0.len() as u32 + local;
                prop_assert_eq!(shape.local_slot(at, local), slot);
            }
            base += layer.0.len() as u32 + layer.1;
            let is_ready = matches!(object.layer(&store, at).source(), Source::Ready);
            prop_assert_eq!(is_ready, layer.2);
        }
        // More than once, so that tables are made and used.
        for name in (0..NAMES).chain(0..NAMES) {
            let id = text(&store, name);
            for below in (0..=layers.len()).rev() {
                let found = if below == layers.len() {
                    object.find(&store, id)
                } else {
                    shape.find_below(below as u32, id)
                };
                let place = found.map(|field| (field.layer as usize, field.index as usize));
                prop_assert_eq!(place, defined(&layers[..below], name));
                let Some(field) = found else { continue };
                if below == layers.len() {
                    prop_assert_eq!(field.is_visible(), visible(&layers, name));
                }
                let layer = &layers[field.layer as usize];
                let value = object.cached(&store, field.slot);
                match value {
                    Some(Value::Num(number)) => {
                        prop_assert!(layer.2);
                        let given = layer.0[field.index as usize].2;
                        prop_assert_eq!(number.to_bits(), given.to_bits());
                    }
                    Some(_) => prop_assert!(false, "only numbers were given"),
                    None => prop_assert!(!layer.2),
                }
            }
        }
        // All slots differ.
        for slot in 0..shape.slots() {
            object.store(&store, slot, Value::Num(slot.into()));
        }
        for slot in 0..shape.slots() {
            let kept = object.cached(&store, slot);
            prop_assert!(matches!(kept, Some(Value::Num(n)) if n.to_bits() == f64::from(slot).to_bits()));
        }
        let order = shape.sorted(&store.names).iter();
        let names: Vec<&str> = order
            .map(|&at| store.names.text(shape.fields()[at as usize].name).as_str())
            .collect();
        prop_assert!(names.is_sorted());
        prop_assert_eq!(names.len(), shape.fields().len());
    }
}

#[test]
fn shapes_are_remembered() {
    let store = Store::new();
    let fields: Vec<Given> = vec![(0, Visibility::Inherit, 1.0), (1, Visibility::Hidden, 2.0)];
    let mut layers = Vec::new();
    let mut make = || {
        let left = build(&store, &Plan::Ready(fields.clone()), &mut layers);
        let right = build(&store, &Plan::Literal(fields.clone(), 1), &mut layers);
        Object::merge(&store.heap, &left, &right)
    };
    let (one, two) = (make(), make());
    assert!(one.shape(&store).same(two.shape(&store)));
    assert!(!one.same(&two));
    assert!(
        one.layer(&store, 0)
            .shape(&store)
            .same(two.layer(&store, 0).shape(&store))
    );
}

#[test]
fn a_name_that_stands_twice() {
    let store = Store::new();
    for count in [2, 40] {
        let mut fields: Vec<Given> = (0..count)
            .map(|at| (at, Visibility::Inherit, 0.0))
            .collect();
        assert!(store.shapes.leaf(&specs(&store, &fields), 0, false).is_ok());
        fields.push(fields[1]);
        let made = store.shapes.leaf(&specs(&store, &fields), 0, false);
        assert_eq!(made.err(), Some(text(&store, 1)));
    }
}

#[test]
fn a_long_chain_of_sums_takes_linear_time_and_no_stack() {
    let store = Store::new();
    for left in [true, false] {
        let mut chain = Object::from_fields(&store, []).expect("no names");
        for at in 0..50_000_u32 {
            let name = store.names.intern(&at.to_string());
            let one = (name, Visibility::Inherit, Value::Num(at.into()));
            let one = Object::from_fields(&store, [one]).expect("one name");
            chain = if left {
                Object::merge(&store.heap, &chain, &one)
            } else {
                Object::merge(&store.heap, &one, &chain)
            };
        }
        let unseen = Object::merge(&store.heap, &chain, &chain);
        let field = chain
            .find(&store, store.names.intern("777"))
            .expect("there");
        assert!(matches!(
            chain.cached(&store, field.slot),
            Some(Value::Num(777.0))
        ));
        assert_eq!(chain.shape(&store).fields().len(), 50_000);
        assert_eq!(unseen.shape(&store).slots(), 100_000);
    }
}

#[test]
fn assertions_are_noted() {
    let store = Store::new();
    let shape = store.shapes.leaf(&[], 0, true).expect("no names");
    let object = Object::new(&store.heap, &shape, Source::Ready);
    let plain = Object::from_fields(&store, []).expect("no names");
    assert_eq!(plain.asserts(), Asserts::Hold);
    for asserts in [Asserts::Unchecked, Asserts::Running, Asserts::Hold] {
        object.set_asserts(asserts);
        assert_eq!(object.asserts(), asserts);
    }
    let sum = Object::merge(&store.heap, &object, &plain);
    assert!(sum.shape(&store).has_asserts());
    assert_eq!(sum.asserts(), Asserts::Unchecked);
}
