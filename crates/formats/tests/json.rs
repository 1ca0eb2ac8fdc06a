//! The JSON emitter against a writer that is too simple to be wrong: every
//! layout, output encoding and sink, by the emitter's tokens and by its inner
//! loop.

use core::mem::MaybeUninit;

use linecaster_formats::Emitter;
use linecaster_formats::json::{After, Dialect, JsonEmitter, Layout, Quick, State};
use linecaster_kernel::number::float_style::Python;
use linecaster_kernel::output::{Output, Units1, Units2, Units4, Utf8};
use linecaster_kernel::policy::{Json, JsonAsciiPython, Word};
use linecaster_kernel::sink::{ChunkedSink, FixedSink, Sink, VecSink};
use linecaster_kernel::text::{Ascii, Ucs4, Unit};
use proptest::prelude::*;

#[derive(Clone, Copy)]
struct Plain;

impl Dialect for Plain {
    type Policy = Json;
    type Floats = Python;
}

#[derive(Clone, Copy)]
struct AsciiOnly;

impl Dialect for AsciiOnly {
    type Policy = JsonAsciiPython;
    type Floats = Python;
}

#[derive(Clone, Debug)]
enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Float(f64),
    Text(Vec<u32>),
    Array(Vec<Value>),
    Object(Vec<(Vec<u32>, Value)>),
}

#[derive(Clone, Debug)]
struct Style {
    item: Vec<u32>,
    key: Vec<u32>,
    indent: Option<Vec<u32>>,
}

/// How the emitter is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Token by token.
    General,
    /// By a [`Quick`].
    Quick,
}

fn points(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

/// Writes a value as code points, one obvious step after the other.
fn expected(value: &Value, style: &Style, depth: usize, ascii: bool, out: &mut Vec<u32>) {
    let line = |out: &mut Vec<u32>, depth: usize| {
        if let Some(indent) = &style.indent {
            out.push(u32::from('\n'));
            (0..depth).for_each(|_| out.extend(indent));
        }
    };
    match value {
        Value::Null => out.extend(points("null")),
        Value::Bool(v) => out.extend(points(&v.to_string())),
        Value::Int(v) => out.extend(points(&v.to_string())),
        Value::Uint(v) => out.extend(points(&v.to_string())),
        // Between 10^-4 and 10^16 Rust spells as Python does, but for ties of
        // the last digit, which numbers of this size do not have.
        Value::Float(v) => out.extend(points(&format!("{v:?}"))),
        Value::Text(text) => quote(text, ascii, out),
        Value::Array(items) => {
            out.push(u32::from('['));
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.extend(&style.item);
                }
                line(out, depth + 1);
                expected(item, style, depth + 1, ascii, out);
            }
            if !items.is_empty() {
                line(out, depth);
            }
            out.push(u32::from(']'));
        }
        Value::Object(members) => {
            out.push(u32::from('{'));
            for (i, (key, value)) in members.iter().enumerate() {
                if i > 0 {
                    out.extend(&style.item);
                }
                line(out, depth + 1);
                quote(key, ascii, out);
                out.extend(&style.key);
                expected(value, style, depth + 1, ascii, out);
            }
            if !members.is_empty() {
                line(out, depth);
            }
            out.push(u32::from('}'));
        }
    }
}

fn quote(text: &[u32], ascii: bool, out: &mut Vec<u32>) {
    out.push(u32::from('"'));
    for &c in text {
        let spelled = match char::from_u32(c) {
            Some('"') => "\\\"".to_string(),
            Some('\\') => "\\\\".to_string(),
            Some('\n') => "\\n".to_string(),
            Some('\t') => "\\t".to_string(),
            Some(c) if c < ' ' => format!("\\u{:04x}", u32::from(c)),
            Some(c) if ascii && c >= '\x7f' => {
                let mut units = [0; 2];
                let units = c.encode_utf16(&mut units).iter();
                let units: Vec<_> = units.map(|unit| format!("\\u{unit:04x}")).collect();
                units.concat()
            }
            Some(c) => c.to_string(),
            None => unreachable!("samples hold characters only"),
        };
        out.extend(points(&spelled));
    }
    out.push(u32::from('"'));
}

