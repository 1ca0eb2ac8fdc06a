//! JSON strings (RFC 8259, section 7) and the variants that `json` and
//! `ujson` have.

use super::{Policy, Rules, policies};

/// Quotation mark, backslash and the control characters below U+0020; the
/// short spellings `\b \t \n \f \r`, otherwise `\u00xx` in lower case.
const JSON: Rules = {
    let mut rules = Rules::NOTHING;
    let mut byte = 0;
    while byte < 0x20 {
        rules = rules.spell_u16(byte);
        byte += 1;
    }
    rules
        .spell(b'"', b"\\\"")
        .spell(b'\\', b"\\\\")
        .spell(0x08, b"\\b")
        .spell(b'\t', b"\\t")
        .spell(b'\n', b"\\n")
        .spell(0x0C, b"\\f")
        .spell(b'\r', b"\\r")
};

/// `<`, `>` and `&` as `\u00xx`, so that the text may stand inside HTML.
#[expect(clippy::large_types_passed_by_value, reason = "at compile time only")]
const fn html(rules: Rules) -> Rules {
    rules.spell_u16(b'<').spell_u16(b'>').spell_u16(b'&')
}

/// `/` as `\/`.
#[expect(clippy::large_types_passed_by_value, reason = "at compile time only")]
const fn slash(rules: Rules) -> Rules {
    rules.spell(b'/', b"\\/")
}

policies! {
    /// What RFC 8259 requires and nothing else.
    Json = JSON;
    /// [`Json`] with `/` escaped.
    JsonSlash = slash(JSON);
    /// [`Json`] with `<`, `>` and `&` escaped.
    JsonHtml = html(JSON);
    /// [`JsonHtml`] with `/` escaped.
    JsonHtmlSlash = slash(html(JSON));
    /// [`Json`] in ASCII only; U+007F is kept, as ujson does.
    JsonAscii = JSON.ascii_only();
    /// [`JsonAscii`] with `/` escaped: ujson's default.
    JsonAsciiSlash = slash(JSON.ascii_only());
    /// [`JsonAscii`] with `<`, `>` and `&` escaped.
    JsonHtmlAscii = html(JSON.ascii_only());
    /// [`JsonHtmlAscii`] with `/` escaped.
    JsonHtmlAsciiSlash = slash(html(JSON.ascii_only()));
    /// [`JsonAscii`] with U+007F escaped as well: `json.dumps`'s default.
    JsonAsciiPython = JSON.ascii_only().spell_u16(0x7F);
    /// [`Json`] with U+007F escaped as well: TOML's basic strings.
    JsonDel = JSON.spell_u16(0x7F);
    /// [`JsonDel`] with U+0080 to U+009F escaped as well: Jsonnet's
    /// `escapeStringJson`.
    JsonControls = JSON.spell_u16(0x7F).spell_ranges(&[(0x80, 0x9F)]);
    /// What stands between double quotation marks in YAML: all that is not
    /// printable there, or ends a line in YAML 1.1, escaped.
    YamlDouble = JSON.spell_u16(0x7F).spell_ranges(&[
        (0x80, 0x9F),
        (0x2028, 0x2029),
        (0xFEFF, 0xFEFF),
        (0xFFFE, 0xFFFF),
    ]);
    /// [`Json`] with U+2028 and U+2029 escaped as well: Go's `encoding/json`
    /// without its HTML rules.
    JsonGo = JSON.spell_ranges(&[(0x2028, 0x2029)]);
}
