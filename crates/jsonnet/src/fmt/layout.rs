//! Line breaks and trailing commas of lists: either all of a list's items begin
//! a line or none does, and a list over several lines ends with a comma.

use super::fodder::{self, Fodder, end_line, line_breaks};
use super::tree::{Args, Array, Bind, ForSpec, Kind, Node, Object, Params};
use super::walk::Pass;

/// Breaks the lines of lists that have some line breaks.
pub struct LineBreaks;

impl Pass for LineBreaks {
    fn node(&mut self, node: &mut Node) {
        match &mut node.kind {
            Kind::Array(array) => break_array(array),
            Kind::Object(object) => break_object(object),
            Kind::ArrayComp {
                body, specs, close, ..
            } => break_array_comp(body, specs, close),
            Kind::Parens { inner, close } => break_parens(inner, close),
            Kind::Local { binds, .. } => break_binds(binds),
            Kind::Apply { args, .. } => break_args(args),
            _ => {}
        }
    }

    fn params(&mut self, params: &mut Params) {
        let Params { list, right, .. } = params;
        break_in_parens(list, |param| &mut param.fodder, right);
    }
}

fn break_array(array: &mut Array) {
    let broken = array
        .items
        .iter_mut()
        .any(|item| line_breaks(item.value.open()) > 0);
    if broken || line_breaks(&array.close) > 0 {
        array
            .items
            .iter_mut()
            .for_each(|item| end_line(item.value.open()));
        end_line(&mut array.close);
    }
}

fn break_array_comp(body: &mut Node, specs: &mut [ForSpec], close: &mut Fodder) {
    if line_breaks(body.open()) + spec_breaks(specs) + line_breaks(close) > 0 {
        end_line(body.open());
        break_specs(specs);
        end_line(close);
    }
}

fn break_parens(inner: &mut Node, close: &mut Fodder) {
    if line_breaks(inner.open()) + line_breaks(close) > 0 {
        end_line(inner.open());
        end_line(close);
    }
}

fn break_object(object: &mut Object) {
    let broken = object
        .members
        .iter_mut()
        .any(|member| line_breaks(member.fodder()) > 0);
    if broken || spec_breaks(&object.specs) + line_breaks(&object.close) > 0 {
        object
            .members
            .iter_mut()
            .for_each(|member| end_line(member.fodder()));
        break_specs(&mut object.specs);
        end_line(&mut object.close);
    }
}

fn break_binds(binds: &mut [Bind]) {
    if binds.iter().any(|bind| line_breaks(&bind.fodder) > 0) {
        binds
            .iter_mut()
            .skip(1)
            .for_each(|bind| end_line(&mut bind.fodder));
    }
}

fn break_args(args: &mut Args) {
    let Args { list, right, .. } = args;
    break_in_parens(list, super::tree::Arg::fodder, right);
}

/// A break before the first item goes with one before the bracket; those
/// before the others go together.
fn break_in_parens<T>(items: &mut [T], open: impl Fn(&mut T) -> &mut Fodder, right: &mut Fodder) {
    let (mut outer, mut inner) = (line_breaks(right) > 0, false);
    for (place, item) in items.iter_mut().enumerate() {
        let broken = line_breaks(open(item)) > 0;
        *(if place == 0 { &mut outer } else { &mut inner }) |= broken;
    }
    for (place, item) in items.iter_mut().enumerate() {
        if if place == 0 { outer } else { inner } {
            end_line(open(item));
        }
    }
    if outer {
        end_line(right);
    }
}

fn spec_breaks(specs: &[ForSpec]) -> usize {
    let ifs = |spec: &ForSpec| {
        spec.ifs
            .iter()
            .map(|(fodder, _)| line_breaks(fodder))
            .sum::<usize>()
    };
    specs
        .iter()
        .map(|spec| line_breaks(&spec.fodder) + ifs(spec))
        .sum()
}

fn break_specs(specs: &mut [ForSpec]) {
    for spec in specs {
        end_line(&mut spec.fodder);
        spec.ifs.iter_mut().for_each(|(fodder, _)| end_line(fodder));
    }
}

/// Adds and removes the commas at the ends of lists.
pub struct TrailingCommas;

impl Pass for TrailingCommas {
    fn node(&mut self, node: &mut Node) {
        match &mut node.kind {
            Kind::Array(Array {
                items,
                trailing,
                close,
            }) => {
                if let Some(last) = items.last_mut() {
                    fix_comma(&mut last.comma, trailing, close);
                }
            }
            Kind::Object(Object {
                members,
                trailing,
                specs,
                close,
            }) => {
                let Some(last) = members.last_mut() else {
                    return;
                };
                match specs.last_mut() {
                    Some(spec) => remove_comma(last.comma(), trailing, &mut spec.fodder),
                    None => fix_comma(last.comma(), trailing, close),
                }
            }
            Kind::ArrayComp {
                comma,
                trailing,
                specs,
                ..
            } => {
                if let Some(spec) = specs.last_mut() {
                    remove_comma(comma, trailing, &mut spec.fodder);
                }
            }
            _ => {}
        }
    }
}

fn fix_comma(comma: &mut Fodder, trailing: &mut bool, close: &mut Fodder) {
    let own_line = fodder::breaks(comma);
    let needed = own_line || fodder::breaks(close);
    if *trailing && (own_line || !needed) {
        fodder::move_front(close, comma);
    }
    *trailing = needed;
}

fn remove_comma(comma: &mut Fodder, trailing: &mut bool, next: &mut Fodder) {
    if *trailing {
        *trailing = false;
        fodder::move_front(next, comma);
    }
}
