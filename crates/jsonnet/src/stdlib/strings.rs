//! Strings: parts, tests, case, replacement. Positions count code points.

use super::args::{Outcome, fail, integer, number, string, text, unexpected};
use super::core::length_of;
use super::table::{Builtin, Param, ready, required};
use crate::error::Error;
use crate::eval::{Vm, spell_g};
use crate::value::{Array, Str, Value};

const STR: &[Param] = &[required("str")];
const AB: &[Param] = &[required("a"), required("b")];
const STR_CHARS: &[Param] = &[required("str"), required("chars")];

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    ready("asciiLower", STR, |vm, args| {
        each_letter(vm, &args[0], u8::to_ascii_lowercase)
    }),
    ready("asciiUpper", STR, |vm, args| {
        each_letter(vm, &args[0], u8::to_ascii_uppercase)
    }),
    ready("char", &[required("n")], char_of),
    ready("codepoint", STR, codepoint),
    ready("endsWith", AB, ends_with),
    ready(
        "equalsIgnoreCase",
        &[required("str1"), required("str2")],
        equals_ignore_case,
    ),
    ready(
        "findSubstr",
        &[required("pat"), required("str")],
        find_substr,
    ),
    ready("isEmpty", STR, |_, args| {
        Ok(Value::Bool(string(&args[0])?.is_empty()))
    }),
    ready("lstripChars", STR_CHARS, |vm, args| {
        strip(vm, args, true, false)
    }),
    ready("rstripChars", STR_CHARS, |vm, args| {
        strip(vm, args, false, true)
    }),
    ready("startsWith", AB, starts_with),
    ready(
        "strReplace",
        &[required("str"), required("from"), required("to")],
        replace,
    ),
    ready("stringChars", STR, string_chars),
    ready("stripChars", STR_CHARS, |vm, args| {
        strip(vm, args, true, true)
    }),
    ready(
        "substr",
        &[required("str"), required("from"), required("len")],
        substr,
    ),
    ready("trim", STR, |vm, args| {
        let trimmed = string(&args[0])?.as_str().trim();
        Ok(text(vm, trimmed))
    }),
];

/// The characters of a string as an array of strings.
pub fn characters(vm: &Vm, string: &Str) -> Array {
    let heap = vm.heap();
    let items: Vec<Value> = string
        .as_str()
        .chars()
        .map(|c| Value::Str(Str::from_char(heap, c)))
        .collect();
    Array::new(heap, items)
}

fn string_chars(vm: &mut Vm, args: &[Value]) -> Outcome {
    match &args[0] {
        Value::Str(string) => Ok(Value::Array(characters(vm, string))),
        Value::Array(array) => Ok(Value::Array(array.clone())),
        Value::Object(_) => fail("Unexpected type number, expected string"),
        Value::Function(_) => fail("Value non indexable: *jsonnet.valueFunction"),
        other => fail(format!("Unexpected type {}", other.type_name())),
    }
}

fn each_letter(vm: &mut Vm, value: &Value, change: fn(&u8) -> u8) -> Outcome {
    if let Value::Str(string) = value {
        let changed: String = string
            .as_str()
            .chars()
            .map(|c| {
                if c.is_ascii() {
                    char::from(change(&(c as u8)))
                } else {
                    c
                }
            })
            .collect();
        return Ok(text(vm, &changed));
    }
    // By its definition it takes arrays of characters as well.
    let Value::Array(array) = value else {
        return string_chars(vm, core::slice::from_ref(value));
    };
    let mut changed = String::new();
    for index in 0..array.len() {
        let item = vm.item(array, index)?;
        let character = single(string(&item)?)?;
        changed.push(if character.is_ascii() {
            char::from(change(&(character as u8)))
        } else {
            character
        });
    }
    Ok(text(vm, &changed))
}

fn single(string: &Str) -> Result<char, Box<Error>> {
    match (string.len(), string.char_at(0)) {
        (1, Some(character)) => Ok(character),
        (length, _) => fail(format!(
            "codepoint takes a string of length 1, got length {length}"
        )),
    }
}

