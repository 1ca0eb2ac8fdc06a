//! Sorts the imports at the top of a file by their paths.
//!
//! These are `local`s that bind nothing but imports, up to the first other
//! expression. Blank lines and comments part them into groups; each group is
//! sorted for itself, and each import gets a `local` of its own. A comment
//! behind an import moves with it.

use std::collections::HashSet;
use std::mem;

use super::fodder::{self, Element, Fodder};
use super::tree::{Bind, Kind, Node};

/// An import of a group.
struct Import {
    path: String,
    bind: Bind,
    /// What follows on its line.
    behind: Fodder,
}

/// The sorted file.
pub fn sort(root: &mut Node) {
    let mut groups: Vec<(Fodder, Vec<Import>)> = Vec::new();
    let mut rest = root.take();
    let mut open = mem::take(rest.open());
    let mut group = Vec::new();
    while is_import(&rest) {
        let Kind::Local { binds, mut body } = rest.take_kind() else {
            break;
        };
        let (mut behind, mut before_next) = split(mem::take(body.open()));
        fodder::end_line(&mut behind);
        let ends = group_ends(&body, &behind, &before_next);
        extract(binds, behind, &mut group);
        if ends {
            sort_group(&mut group);
            let last = group.last().map(|import: &Import| import.behind.clone());
            fodder::end_line(&mut before_next);
            let next = fodder::concat(last.unwrap_or_default(), before_next);
            groups.push((mem::replace(&mut open, next), mem::take(&mut group)));
        }
        rest = *body;
    }
    *rest.open() = open;
    for (open, group) in groups.into_iter().rev() {
        rest = nest(group, rest, open);
    }
    *root = rest;
}

/// Whether it is a `local` of nothing but imports.
fn is_import(node: &Node) -> bool {
    let Kind::Local { binds, .. } = &node.kind else {
        return false;
    };
    binds.iter().all(|bind| {
        bind.params.is_none() && matches!(bind.body.kind, Kind::Import { word: "import", .. })
    })
}

/// Whether a group ends before `next`, before which stood the two fodders.
fn group_ends(next: &Node, behind: &[Element], before_next: &[Element]) -> bool {
    // A second line break, or a blank line.
    let blank = behind
        .iter()
        .chain(before_next)
        .any(|element| element.blanks > 0);
    !is_import(next) || blank || !before_next.is_empty()
}

/// Parts fodder after its first line break; blank lines go to the second part.
fn split(fodder: Fodder) -> (Fodder, Fodder) {
    let (mut behind, mut before_next) = (Vec::new(), Vec::new());
    let mut second = false;
    for mut element in fodder {
        if second {
            fodder::append(&mut before_next, element);
            continue;
        }
        if element.breaks() {
            second = true;
            if element.blanks > 0 {
                let blanks = mem::take(&mut element.blanks);
                before_next.push(Element::line_end(blanks, element.indent));
            }
        }
        behind.push(element);
    }
    (behind, before_next)
}

/// Adds the binds of a `local` to a group.
fn extract(binds: Vec<Bind>, behind: Fodder, group: &mut Vec<Import>) {
    let mut binds = binds.into_iter().peekable();
    let mut before = binds
        .peek_mut()
        .map(|bind| mem::take(&mut bind.fodder))
        .unwrap_or_default();
    let mut behind = Some(behind);
    while let Some(mut bind) = binds.next() {
        bind.fodder = before;
        let (mut own, next) = match binds.peek_mut() {
            Some(next) => split(mem::take(&mut next.fodder)),
            None => (behind.take().unwrap_or_default(), Vec::new()),
        };
        before = next;
        fodder::end_line(&mut own);
        let path = match &bind.body.kind {
            Kind::Import { file, .. } => match &file.kind {
                Kind::Str(literal) => literal.value.clone(),
                _ => String::new(),
            },
            _ => String::new(),
        };
        group.push(Import {
            path,
            bind,
            behind: own,
        });
    }
}

/// Sorts by path, unless a name comes twice: then the order has a meaning.
fn sort_group(group: &mut [Import]) {
    let names: HashSet<&str> = group
        .iter()
        .map(|import| import.bind.name.as_str())
        .collect();
    if names.len() == group.len() {
        group.sort_by(|one, other| one.path.cmp(&other.path));
    }
}

/// A `local` for each import, around `body`.
fn nest(group: Vec<Import>, mut body: Node, open: Fodder) -> Node {
    let mut open = Some(open);
    let mut imports = group.into_iter().rev().peekable();
    while let Some(import) = imports.next() {
        let fodder = match imports.peek() {
            Some(before) => before.behind.clone(),
            None => open.take().unwrap_or_default(),
        };
        let kind = Kind::Local {
            binds: vec![import.bind],
            body: Box::new(body),
        };
        body = Node::new(fodder, kind);
    }
    body
}
