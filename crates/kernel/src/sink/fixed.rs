//! A sink over a buffer that never grows.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::{Sink, SinkError};

/// Writes into a caller's buffer and fails when it is full.
#[derive(Debug)]
pub struct FixedSink<'a> {
    sink: Sink,
    buffer: PhantomData<&'a mut [MaybeUninit<u8>]>,
}

impl<'a> FixedSink<'a> {
    /// A sink over all of `buffer`.
    pub fn new(buffer: &'a mut [MaybeUninit<u8>]) -> FixedSink<'a> {
        // SAFETY: the buffer is borrowed for as long as the sink lives.
        let sink = unsafe {
            Sink::new(
                buffer.as_mut_ptr().cast(),
                buffer.len(),
                full as super::Refill,
                core::ptr::null_mut(),
            )
        };
        FixedSink {
            sink,
            buffer: PhantomData,
        }
    }

    /// The sink to write to.
    #[inline(always)]
    pub fn sink(&mut self) -> &mut Sink {
        &mut self.sink
    }

    /// What was written.
    ///
    /// # Errors
    /// [`SinkError`] when the buffer was too small.
    pub fn finish(self) -> Result<&'a [u8], SinkError> {
        if self.sink.failed() {
            return Err(SinkError);
        }
        // SAFETY: that many bytes of the borrowed buffer are written.
        Ok(unsafe { core::slice::from_raw_parts(self.sink.ptr(), self.sink.len()) })
    }
}

unsafe fn full(sink: &mut Sink, _additional: usize) {
    sink.fail();
}