fn codepoint(_: &mut Vm, args: &[Value]) -> Outcome {
    Ok(Value::Num(f64::from(u32::from(single(string(&args[0])?)?))))
}

/// The character of a code point. A surrogate becomes U+FFFD.
pub fn char_of(vm: &mut Vm, args: &[Value]) -> Outcome {
    let n = number(&args[0])?;
    if n > 1_114_111.0 {
        return fail(format!("Invalid unicode codepoint, got {}", spell_g(n)));
    }
    if n < 0.0 {
        return fail(format!("Codepoints must be >= 0, got {}", spell_g(n)));
    }
    let character = char::from_u32(n as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
    Ok(Value::Str(Str::from_char(vm.heap(), character)))
}

fn substr(vm: &mut Vm, args: &[Value]) -> Outcome {
    let Value::Str(string) = &args[0] else {
        return fail(parameter("first", "a string", args[0].type_name()));
    };
    let Value::Num(from) = args[1] else {
        return fail(parameter("second", "a number", args[1].type_name()));
    };
    if from % 1.0 != 0.0 {
        return fail(parameter("second", "an integer", &format!("{from:.6}")));
    }
    if from < 0.0 {
        return fail(parameter(
            "second",
            "greater than zero",
            &format!("{from:.6}"),
        ));
    }
    let Value::Num(length) = args[2] else {
        return fail(parameter("third", "a number", args[2].type_name()));
    };
    let Ok(length_whole) = integer(&args[2]) else {
        return fail(parameter("third", "an integer", &format!("{length:.6}")));
    };
    let Ok(length) = usize::try_from(length_whole) else {
        return fail(parameter(
            "third",
            "greater than zero",
            &length_whole.to_string(),
        ));
    };
    let total = string.len();
    let from = if from >= total as f64 {
        total
    } else {
        from as usize
    };
    let to = from.saturating_add(length).min(total);
    Ok(Value::Str(string.slice(vm.heap(), from, to)))
}

fn parameter(which: &str, expected: &str, got: &str) -> String {
    format!("substr {which} parameter should be {expected}, got {got}")
}

/// Whether there may be a match at all, by length, and the two strings if so.
fn affix(args: &[Value], vm: &mut Vm) -> Result<Option<(Str, Str)>, Box<Error>> {
    let (whole, part) = (length_of(vm, &args[0])?, length_of(vm, &args[1])?);
    if whole < part {
        return Ok(None);
    }
    match (&args[0], &args[1]) {
        (Value::Str(whole), Value::Str(part)) => Ok(Some((whole.clone(), part.clone()))),
        (Value::Str(_), _) => Ok(None),
        (other, _) => fail(parameter("first", "a string", other.type_name())),
    }
}

fn starts_with(vm: &mut Vm, args: &[Value]) -> Outcome {
    let pair = affix(args, vm)?;
    Ok(Value::Bool(pair.is_some_and(|(whole, part)| {
        whole.as_str().starts_with(part.as_str())
    })))
}

fn ends_with(vm: &mut Vm, args: &[Value]) -> Outcome {
    let pair = affix(args, vm)?;
    Ok(Value::Bool(pair.is_some_and(|(whole, part)| {
        whole.as_str().ends_with(part.as_str())
    })))
}

/// Equal but for case, by simple case folding.
fn equals_ignore_case(_: &mut Vm, args: &[Value]) -> Outcome {
    let (first, second) = (string(&args[0])?, string(&args[1])?);
    let mut folded = second.as_str().chars().map(fold);
    let same = first
        .as_str()
        .chars()
        .map(fold)
        .all(|c| folded.next() == Some(c));
    Ok(Value::Bool(same && folded.next().is_none()))
}

/// Unicode's simple case folding, by way of the upper and the lower case; the
/// dotless and the dotted i of Turkish fold to themselves.
fn fold(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    if matches!(character, '\u{130}' | '\u{131}') {
        return character;
    }
    let single = |mut all: Box<dyn Iterator<Item = char>>, otherwise| match (all.next(), all.next())
    {
        (Some(one), None) => one,
        _ => otherwise,
    };
    let upper = single(Box::new(character.to_uppercase()), character);
    single(Box::new(upper.to_lowercase()), upper)
}

fn strip(vm: &mut Vm, args: &[Value], left: bool, right: bool) -> Outcome {
    let whole = string(&args[0])?;
    let set = if whole.is_empty() {
        None
    } else {
        Some(CharSet::new(vm, &args[1])?)
    };
    let mut rest = whole.as_str();
    if let Some(set) = &set {
        if left {
            rest = rest.trim_start_matches(|c| set.has(c));
        }
        if right {
            rest = rest.trim_end_matches(|c| set.has(c));
        }
    }
    if rest.len() == whole.bytes() {
        return Ok(args[0].clone());
    }
    let from = rest.as_ptr() as usize - whole.as_str().as_ptr() as usize;
    Ok(Value::Str(whole.slice_bytes(
        vm.heap(),
        from,
        from + rest.len(),
    )))
}

/// Which characters are stripped: a bit for each of ASCII, and the others.
struct CharSet {
    ascii: u128,
    others: Vec<char>,
}

impl CharSet {
    fn new(vm: &mut Vm, value: &Value) -> Result<Self, Box<Error>> {
        let mut set = Self {
            ascii: 0,
            others: Vec::new(),
        };
        match value {
            Value::Str(characters) => characters.as_str().chars().for_each(|c| set.add(c)),
            Value::Array(array) => {
                for index in 0..array.len() {
                    if let Value::Str(item) = vm.item(array, index)?
                        && item.len() == 1
                    {
                        item.as_str().chars().for_each(|c| set.add(c));
                    }
                }
            }
            _ => return fail("std.member first argument must be an array or a string"),
        }
        Ok(set)
    }

    fn add(&mut self, character: char) {
        if character.is_ascii() {
            self.ascii |= 1 << u32::from(character);
        } else {
            self.others.push(character);
        }
    }

    fn has(&self, character: char) -> bool {
        if character.is_ascii() {
            self.ascii >> u32::from(character) & 1 == 1
        } else {
            self.others.contains(&character)
        }
    }
}

fn replace(vm: &mut Vm, args: &[Value]) -> Outcome {
    let (whole, from, to) = (string(&args[0])?, string(&args[1])?, string(&args[2])?);
    if from.is_empty() {
        return fail("'from' string must not be zero length.");
    }
    if !whole.as_str().contains(from.as_str()) {
        return Ok(args[0].clone());
    }
    let replaced = whole.as_str().replace(from.as_str(), to.as_str());
    Ok(text(vm, &replaced))
}

/// The positions of a pattern, those that overlap too.
fn find_substr(vm: &mut Vm, args: &[Value]) -> Outcome {
    let Value::Str(pattern) = &args[0] else {
        let got = args[0].type_name();
        return fail(format!(
            "findSubstr first parameter should be a string, got {got}"
        ));
    };
    let Value::Str(whole) = &args[1] else {
        let got = args[1].type_name();
        return fail(format!(
            "findSubstr second parameter should be a string, got {got}"
        ));
    };
    let mut found = Vec::new();
    if !pattern.is_empty() {
        let (pattern, haystack) = (pattern.as_str(), whole.as_str());
        let step = pattern.chars().next().map_or(1, char::len_utf8);
        let mut at = 0;
        while let Some(next) = haystack[at..].find(pattern) {
            found.push(whole.position(at + next) as f64);
            at += next + step;
        }
    }
    Ok(Value::Array(Array::numbers(vm.heap(), found)))
}

/// Whether a string holds another; for `std.member`.
pub fn contains(whole: &Str, part: &Value) -> Result<bool, Box<Error>> {
    match part {
        Value::Str(part) => Ok(whole.as_str().contains(part.as_str())),
        other => unexpected(other, "string"),
    }
}
