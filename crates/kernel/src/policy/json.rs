//! JSON strings (RFC 8259, section 7) and the variants that `json` and
//! `ujson` have.

use super::{Policy, Rules};

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

macro_rules! policies {
    ($($(#[$doc:meta])* $name:ident = $rules:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Policy for $name {
            const RULES: Rules = $rules;
        }
    )*};
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
}
