//! Syntax: what is accepted, what is rejected, and in which words.
//!
//! `syntax/recorded.txt` holds programs with the reference implementation's
//! answers, made by `tests/jsonnet/record_syntax.py`.

use std::fmt::Write;
use std::sync::Arc;

use linecaster_jsonnet::syntax::ast::{Ast, Expr, StringKind};
use linecaster_jsonnet::syntax::{Source, StaticError, parse, parse_with_tokens};
use proptest::prelude::*;

fn parse_bytes(bytes: &[u8]) -> Result<Ast, StaticError> {
    parse(&Arc::new(Source::from_bytes("p", bytes.to_vec())))
}

fn split<'a>(bytes: &'a [u8], by: &str) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    let mut from = 0;
    while let Some(at) = bytes[from..]
        .windows(by.len())
        .position(|part| part == by.as_bytes())
    {
        parts.push(&bytes[from..from + at]);
        from += at + by.len();
    }
    parts.push(&bytes[from..]);
    parts
}

fn recorded() -> Vec<(&'static [u8], String)> {
    let cases = split(include_bytes!("syntax/recorded.txt"), "\n=====\n");
    let cases = cases.into_iter().filter(|case| !case.is_empty());
    cases
        .map(|case| match split(case, "\n-----\n")[..] {
            [program, answer] => (program, String::from_utf8_lossy(answer).into_owned()),
            _ => panic!(
                "a program and its answer: {}",
                String::from_utf8_lossy(case)
            ),
        })
        .collect()
}

#[test]
fn as_recorded() {
    let mut differences = String::new();
    let cases = recorded();
    for (program, expected) in &cases {
        let answer = parse_bytes(program).map_or_else(|error| error.to_string(), |_| "ok".into());
        if answer != *expected {
            let program = String::from_utf8_lossy(program);
            let _ = writeln!(
                differences,
                "{program}\n  is     {answer}\n  not    {expected}"
            );
        }
    }
    assert!(differences.is_empty(), "{differences}");
    let rejected = cases.iter().filter(|(_, answer)| answer != "ok").count();
    assert!(
        rejected > 500 && cases.len() - rejected > 150,
        "{rejected} of {}",
        cases.len()
    );
}

/// Where the specification and the C++ implementation accept what the Go
/// implementation rejects.
#[test]
fn operators_before_unary_operators() {
    for program in [
        "1==-1", "a&&!b", "1<<-1", "{a::-1}", "{a+:~1}", "a||!b", "x!=-y", "x>=+y",
    ] {
        assert!(parse_bytes(program.as_bytes()).is_ok(), "{program}");
    }
    // Messages stay as if they were rejected.
    let error = parse_bytes(b"1==-1)").expect_err("a bracket too many");
    assert_eq!(error.to_string(), "p:1:2-3 Not a binary operator: =");
}