/// Emits a value by `way`, wherever it may.
fn emit<O: Output, D: Dialect>(json: &mut JsonEmitter<'_, O, D>, value: &Value, way: Way) {
    match value {
        Value::Null => json.null(),
        Value::Bool(v) => json.bool(*v),
        Value::Int(v) => json.int(*v),
        Value::Uint(v) => json.uint(*v),
        Value::Float(v) => json.float(*v),
        Value::Text(text) => json.string::<Ucs4>(text).unwrap(),
        Value::Array(items) => {
            json.begin_array();
            for item in items {
                let done = match way {
                    Way::General => false,
                    Way::Quick => emit_quickly(json, None, item),
                };
                if !done {
                    emit(json, item, way);
                }
            }
            json.end_array();
        }
        Value::Object(members) => {
            json.begin_object();
            for (key, value) in members {
                if way == Way::Quick && emit_quickly(json, Some(key), value) {
                    continue;
                }
                json.key::<Ucs4>(key).unwrap();
                emit(json, value, way);
            }
            json.end_object();
        }
    }
}

fn text() -> impl Strategy<Value = Vec<u32>> {
    let c = prop_oneof![
        4 => 0x20..0x7F_u32,
        1 => Just(0x22_u32),
        1 => Just(0x09_u32),
        1 => Just(0x01_u32),
        1 => 0x80..0x100_u32,
        1 => 0x4E00..0x5000_u32,
        1 => 0x1_F600..0x1_F650_u32,
    ];
    proptest::collection::vec(c, 0..60)
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<u64>().prop_map(Value::Uint),
        (0.001..1e9_f64).prop_map(Value::Float),
        text().prop_map(Value::Text),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            proptest::collection::vec((text(), inner), 0..6).prop_map(Value::Object),
        ]
    })
}

fn style() -> impl Strategy<Value = Style> {
    let separator = |usual: &'static str| {
        prop_oneof![
            3 => Just(points(usual)),
            1 => Just(points("")),
            1 => Just(points("123456")),
            1 => Just(points("1234567")),
            1 => Just(points("é, ")),
        ]
    };
    let indent = prop_oneof![
        2 => Just(None),
        1 => Just(Some(points(""))),
        1 => Just(Some(points("  "))),
        1 => Just(Some(points("→"))),
    ];
    (separator(","), separator(": "), indent).prop_map(|(item, key, indent)| Style {
        item,
        key,
        indent,
    })
}

fn encode<O: Output>(points: &[u32]) -> Vec<u8> {
    if O::UTF8 {
        let text: String = points.iter().filter_map(|&c| char::from_u32(c)).collect();
        return text.into_bytes();
    }
    let unit = |&c: &u32| c.to_ne_bytes();
    match O::Unit::WIDTH {
        1 => points.iter().map(|&c| c as u8).collect(),
        2 => points
            .iter()
            .flat_map(|&c| (c as u16).to_ne_bytes())
            .collect(),
        _ => points.iter().flat_map(unit).collect(),
    }
}

/// [`emit_quick`] as the layout wants it.
fn emit_quickly<O: Output, D: Dialect>(
    json: &mut JsonEmitter<'_, O, D>,
    key: Option<&[u32]>,
    value: &Value,
) -> bool {
    if json.on_lines() {
        emit_quick::<O, D, true>(json, key, value)
    } else {
        emit_quick::<O, D, false>(json, key, value)
    }
}

