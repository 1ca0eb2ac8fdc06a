//! The formatter: the same program in a uniform style, as `jsonnetfmt` writes
//! it.
//!
//! - [`build`]: syntax tree and tokens to a [`tree`] with [`fodder`] (comments
//!   and line breaks) that can be changed,
//! - [`imports`], [`layout`], [`style`], [`indent`]: the changes, most of them
//!   made while [`walk`]ing through the tree,
//! - [`write`](mod@write): the tree to text.

mod build;
mod fodder;
mod imports;
mod indent;
mod indent_object;
mod layout;
mod style;
mod tree;
mod walk;
mod write;

use std::sync::Arc;

use crate::syntax::{Source, StaticError, parse_with_tokens};

/// The quotes of strings that need no escapes for one kind only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringStyle {
    /// `"…"`
    Double,
    /// `'…'`
    Single,
    /// As written.
    Leave,
}

/// The beginning of comments to the end of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentStyle {
    /// `#`
    Hash,
    /// `//`
    Slash,
    /// As written.
    Leave,
}

/// What the formatter does.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // Each is a flag of the command line.
pub struct Options {
    /// Spaces for each level; 0 leaves indentation as it is.
    pub indent: usize,
    /// Most blank lines together; 0 for any number.
    pub max_blank_lines: usize,
    /// Quotes.
    pub string_style: StringStyle,
    /// Comments.
    pub comment_style: CommentStyle,
    /// Write fields without quotes and brackets where that is possible.
    pub pretty_field_names: bool,
    /// `[ 1 ]` instead of `[1]`.
    pub pad_arrays: bool,
    /// `{ a: 1 }` instead of `{a: 1}`.
    pub pad_objects: bool,
    /// Sort the imports at the top by their paths.
    pub sort_imports: bool,
    /// `a { … }` instead of `a + { … }`.
    pub use_implicit_plus: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            indent: 2,
            max_blank_lines: 2,
            string_style: StringStyle::Single,
            comment_style: CommentStyle::Slash,
            pretty_field_names: true,
            pad_arrays: false,
            pad_objects: true,
            sort_imports: true,
            use_implicit_plus: true,
        }
    }
}

/// Formats a file.
///
/// # Errors
/// If it is no program.
pub fn format(source: &Arc<Source>, options: &Options) -> Result<String, StaticError> {
    let (ast, tokens) = parse_with_tokens(source)?;
    let (mut root, mut last) = build::build(&ast, &tokens);
    drop((ast, tokens));
    if options.sort_imports {
        imports::sort(&mut root);
    }
    let open = root.open();
    let breaks = open
        .iter()
        .take_while(|e| e.kind == fodder::FodderKind::LineEnd)
        .count();
    open.drain(..breaks);
    restyle(&mut root, &mut last, options);
    if options.indent > 0 {
        indent::indent(&mut root, &mut last, options);
    }
    if let Some(element) = last.last_mut() {
        element.blanks = 0;
    }
    let out = write::write(&root, &last, options);
    walk::dismantle(root);
    Ok(out)
}

/// Everything but the indentation.
fn restyle(root: &mut tree::Node, last: &mut fodder::Fodder, options: &Options) {
    use walk::{Pass, walk};

    if options.max_blank_lines > 0 {
        let mut pass = style::BlankLines(options.max_blank_lines);
        walk(&mut pass, root);
        pass.fodder(last);
    }
    walk(&mut layout::LineBreaks, root);
    walk(&mut layout::TrailingCommas, root);
    walk(&mut style::Parens, root);
    if options.use_implicit_plus {
        walk(&mut style::ImplicitPlus, root);
    } else {
        walk(&mut style::ExplicitPlus, root);
    }
    walk(&mut style::SliceColons, root);
    if options.pretty_field_names {
        walk(&mut style::FieldNames, root);
    }
    if options.string_style != StringStyle::Leave {
        walk(&mut style::Strings(options.string_style), root);
    }
    if options.comment_style != CommentStyle::Leave {
        let mut pass = style::Comments {
            style: options.comment_style,
            inside: false,
        };
        walk(&mut pass, root);
        pass.fodder(last);
    }
}
