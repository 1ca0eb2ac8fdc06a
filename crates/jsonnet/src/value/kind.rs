//! The numbers of the managed types of this crate.

/// Text that owns its bytes.
pub const TEXT: u8 = 1;
/// Text that is a piece of a source.
pub const SHARED_TEXT: u8 = 2;
/// Text that is a concatenation.
pub const ROPE: u8 = 3;
/// An array and its elements.
pub const ARRAY: u8 = 4;
/// An array that is a view of others.
pub const VIEW: u8 = 5;
/// The numbers of an array.
pub const NUMBERS: u8 = 6;
/// An object.
pub const OBJECT: u8 = 7;
/// The slots of an object.
pub const SLOTS: u8 = 8;
/// The layers of an object.
pub const LAYERS: u8 = 9;
/// Captured values.
pub const RECORD: u8 = 10;
/// A thunk.
pub const THUNK: u8 = 11;
/// A function.
pub const FUNCTION: u8 = 12;
/// An element that a thunk is to work out.
pub const ELEMENT: u8 = 13;
/// The records of an object comprehension.
pub const RECORDS: u8 = 14;
/// The bytes of an array.
pub const BYTES: u8 = 15;
/// Elements that several arrays may begin with.
pub const BUFFER: u8 = 16;
/// What has been worked out of a long mapped array: its pieces.
pub const PIECES: u8 = 17;
/// A piece of them.
pub const PIECE: u8 = 18;
/// An array whose elements are worked out from those of another.
pub const MAPPED: u8 = 19;
/// An array that is a concatenation.
pub const ARRAY_ROPE: u8 = 20;