/// An item or a member by a [`Quick`]; what it does not take is finished by
/// the emitter. `false` if nothing is written.
fn emit_quick<O: Output, D: Dialect, const LINES: bool>(
    json: &mut JsonEmitter<'_, O, D>,
    key: Option<&[u32]>,
    value: &Value,
) -> bool {
    // SAFETY: the emitter is not used before `resume`; a round writes what
    // there is room for.
    unsafe {
        let Some((mut quick, after)) = json.quick::<LINES>() else {
            return false;
        };
        let before = quick.tail();
        if LINES {
            if !quick.has_room_for_line(0) {
                json.resume(quick, after, 0);
                return false;
            }
            quick.line(0);
        }
        if let Some(key) = key
            && !quick_text(&mut quick, true, key)
        {
            quick.advance_to(before);
            json.resume(quick, after, 0);
            return false;
        }
        let mut written = true;
        match value {
            Value::Null => quick.null(),
            Value::Bool(v) => quick.bool(*v),
            Value::Int(v) => quick.int(*v),
            Value::Float(v) => quick.float::<false>(*v),
            Value::Text(text) => written = quick_text(&mut quick, false, text),
            Value::Array(items) if items.is_empty() => quick.empty(Word::new(b"[]")),
            Value::Array(items) => {
                quick.open(b'[');
                let start = quick.tail();
                let ints = items.iter().take_while(|&item| match item {
                    Value::Int(v) if has_room(&quick, 1) => {
                        if LINES {
                            quick.line(1);
                        }
                        quick.int(*v);
                        true
                    }
                    _ => false,
                });
                let ints = ints.count();
                if ints == items.len() && has_room(&quick, 1) {
                    if LINES {
                        quick.last_line(1);
                    }
                    quick.close(b']');
                } else {
                    let open = quick.tail() == start;
                    json.resume(quick, if open { After::Open } else { After::Item }, 1);
                    for item in &items[ints..] {
                        emit(json, item, Way::Quick);
                    }
                    json.end_array();
                    return true;
                }
            }
            Value::Uint(_) | Value::Object(_) => written = false,
        }
        if !written && key.is_none() {
            quick.advance_to(before);
        }
        let last = match key {
            _ if written => After::Item,
            Some(_) => After::Key,
            None => after,
        };
        json.resume(quick, last, 0);
        if !written && key.is_some() {
            emit(json, value, Way::Quick);
        }
        written || key.is_some()
    }
}

fn has_room<O: Output, D: Dialect, const LINES: bool>(
    quick: &Quick<O, D, LINES>,
    level: usize,
) -> bool {
    if LINES {
        quick.has_room_for_line(level)
    } else {
        quick.has_room()
    }
}

/// # Safety
/// There is room.
unsafe fn quick_text<O: Output, D: Dialect, const LINES: bool>(
    quick: &mut Quick<O, D, LINES>,
    key: bool,
    text: &[u32],
) -> bool {
    let ascii: Vec<u8> = text.iter().map(|&c| c as u8).collect();
    let headed = [&[0; 8], &ascii[..]].concat();
    // SAFETY: the caller's, and eight bytes stand before the characters.
    unsafe {
        if text.iter().any(|&c| c >= 0x80) {
            let tail = Quick::<O, D, false>::text::<Ucs4>(quick.cursor(), text, quick.behind(key));
            let written = !tail.is_null();
            if written {
                quick.advance_to(tail);
            }
            return written;
        }
        if quick.short::<false>(key, headed.as_ptr().add(8), ascii.len()) {
            return true;
        }
        let tail = Quick::<O, D, false>::text::<Ascii>(quick.cursor(), &ascii, quick.behind(key));
        if !tail.is_null() {
            quick.advance_to(tail);
        }
        !tail.is_null()
    }
}

