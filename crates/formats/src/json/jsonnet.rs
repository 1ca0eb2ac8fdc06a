//! The two kinds of JSON that Jsonnet writes (go-jsonnet 0.22).

use linecaster_kernel::number::float_style;
use linecaster_kernel::policy;

use super::{Dialect, Empty, Numbers};

/// The main output, with [`Layout::THREE`](super::Layout::THREE), and
/// `toString`, with [`Layout::SPACED`](super::Layout::SPACED).
#[derive(Clone, Copy, Debug)]
pub struct JsonnetOutput;

impl Dialect for JsonnetOutput {
    type Policy = policy::JsonControls;
    type Floats = float_style::EcmaScript;
    const NUMBERS: Numbers = Numbers::General;
    const EMPTY: Empty = Empty::Space;
}

/// `manifestJsonEx` and what is made of it: other strings, other numbers, other
/// empty containers than the main output's.
#[derive(Clone, Copy, Debug)]
pub struct JsonnetManifest;

impl Dialect for JsonnetManifest {
    type Policy = policy::JsonGo;
    type Floats = float_style::EcmaScript;
    const NUMBERS: Numbers = Numbers::Positional;
    const EMPTY: Empty = Empty::Line;
}
