//! Sets of characters to stop at, for [`clean_units`](crate::clean::clean_units);
//! nothing is escaped by them.

use super::{Policy, Rules, policies};

/// A spelling that nobody writes.
const MARK: &[u8] = b"?";

/// All that decides the form of a scalar in YAML.
const YAML: Rules = {
    let mut rules = Rules::NOTHING
        .spell(b':', MARK)
        .spell(b'#', MARK)
        .spell(0x7F, MARK);
    let mut c = 0;
    while c < 0x20 {
        rules = rules.spell(c, MARK);
        c += 1;
    }
    rules.ascii_only()
};

policies! {
    /// What may decide the form of a scalar in YAML: control characters, `:`,
    /// `#`, and all that is not ASCII.
    YamlMarks = YAML;
}