fn check<O: Output, D: Dialect>(value: &Value, style: &Style, ascii: bool) {
    let mut points = Vec::new();
    expected(value, style, 0, ascii, &mut points);
    if !O::UTF8 {
        let widest = points.iter().copied().max().unwrap_or(0);
        if O::Unit::WIDTH < 4 && widest >> (8 * O::Unit::WIDTH) != 0 {
            return;
        }
    }
    let want = encode::<O>(&points);
    let layout = Layout::new(&style.item, &style.key, style.indent.as_deref());
    for way in [Way::General, Way::Quick] {
        let write = |sink: &mut Sink| {
            let mut json = JsonEmitter::<O, D>::new(sink, &layout, State::START);
            emit(&mut json, value, way);
        };
        let mut got = Vec::new();
        let mut sink = VecSink::new(&mut got);
        write(sink.sink());
        sink.finish().unwrap();
        assert_eq!(got, want);

        let mut chunks = Vec::new();
        let mut buffer = [MaybeUninit::uninit(); ChunkedSink::MIN_BUFFER];
        let mut append = |chunk: &[u8]| {
            chunks.extend_from_slice(chunk);
            true
        };
        let mut sink = ChunkedSink::new(&mut buffer, &mut append);
        sink.with(|sink| write(sink)).unwrap();
        assert_eq!(chunks, want);

        let mut short = vec![MaybeUninit::uninit(); want.len().saturating_sub(1)];
        let mut sink = FixedSink::new(&mut short);
        write(sink.sink());
        assert!(sink.finish().is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn all_layouts_outputs_and_sinks(value in value(), style in style()) {
        check::<Utf8, Plain>(&value, &style, false);
        check::<Units1, Plain>(&value, &style, false);
        check::<Units2, Plain>(&value, &style, false);
        check::<Units4, Plain>(&value, &style, false);
        check::<Utf8, AsciiOnly>(&value, &style, true);
        check::<Units1, AsciiOnly>(&value, &style, true);
        check::<Units2, AsciiOnly>(&value, &style, true);
        check::<Units4, AsciiOnly>(&value, &style, true);
    }
}

/// An output's encoding may change between tokens: a host widens what is
/// written and goes on with the state.
#[test]
fn state_moves_to_another_emitter() {
    let layout = Layout::COMPACT;
    let mut out = Vec::new();
    let mut sink = VecSink::new(&mut out);
    let mut json = JsonEmitter::<Utf8, Plain>::new(sink.sink(), &layout, State::START);
    json.begin_array();
    json.int(1);
    let state = json.state();
    let mut json = JsonEmitter::<Utf8, AsciiOnly>::new(sink.sink(), &layout, state);
    json.string::<Ucs4>(&[0xE9]).unwrap();
    json.end_array();
    sink.finish().unwrap();
    assert_eq!(out, b"[1,\"\\u00e9\"]");
}

/// Pieces that are text already stay as they are.
#[test]
fn raw_and_number_text() {
    let layout = Layout::COMPACT;
    let mut out = Vec::new();
    let mut sink = VecSink::new(&mut out);
    let mut json = JsonEmitter::<Utf8, Plain>::new(sink.sink(), &layout, State::START);
    json.begin_object();
    json.key::<Ascii>(b"a").unwrap();
    json.raw(b"{\"x\": [1]}");
    json.key::<Ascii>(b"b").unwrap();
    json.number_text(b"1.10");
    json.end_object();
    sink.finish().unwrap();
    assert_eq!(out, b"{\"a\":{\"x\": [1]},\"b\":1.10}");
}

#[test]
fn what_is_rewound_leaves_no_trace() {
    let layout = Layout::COMPACT;
    let mut out = Vec::new();
    let mut sink = VecSink::new(&mut out);
    let mut json = JsonEmitter::<Utf8, Plain>::new(sink.sink(), &layout, State::START);
    json.begin_array();
    for count in [1, 5000] {
        let mark = json.mark();
        json.begin_object();
        for _ in 0..count {
            json.key::<Ascii>(b"key").unwrap();
            json.int(1);
        }
        json.rewind(mark);
        assert!(json.make_room());
        // SAFETY: the emitter is not used meanwhile, and there is room.
        unsafe {
            let (mut quick, _) = json.quick::<false>().unwrap();
            quick.int(2);
            json.resume(quick, After::Item, 0);
        }
    }
    json.end_array();
    sink.finish().unwrap();
    assert_eq!(out, b"[2,2]");
}
