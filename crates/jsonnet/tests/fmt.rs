//! The formatter.
//!
//! `fmt/recorded.txt` holds programs as the reference implementation formats
//! them, made by `tests/jsonnet/record_fmt.py`.

use std::fmt::Write;
use std::sync::Arc;

use linecaster_jsonnet::fmt::{CommentStyle, Options, StringStyle, format};
use linecaster_jsonnet::syntax::{Source, parse};
use proptest::prelude::*;

const RECORDED: &str = include_str!("fmt/recorded.txt");

fn options(flags: &str) -> Options {
    let mut options = Options::default();
    match flags.split_once(' ').unwrap_or((flags, "")) {
        ("", _) => {}
        ("--indent", value) => options.indent = value.parse().expect("a number"),
        ("--max-blank-lines", value) => options.max_blank_lines = value.parse().expect("a number"),
        ("--string-style", "d") => options.string_style = StringStyle::Double,
        ("--string-style", _) => options.string_style = StringStyle::Leave,
        ("--comment-style", "h") => options.comment_style = CommentStyle::Hash,
        ("--comment-style", _) => options.comment_style = CommentStyle::Leave,
        ("--no-pretty-field-names", _) => options.pretty_field_names = false,
        ("--pad-arrays", _) => options.pad_arrays = true,
        ("--no-pad-objects", _) => options.pad_objects = false,
        ("--no-sort-imports", _) => options.sort_imports = false,
        ("--no-use-implicit-plus", _) => options.use_implicit_plus = false,
        other => panic!("{other:?}"),
    }
    options
}

fn formatted(program: &str, options: &Options) -> String {
    let source = Arc::new(Source::new("p", program));
    format(&source, options).unwrap_or_else(|error| panic!("{error} in {program}"))
}

fn recorded() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let cases = RECORDED.split("\n=====\n").filter(|case| !case.is_empty());
    cases.map(
        |case| match case.split("\n-----\n").collect::<Vec<_>>()[..] {
            [flags, program, result] => (flags, program, result),
            _ => panic!("options, program and result: {case}"),
        },
    )
}

#[test]
fn as_recorded() {
    let mut differences = String::new();
    let mut count = 0;
    for (flags, program, expected) in recorded() {
        let result = formatted(program, &options(flags));
        if result != expected {
            let _ = writeln!(
                differences,
                "{flags}\n{program}\n-- is\n{result}-- not\n{expected}"
            );
        }
        count += 1;
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(count > 800, "{count}");
}

/// What is written parses, to a tree of as many nodes.
#[test]
fn programs_stay_programs() {
    let kept = Options {
        use_implicit_plus: true,
        sort_imports: false,
        ..Options::default()
    };
    for (_, program, _) in recorded() {
        let count = |text: &str| {
            parse(&Arc::new(Source::new("p", text)))
                .map(|ast| ast.exprs().len())
                .ok()
        };
        let result = formatted(program, &kept);
        let (before, after) = (count(program), count(&result));
        // Doubled brackets and quoted fields go.
        assert!(after.is_some() && after <= before, "{program}\n{result}");
    }
}

#[test]
fn empty_text_block() {
    let result = formatted("|||-\n  \n|||", &Options::default());
    assert_eq!(result, "|||-\n  \n|||\n");
}

#[test]
fn deep_nesting() {
    let depth = 20_000;
    for (open, middle, close) in [
        ("[", "1", "]"),
        ("(", "1", ")"),
        ("{a:", "1", "}"),
        ("-", "1", ""),
    ] {
        let program = open.repeat(depth) + middle + &close.repeat(depth);
        let options = Options {
            indent: 0,
            ..Options::default()
        };
        assert!(formatted(&program, &options).len() >= depth);
    }
}

proptest! {
    /// Comments and blanks anywhere: no panic, and a program comes out.
    #[test]
    fn fodder_anywhere(
        place in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        fodder in r"( |\n|\t|/\*a\*/|/\*\n b\n\*/|//c\n|#d\n){1,4}",
    ) {
        let cases: Vec<_> = recorded().collect();
        let (flags, program, _) = cases[place.index(cases.len())];
        let mut changed = program.to_owned();
        let mut at = at.index(program.len() + 1);
        while !changed.is_char_boundary(at) {
            at -= 1;
        }
        changed.insert_str(at, &fodder);
        let source = Arc::new(Source::new("p", changed));
        if let Ok(result) = format(&source, &options(flags)) {
            let again = Arc::new(Source::new("p", result));
            prop_assert!(parse(&again).is_ok(), "{}\n{}", source.text(), again.text());
        }
    }
}
