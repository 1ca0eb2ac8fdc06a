//! What has been worked out of a long mapped array: in pieces that are made
//! when an element of theirs is, so that sparse use stays cheap.

use std::cell::OnceCell;
use std::iter::repeat_n;

use linecaster_heap::{GcSlice, Heap, Managed, Slot, Trace, Visitor};

use super::Place;
use crate::value::{Value, kind};

/// The elements of a piece.
const PIECE: usize = 64;

#[derive(Default)]
pub(super) struct Cache(OnceCell<GcSlice<PiecesHead, Slot<Option<Piece>>>>);

type Piece = GcSlice<PieceHead, Place>;

struct PiecesHead;
struct PieceHead;

impl Cache {
    /// An element, if it has been worked out.
    pub(super) fn get(&self, index: usize) -> Option<Value> {
        self.0.get()?[index / PIECE].get()?[index % PIECE].get()
    }

    /// Sets an element of an array of so many.
    pub(super) fn set(&self, heap: &Heap, len: usize, index: usize, value: Value) {
        let pieces = self.0.get_or_init(|| {
            let none = repeat_n(None, len.div_ceil(PIECE)).map(Slot::new);
            heap.alloc_slice(PiecesHead, none)
        });
        let place = &pieces[index / PIECE];
        let piece = place.get().unwrap_or_else(|| {
            let none = repeat_n(None, PIECE).map(Slot::new);
            let piece = heap.alloc_slice(PieceHead, none);
            place.set(Some(piece.clone()));
            piece
        });
        piece[index % PIECE].set(Some(value));
    }
}

impl Trace for Cache {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        if let Some(pieces) = self.0.get() {
            pieces.trace(visitor);
        }
    }
}

impl Managed for PiecesHead {
    const KIND: u8 = kind::PIECES;
}

impl Trace for PiecesHead {
    fn trace(&self, _: &mut Visitor<'_>) {}
}

impl Managed for PieceHead {
    const KIND: u8 = kind::PIECE;
}

impl Trace for PieceHead {
    fn trace(&self, _: &mut Visitor<'_>) {}
}
