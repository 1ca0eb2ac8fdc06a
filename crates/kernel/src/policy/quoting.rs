//! Ways of quoting that have no backslashes.

use super::{Policy, Rules, policies};

policies! {
    /// Everything as it is.
    Verbatim = Rules::NOTHING;
    /// What stands between single quotation marks in YAML: `'` doubled.
    SingleQuoted = Rules::NOTHING.spell(b'\'', b"''");
    /// Jsonnet's `escapeStringXML`: the five characters that XML has names
    /// for.
    Xml = Rules::NOTHING
        .spell(b'<', b"&lt;")
        .spell(b'>', b"&gt;")
        .spell(b'&', b"&amp;")
        .spell(b'"', b"&quot;")
        .spell(b'\'', b"&apos;");
    /// What stands between single quotation marks in a shell: `'` as `'"'"'`,
    /// which ends the quotation, quotes the mark and begins again.
    Bash = Rules::NOTHING.spell(b'\'', b"'\"'\"'");
    /// Jsonnet's `escapeStringDollars`: `$` doubled.
    Dollars = Rules::NOTHING.spell(b'$', b"$$");
}
