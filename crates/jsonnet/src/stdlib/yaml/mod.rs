//! `std.parseYaml`: YAML to a tree of JSON's types.
//!
//! The grammar is that of a YAML library; what a scalar means, how keys become
//! strings, how merge keys and aliases are expanded and where one document ends
//! is here, after go-jsonnet: YAML 1.1's scalars (<https://yaml.org/type/>)
//! without base 60, with timestamps left as text.

mod documents;
mod load;
mod resolve;

pub use load::YamlError;

/// What a YAML document holds, in JSON's types.
#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    /// `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A finite number.
    Number(f64),
    /// A string.
    String(String),
    /// A sequence.
    Array(Vec<Tree>),
    /// A mapping: each key once, in no order that means anything.
    Object(Vec<(String, Tree)>),
}

/// Parses a document, or several: a text with a `---` is an array of what its
/// documents hold. A text without content is null.
///
/// # Errors
/// [`YamlError`], with the line where it is known.
pub fn parse(text: &str) -> Result<Tree, YamlError> {
    let (documents, stream) = documents::split(text);
    let mut trees = Vec::with_capacity(documents.len());
    for document in &documents {
        trees.push(load::document(document)?);
    }
    Ok(match (stream, trees.len()) {
        (_, 0) => Tree::Null,
        (true, _) => Tree::Array(trees),
        (false, _) => trees.swap_remove(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f64) -> Tree {
        Tree::Number(value)
    }

    fn text(value: &str) -> Tree {
        Tree::String(value.into())
    }

    fn object(mut tree: Tree) -> Vec<(String, Tree)> {
        match &mut tree {
            Tree::Object(members) => {
                members.sort_by(|a, b| a.0.cmp(&b.0));
                core::mem::take(members)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn documents_and_streams() {
        assert_eq!(parse(""), Ok(Tree::Null));
        assert_eq!(parse("# only this\n"), Ok(Tree::Null));
        assert_eq!(parse("a"), Ok(text("a")));
        assert_eq!(parse("---\na"), Ok(Tree::Array(vec![text("a")])));
        assert_eq!(
            parse("1\n---\n2\n---\n"),
            Ok(Tree::Array(vec![number(1.0), number(2.0), Tree::Null]))
        );
        assert_eq!(parse("---a\n"), Ok(text("---a")));
    }

    #[test]
    fn scalars_of_yaml_1_1() {
        let cases = [
            ("y", Tree::Bool(true)),
            ("Off", Tree::Bool(false)),
            ("oFF", text("oFF")),
            ("~", Tree::Null),
            ("'~'", text("~")),
            ("0777", number(511.0)),
            ("08", number(8.0)),
            ("0x1F", number(31.0)),
            ("-0b11", number(-3.0)),
            ("1_000", number(1000.0)),
            ("1:20", text("1:20")),
            ("1e3", number(1000.0)),
            (".5", number(0.5)),
            ("1e400", text("1e400")),
            ("2020-01-02", text("2020-01-02")),
            ("18446744073709551615", number(18_446_744_073_709_551_615.0)),
            ("!!str 12", text("12")),
            ("!!float 12", number(12.0)),
            ("!!binary aGk=", text("hi")),
            ("\"12\"", text("12")),
        ];
        for (source, tree) in cases {
            assert_eq!(parse(source), Ok(tree), "{source}");
        }
    }

    #[test]
    fn keys_merges_and_aliases() {
        let members = object(parse("1: a\ntrue: b\n1.5: c\nx: &x [1]\nz: *x\n").unwrap());
        let keys: Vec<&str> = members.iter().map(|member| member.0.as_str()).collect();
        assert_eq!(keys, ["1", "1.5", "true", "x", "z"]);
        assert_eq!(members[4].1, Tree::Array(vec![number(1.0)]));
        let merged = object(parse("a: &a {p: 1, q: 2}\nb:\n  p: 0\n  <<: *a\n  q: 3\n").unwrap());
        let inner = object(merged[1].1.clone());
        assert_eq!(
            inner,
            [("p".into(), number(1.0)), ("q".into(), number(3.0))]
        );
        let list = object(parse("{<<: [{p: 1}, {p: 2, q: 2}], a: a, a: b}").unwrap());
        assert_eq!(list[0].1, text("b"));
        assert_eq!(list[1].1, number(1.0));
    }

    #[test]
    fn faults() {
        for source in [
            "{", "a: b: c", "*x", "&x [*x]", "null: 1", "[a]: 1", ".inf", "!!int a", "<<: 1",
        ] {
            assert!(parse(source).is_err(), "{source}");
        }
        let line = parse("a: 1\nb: [\n").unwrap_err().to_string();
        assert!(line.starts_with("yaml: line "), "{line}");
    }

    #[test]
    fn depth_and_expansion_are_bounded() {
        let deep = "- ".repeat(20_000) + "a";
        assert_eq!(parse(&deep).err(), None);
        let mut laughs = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..9 {
            let item = format!("*a{}, ", level - 1).repeat(10);
            laughs.extend([
                "a",
                &level.to_string(),
                ": &a",
                &level.to_string(),
                " [",
                &item,
                "]\n",
            ]);
        }
        let message = parse(&laughs).unwrap_err().to_string();
        assert!(message.contains("excessive aliasing"), "{message}");
    }
}
