//! Tables and arrays of tables.

use alloc::vec::Vec;

use linecaster_kernel::output::Output;
use linecaster_kernel::plain;
use linecaster_kernel::policy::Word;
use linecaster_kernel::sink::Sink;

use super::{Style, inline};
use crate::tree::{self, Frame, Kind, Node, Refusal, Step, Tree};

/// A container with a header, or the document's root.
pub(super) struct Table<T: Tree> {
    pub(super) frame: Frame<T>,
    /// Levels of tables above it.
    level: usize,
    /// Levels of values above it, as Go's implementation counts them.
    depth: usize,
}

/// Writes a document.
///
/// # Errors
/// The host's; [`Refusal::Root`] for a value that is no object.
pub fn write<O: Output, S: Style, T: Tree>(
    tree: &mut T,
    sink: &mut Sink,
    style: S,
    root: T::Value,
) -> Result<(), T::Error> {
    if !matches!(tree.node(&root), Node::Object) {
        return Err(tree.refuse(Refusal::Root, &root, Vec::new()));
    }
    let mut document = Document {
        tree,
        sink,
        style,
        tables: Vec::new(),
        begun: false,
        output: core::marker::PhantomData::<O>,
    };
    document.open(root, 0, 0)?;
    while document.step()? {}
    Ok(())
}

pub(super) struct Document<'a, O, S, T: Tree> {
    pub(super) tree: &'a mut T,
    pub(super) sink: &'a mut Sink,
    pub(super) style: S,
    /// Those that are being written, from the root.
    pub(super) tables: Vec<Table<T>>,
    /// Something is written.
    begun: bool,
    output: core::marker::PhantomData<O>,
}

/// What a member is written as.
enum Section {
    /// A line.
    None,
    /// A table.
    Table,
    /// An array of tables.
    Array,
}

impl<O: Output, S: Style, T: Tree> Document<'_, O, S, T> {
    /// Writes a table's own values and goes on with its tables, if it has any.
    fn open(&mut self, table: T::Value, level: usize, depth: usize) -> Result<(), T::Error> {
        self.tree.descend(depth)?;
        let frame = Frame::open(self.tree, table, true)?;
        self.tables.push(Table {
            frame,
            level,
            depth,
        });
        let (mut first, mut sections) = (true, false);
        while let Some(value) = self.next()? {
            if matches!(self.section(&value)?, Section::None) {
                self.member(value, level, depth, first)?;
                first = false;
            } else {
                sections = true;
            }
        }
        let table = self.tables.pop();
        if let (true, Some(mut table)) = (sections, table) {
            table.frame = Frame::open(self.tree, table.frame.value, true)?;
            self.tables.push(table);
        }
        Ok(())
    }

    /// The next member or item of the innermost table.
    fn next(&mut self) -> Result<Option<T::Value>, T::Error> {
        match self.tables.last_mut() {
            Some(table) => table.frame.next(self.tree),
            None => Ok(None),
        }
    }

    fn section(&mut self, value: &T::Value) -> Result<Section, T::Error> {
        match self.tree.node(value).kind() {
            Kind::Object => return Ok(Section::Table),
            Kind::Array => {}
            _ => return Ok(Section::None),
        }
        if self.tree.is_empty(value) {
            return Ok(Section::None);
        }
        let mut items = self.tree.open(value)?;
        while let Some(item) = self.tree.next(value, &mut items)? {
            if !matches!(self.tree.node(&item), Node::Object) {
                return Ok(Section::None);
            }
        }
        Ok(Section::Array)
    }

    /// Writes a member on a line of its own.
    fn member(
        &mut self,
        value: T::Value,
        level: usize,
        depth: usize,
        first: bool,
    ) -> Result<(), T::Error> {
        if !S::ENDED_LINES && !first {
            plain::word::<O>(self.sink, Word::new(b"\n"));
        }
        self.indent(level);
        self.key(self.tables.len() - 1, &value)?;
        plain::word::<O>(self.sink, Word::new(b" = "));
        inline::write(self, value, level, depth + 1)?;
        if S::ENDED_LINES {
            plain::word::<O>(self.sink, Word::new(b"\n"));
        }
        self.begun = true;
        Ok(())
    }

    /// Goes on in the innermost table; `false` at the end.
    fn step(&mut self) -> Result<bool, T::Error> {
        let value = self.next()?;
        let Some(table) = self.tables.last() else {
            return Ok(false);
        };
        let (level, depth, object) = (table.level, table.depth, table.frame.object);
        let Some(value) = value else {
            self.tables.pop();
            return Ok(true);
        };
        if !object {
            // The item of an array of tables.
            self.header(&value, level, true)?;
            self.open(value, level + 1, depth + 1)?;
            return Ok(true);
        }
        match self.section(&value)? {
            Section::None => {}
            Section::Table => {
                self.tree.descend(depth + 1)?;
                if !S::ENDED_LINES || self.needs_header(&value)? {
                    self.header(&value, level, false)?;
                }
                self.open(value, level + 1, depth + 2)?;
            }
            Section::Array => {
                self.tree.descend(depth + 1)?;
                let frame = Frame::open(self.tree, value, false)?;
                self.tables.push(Table {
                    frame,
                    level,
                    depth: depth + 1,
                });
            }
        }
        Ok(true)
    }

    /// Whether a table is empty or has values of its own.
    fn needs_header(&mut self, table: &T::Value) -> Result<bool, T::Error> {
        if self.tree.is_empty(table) {
            return Ok(true);
        }
        let mut members = self.tree.open(table)?;
        while let Some(value) = self.tree.next(table, &mut members)? {
            if matches!(self.section(&value)?, Section::None) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes `[path]`, or `[[path]]` for an item, on a line of its own.
    fn header(&mut self, table: &T::Value, level: usize, item: bool) -> Result<(), T::Error> {
        if !S::ENDED_LINES {
            plain::word::<O>(self.sink, Word::new(b"\n\n"));
        } else if self.begun {
            plain::word::<O>(self.sink, Word::new(b"\n"));
        }
        self.begun = true;
        self.indent(level);
        plain::word::<O>(self.sink, Word::new(if item { b"[[" } else { b"[" }));
        let mut first = true;
        for k in 0..self.tables.len() {
            if self.tables[k].frame.object {
                if !first {
                    plain::word::<O>(self.sink, Word::new(b"."));
                }
                first = false;
                self.key(k, table)?;
            }
        }
        plain::word::<O>(self.sink, Word::new(if item { b"]]" } else { b"]" }));
        if S::ENDED_LINES || !self.tree.is_empty(table) {
            plain::word::<O>(self.sink, Word::new(b"\n"));
        }
        Ok(())
    }

    /// Writes the key that table `k` stands at.
    fn key(&mut self, k: usize, value: &T::Value) -> Result<(), T::Error> {
        let key = self.tables[k].frame.key(self.tree);
        if self.style.key::<O>(self.sink, key).is_err() {
            let path = self.path(&[]);
            return Err(self.tree.refuse(Refusal::Value, value, path));
        }
        Ok(())
    }

    pub(super) fn indent(&mut self, level: usize) {
        for _ in 0..level {
            self.sink.write(self.style.indent());
        }
    }

    /// The steps to the innermost table's present value, and further on.
    pub(super) fn path(&self, inside: &[Frame<T>]) -> Vec<Step> {
        let tables = self.tables.iter().map(|table| &table.frame);
        tree::path(&*self.tree, tables.chain(inside))
    }
}
