//! From the parser's events to a tree.

use std::collections::HashMap;
use std::fmt;

use libyaml_safer::{ErrorKind, EventData, Parser};

use super::Tree;
use super::resolve::{Scalar, resolve};

/// Why a text is no YAML, or not of JSON's types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlError {
    line: Option<u64>,
    message: String,
    /// The document is YAML, and not of JSON's types.
    of_json: bool,
}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let library = if self.of_json { "" } else { "yaml: " };
        match self.line {
            Some(line) => write!(f, "{library}line {line}: {}", self.message),
            None => write!(f, "{library}{}", self.message),
        }
    }
}

fn fault<T>(message: impl Into<String>) -> Result<T, YamlError> {
    Err(YamlError {
        line: None,
        message: message.into(),
        of_json: false,
    })
}

fn no_json<T>(message: impl Into<String>) -> Result<T, YamlError> {
    Err(YamlError {
        line: None,
        message: message.into(),
        of_json: true,
    })
}

/// A node by its place in the document's list of them.
type NodeId = usize;

enum Kind {
    Scalar {
        text: String,
        plain: bool,
    },
    Sequence(Vec<NodeId>),
    /// Keys and values in turn.
    Mapping(Vec<NodeId>),
    Alias {
        target: NodeId,
        anchor: String,
    },
}

struct Node {
    kind: Kind,
    tag: String,
}

/// Loads the first document of a text.
pub fn document(text: &str) -> Result<Tree, YamlError> {
    let nodes = nodes(text)?;
    let mut expansion = Expansion {
        nodes: &nodes,
        open: vec![false; nodes.len()],
        ..Expansion::default()
    };
    if nodes.is_empty() {
        Ok(Tree::Null)
    } else {
        expansion.tree(0)
    }
}

fn short(tag: Option<String>) -> String {
    match tag {
        None => String::new(),
        Some(tag) => match tag.strip_prefix("tag:yaml.org,2002:") {
            Some(suffix) => format!("!!{suffix}"),
            None => tag,
        },
    }
}

/// The nodes of the first document, in the order in which they begin.
fn nodes(text: &str) -> Result<Vec<Node>, YamlError> {
    let mut input = text.as_bytes();
    let mut parser = Parser::new();
    parser.set_input_string(&mut input);
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<NodeId> = Vec::new();
    let mut anchors: HashMap<String, NodeId> = HashMap::new();
    loop {
        let event = parser.parse().map_err(|error| located(&error))?;
        let (kind, tag, anchor, opens) = match event.data {
            EventData::Scalar {
                anchor,
                tag,
                value,
                plain_implicit,
                ..
            } => (
                Kind::Scalar {
                    text: value,
                    plain: plain_implicit,
                },
                short(tag),
                anchor,
                false,
            ),
            EventData::Alias { anchor } => match anchors.get(&anchor) {
                Some(&target) => (Kind::Alias { target, anchor }, String::new(), None, false),
                None => return fault(format!("unknown anchor '{anchor}' referenced")),
            },
            EventData::SequenceStart { anchor, tag, .. } => {
                (Kind::Sequence(Vec::new()), short(tag), anchor, true)
            }
            EventData::MappingStart { anchor, tag, .. } => {
                (Kind::Mapping(Vec::new()), short(tag), anchor, true)
            }
            EventData::SequenceEnd | EventData::MappingEnd => {
                open.pop();
                continue;
            }
            EventData::DocumentEnd { .. } | EventData::StreamEnd => return Ok(nodes),
            EventData::StreamStart { .. } | EventData::DocumentStart { .. } => continue,
        };
        let id = nodes.len();
        nodes.push(Node { kind, tag });
        if let Some(anchor) = anchor {
            anchors.insert(anchor, id);
        }
        if let Some(&parent) = open.last()
            && let Kind::Sequence(items) | Kind::Mapping(items) = &mut nodes[parent].kind
        {
            items.push(id);
        }
        if opens {
            open.push(id);
        }
    }
}