#[test]
fn texts_of_strings() {
    let cases: [(&[u8], StringKind, &str); 13] = [
        (b"'a'", StringKind::Single, "a"),
        (b"\"it's\"", StringKind::Double, "it's"),
        (
            br#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#,
            StringKind::Double,
            "\"\\/\x08\x0C\n\r\té😀",
        ),
        (br"'\uD800\u0041'", StringKind::Single, "\u{FFFD}"),
        (br"'\uDC00\uDC00x'", StringKind::Single, "\u{FFFD}x"),
        (b"@'a''b\\n'''", StringKind::VerbatimSingle, "a'b\\n'"),
        (b"@\"a'\"", StringKind::VerbatimDouble, "a'"),
        (
            b"'a\xFF\xE2\x82b'",
            StringKind::Single,
            "a\u{FFFD}\u{FFFD}\u{FFFD}b",
        ),
        (
            b"|||\n  a\n   b\n\n  c\n|||",
            StringKind::Block,
            "a\n b\n\nc\n",
        ),
        (b"|||-\n\ta\n\t|||\n  |||", StringKind::Block, "a\n|||"),
        (b"|||\n\n\n a\n\n|||", StringKind::Block, "\n\na\n\n"),
        (b"||| \r\n a\r\n|||", StringKind::Block, "a\r\n"),
        (b"|||-\n a\n\n|||", StringKind::Block, "a\n"),
    ];
    for (program, kind, value) in cases {
        let ast = parse_bytes(program).expect("a string");
        match ast.expr(ast.root()) {
            Expr::String { kind: found, text } => {
                assert_eq!((found, ast.text(text)), (kind, value));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn values_of_numbers() {
    let cases = [
        ("0", 0.0),
        ("123_456.789_0e-0_3", 123.456_789),
        ("999999999999999", 999_999_999_999_999.0),
        ("12345678901234567890", 12_345_678_901_234_567_890.0),
        ("1e308", 1e308),
        ("1e309", f64::INFINITY),
        ("1e-400", 0.0),
        ("0.1", 0.1),
    ];
    for (program, value) in cases {
        let ast = parse_bytes(program.as_bytes()).expect("a number");
        match ast.expr(ast.root()) {
            Expr::Number(found) => assert_eq!(found.to_bits(), value.to_bits(), "{program}"),
            other => panic!("{other:?}"),
        }
    }
}

/// Columns count the bytes of the file, replaced ones included.
#[test]
fn columns_behind_bad_bytes() {
    let error = parse_bytes(b"\n/*\xFF\xFF*/ '\xC3\xA9\xFF' 2").expect_err("two values");
    assert_eq!(
        error.to_string(),
        "p:2:14-15 Did not expect: (NUMBER, \"2\")"
    );
}

#[test]
fn deep_nesting() {
    let depth = 200_000;
    for (open, middle, close) in [
        ("[", "", "]"),
        ("(", "1", ")"),
        ("{a:", "1", "}"),
        ("-", "1", ""),
        ("f(", "", ")"),
    ] {
        let program = open.repeat(depth) + middle + &close.repeat(depth);
        assert!(parse_bytes(program.as_bytes()).is_ok(), "{open}");
        assert!(
            parse_bytes(open.repeat(depth).as_bytes()).is_err(),
            "{open}"
        );
    }
    for chain in ["a", "+a", ".a", "[a]", "(a)", "{}"] {
        assert!(
            parse_bytes(("a ".to_owned() + &chain.repeat(depth)).as_bytes()).is_ok()
                != (chain == "a")
        );
    }
}

/// Checks what holds for every tree.
fn check(ast: &Ast) {
    let len = ast.source().text().len() as u32;
    assert!(
        ast.root().index() == ast.exprs().len() - 1,
        "the root is made last"
    );
    for (at, expr) in ast.exprs().iter().enumerate().skip(1) {
        if let Expr::String { text, .. } = expr {
            let _ = ast.text(*text);
        }
        let before = |child: linecaster_jsonnet::syntax::ast::ExprId| assert!(child.index() < at);
        match *expr {
            Expr::Binary { left, right, .. } => [left, right].into_iter().for_each(before),
            Expr::Array(items) => ast.list(items).iter().copied().for_each(before),
            Expr::Unary { operand, .. } => before(operand),
            Expr::Call { callee, args, .. } => {
                before(callee);
                ast.list(args).iter().for_each(|arg| before(arg.value));
            }
            _ => {}
        }
    }
    for ident in 0..ast.ident_count() as u32 {
        let _ = ast.ident(linecaster_jsonnet::syntax::ast::Ident(ident));
    }
    let spans = ast.spans();
    assert!(
        spans
            .iter()
            .all(|span| span.start <= span.end && span.end <= len)
    );
}

fn check_bytes(bytes: &[u8]) {
    let source = Arc::new(Source::from_bytes("p", bytes.to_vec()));
    match parse(&source) {
        Ok(ast) => check(&ast),
        Err(error) => {
            let end = error.span().end as usize;
            assert!(error.span().start as usize <= end && end <= source.text().len());
            assert!(error.to_string().starts_with("p:"));
        }
    }
    if let Ok((ast, tokens)) = parse_with_tokens(&source) {
        check(&ast);
        assert!(
            tokens
                .windows(2)
                .all(|pair| pair[0].span.end <= pair[1].span.start)
        );
    }
}

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        check_bytes(&bytes);
    }

    #[test]
    fn any_symbols(text in r#"([a-c01'"|/*{}\[\]().,:;=+$@# \n\\-]|local |if | then | in |super|\|\|\||for ){0,40}"#) {
        check_bytes(text.as_bytes());
    }

    #[test]
    fn cut_programs(seed in any::<prop::sample::Index>(), cut in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let cases = recorded();
        let mut program = seed.get(&cases).0.to_vec();
        let place = cut.index(program.len() + 1);
        check_bytes(&program[..place]);
        program.insert(place, byte);
        check_bytes(&program);
    }
}
