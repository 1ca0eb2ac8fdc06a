//! A sink that hands full chunks to a writer.

use core::mem::MaybeUninit;

use super::{Sink, SinkError};

/// Takes one chunk; `false` means that it could not, and ends the output.
pub type WriteChunk<'a> = dyn FnMut(&[u8]) -> bool + 'a;

struct State<'a> {
    write: &'a mut WriteChunk<'a>,
}

/// Collects output in a caller's buffer and hands it to a function whenever
/// the buffer is full, so that memory stays bounded by the buffer's size.
pub struct ChunkedSink<'a> {
    buffer: &'a mut [MaybeUninit<u8>],
    state: State<'a>,
}

impl<'a> ChunkedSink<'a> {
    /// The kernel reserves up to this many bytes at once for a piece that it
    /// writes without looking again; a smaller buffer makes the sink fail.
    pub const MIN_BUFFER: usize = 512;

    /// Over `buffer`, at least [`ChunkedSink::MIN_BUFFER`] bytes.
    pub fn new(
        buffer: &'a mut [MaybeUninit<u8>],
        write: &'a mut WriteChunk<'a>,
    ) -> ChunkedSink<'a> {
        ChunkedSink {
            buffer,
            state: State { write },
        }
    }

    /// Runs `body` with the sink and hands over what is left at its end.
    ///
    /// # Errors
    /// [`SinkError`] when the writer refused a chunk or the buffer is
    /// smaller than [`ChunkedSink::MIN_BUFFER`].
    pub fn with<R>(&mut self, body: impl FnOnce(&mut Sink) -> R) -> Result<R, SinkError> {
        let state: *mut State<'a> = &raw mut self.state;
        // SAFETY: buffer and state are borrowed until the sink is dropped at
        // the end of this function.
        let mut sink = unsafe {
            Sink::new(
                self.buffer.as_mut_ptr().cast(),
                self.buffer.len(),
                flush as super::Refill,
                state.cast(),
            )
        };
        let result = body(&mut sink);
        if sink.failed() {
            return Err(SinkError);
        }
        // SAFETY: that many bytes of the buffer are written.
        let rest = unsafe { core::slice::from_raw_parts(sink.ptr(), sink.len()) };
        if !rest.is_empty() && !(self.state.write)(rest) {
            return Err(SinkError);
        }
        Ok(result)
    }
}

unsafe fn flush(sink: &mut Sink, additional: usize) {
    // SAFETY: `state` is the one that `ChunkedSink::with` keeps alive.
    let state = unsafe { &mut *sink.state().cast::<State<'_>>() };
    // SAFETY: that many bytes of the chunk are written.
    let chunk = unsafe { core::slice::from_raw_parts(sink.ptr(), sink.len()) };
    let (ptr, cap) = (sink.ptr(), sink.capacity());
    if cap < additional || !(chunk.is_empty() || (state.write)(chunk)) {
        sink.fail();
        return;
    }
    // SAFETY: the same buffer, begun anew.
    unsafe { sink.set_buffer(ptr, 0, cap) };
}