/// A parser's error, with its line as Go's library counts it.
fn located(error: &libyaml_safer::Error) -> YamlError {
    let scanner = error.kind() == ErrorKind::Scanner;
    let problem = error.problem_mark().map_or(0, |mark| mark.line);
    let context = error.context_mark().map_or(0, |mark| mark.line);
    let line = match (problem, context) {
        (0, 0) => None,
        (0, context) => Some(context),
        (problem, _) => Some(problem + u64::from(scanner)),
    };
    YamlError {
        line,
        message: error.problem().to_owned(),
        of_json: false,
    }
}

/// Turns nodes into trees, and watches how much of it comes from aliases.
#[derive(Default)]
struct Expansion<'a> {
    nodes: &'a [Node],
    /// Which aliases are being expanded.
    open: Vec<bool>,
    decoded: u32,
    from_aliases: u32,
    depth_of_aliases: u32,
}

impl Expansion<'_> {
    fn tree(&mut self, id: NodeId) -> Result<Tree, YamlError> {
        stacker::maybe_grow(128 << 10, 4 << 20, || self.tree_here(id))
    }

    fn tree_here(&mut self, id: NodeId) -> Result<Tree, YamlError> {
        self.count()?;
        let nodes = self.nodes;
        match &nodes[id].kind {
            Kind::Scalar { text, plain } => scalar_tree(&nodes[id].tag, text, *plain),
            Kind::Sequence(items) => Ok(Tree::Array(
                items
                    .iter()
                    .map(|&item| self.tree(item))
                    .collect::<Result<_, _>>()?,
            )),
            Kind::Mapping(items) => {
                let mut members = Members::default();
                self.members(items, &mut members)?;
                Ok(Tree::Object(members.list))
            }
            Kind::Alias { target, anchor } => self.alias(id, anchor, |this| this.tree(*target)),
        }
    }

    /// Expands an alias, unless that is being done already.
    fn alias<T>(
        &mut self,
        id: NodeId,
        anchor: &str,
        expand: impl FnOnce(&mut Self) -> Result<T, YamlError>,
    ) -> Result<T, YamlError> {
        if core::mem::replace(&mut self.open[id], true) {
            return fault(format!("anchor '{anchor}' value contains itself"));
        }
        self.depth_of_aliases += 1;
        let expanded = expand(self)?;
        self.depth_of_aliases -= 1;
        self.open[id] = false;
        Ok(expanded)
    }

    /// Refuses a document that is nearly all aliases: 99 % for small ones, from
    /// 400,000 nodes on less, 10 % for those of 4,000,000 and more.
    fn count(&mut self) -> Result<(), YamlError> {
        self.decoded += 1;
        self.from_aliases += u32::from(self.depth_of_aliases > 0);
        if self.from_aliases <= 100 || self.decoded <= 1000 {
            return Ok(());
        }
        let (decoded, low, high) = (f64::from(self.decoded), 400_000.0, 4_000_000.0);
        let allowed = 0.99 - 0.89 * ((decoded - low) / (high - low)).clamp(0.0, 1.0);
        if f64::from(self.from_aliases) / decoded > allowed {
            return fault("document contains excessive aliasing");
        }
        Ok(())
    }

    fn members(&mut self, items: &[NodeId], members: &mut Members) -> Result<(), YamlError> {
        for pair in items.chunks_exact(2) {
            if self.is_merge(pair[0]) {
                self.merge(pair[1], members)?;
            } else {
                let key = self.key(pair[0])?;
                let value = self.tree(pair[1])?;
                members.set(key, value);
            }
        }
        Ok(())
    }

    fn is_merge(&self, id: NodeId) -> bool {
        let node = &self.nodes[id];
        matches!(&node.kind, Kind::Scalar { text, plain } if text == "<<"
            && (*plain && node.tag.is_empty() || node.tag == "!!merge"))
    }

    /// Puts the members of a mapping, or of each mapping of a sequence, among
    /// the others; of a sequence the first counts most.
    fn merge(&mut self, id: NodeId, members: &mut Members) -> Result<(), YamlError> {
        let nodes = self.nodes;
        match &nodes[id].kind {
            Kind::Mapping(items) => self.members(items, members),
            Kind::Alias { target, anchor } if matches!(nodes[*target].kind, Kind::Mapping(_)) => {
                let target = *target;
                self.alias(id, anchor, |this| this.merge(target, members))
            }
            Kind::Sequence(items) => {
                for &item in items.iter().rev() {
                    if matches!(nodes[item].kind, Kind::Mapping(_) | Kind::Alias { .. }) {
                        self.merge(item, members)?;
                    } else {
                        return fault(NOT_MERGEABLE);
                    }
                }
                Ok(())
            }
            _ => fault(NOT_MERGEABLE),
        }
    }

    fn key(&mut self, id: NodeId) -> Result<String, YamlError> {
        self.count()?;
        let nodes = self.nodes;
        match &nodes[id].kind {
            Kind::Scalar { text, plain } => key_text(&nodes[id].tag, text, *plain),
            Kind::Alias { target, anchor } => self.alias(id, anchor, |this| this.key(*target)),
            Kind::Sequence(_) | Kind::Mapping(_) => fault("invalid map key: it is not a scalar"),
        }
    }
}

const NOT_MERGEABLE: &str = "map merge requires map or sequence of maps as the value";

#[derive(Default)]
struct Members {
    list: Vec<(String, Tree)>,
    places: HashMap<String, usize>,
}

impl Members {
    fn set(&mut self, key: String, value: Tree) {
        if let Some(&place) = self.places.get(&key) {
            self.list[place].1 = value;
        } else {
            self.places.insert(key.clone(), self.list.len());
            self.list.push((key, value));
        }
    }
}

fn scalar(tag: &str, text: &str, plain: bool) -> Result<Scalar, YamlError> {
    if tag.is_empty() && !plain {
        return Ok(Scalar::Text);
    }
    resolve(tag, text).or_else(fault)
}

/// The text of a scalar that is text.
fn content(tag: &str, text: &str) -> Result<String, YamlError> {
    if tag != "!!binary" {
        return Ok(text.to_owned());
    }
    let compact: String = text.chars().filter(|c| !matches!(c, '\r' | '\n')).collect();
    match base64::Engine::decode(&base64::engine::general_purpose::STANDARD, compact) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(_) => fault("!!binary value contains invalid base64 data"),
    }
}

fn scalar_tree(tag: &str, text: &str, plain: bool) -> Result<Tree, YamlError> {
    Ok(match scalar(tag, text, plain)? {
        Scalar::Null => Tree::Null,
        Scalar::Bool(value) => Tree::Bool(value),
        Scalar::Int(value) => Tree::Number(value as f64),
        Scalar::Uint(value) => Tree::Number(value as f64),
        Scalar::Float(value) if value.is_finite() => Tree::Number(value),
        Scalar::Float(value) => {
            return no_json(format!("json: unsupported value: {}", infinite(value)));
        }
        Scalar::Text => Tree::String(content(tag, text)?),
    })
}

fn infinite(value: f64) -> &'static str {
    if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "+Inf"
    } else {
        "-Inf"
    }
}

fn key_text(tag: &str, text: &str, plain: bool) -> Result<String, YamlError> {
    Ok(match scalar(tag, text, plain)? {
        Scalar::Bool(value) => value.to_string(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Float(value) => float_key(value),
        Scalar::Text => content(tag, text)?,
        Scalar::Null => return no_json("unsupported map key of type: null"),
        Scalar::Uint(value) => {
            return no_json(format!("unsupported map key of type: uint64, key: {value}"));
        }
    })
}

/// The shortest digits that make the same single-precision float, in Go's `%g`.
fn float_key(value: f64) -> String {
    let single = value as f32;
    if single.is_nan() {
        return ".nan".into();
    }
    if single.is_infinite() {
        return if single > 0.0 { ".inf" } else { "-.inf" }.into();
    }
    let scientific = format!("{single:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..21).contains(&exponent) {
        return format!("{single}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}
