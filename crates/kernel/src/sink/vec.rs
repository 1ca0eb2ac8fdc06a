//! A sink that grows a vector.

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::{Sink, SinkError};

/// Appends to a `Vec<u8>`. Growth doubles; when memory runs out the sink
/// fails instead of aborting.
#[derive(Debug)]
pub struct VecSink<'a> {
    /// Its state is the vector, borrowed for `'a`.
    sink: Sink,
    vec: PhantomData<&'a mut Vec<u8>>,
}

impl<'a> VecSink<'a> {
    /// A sink behind what `vec` already holds.
    pub fn new(vec: &'a mut Vec<u8>) -> VecSink<'a> {
        let (ptr, len, cap) = (vec.as_mut_ptr(), vec.len(), vec.capacity());
        let state: *mut Vec<u8> = vec;
        // SAFETY: the vector's buffer stays until `grow` replaces it, and the
        // vector is borrowed for as long as the sink lives.
        let mut sink = unsafe { Sink::new(ptr, cap, grow as super::Refill, state.cast()) };
        // SAFETY: as above; `len` bytes are initialised.
        unsafe { sink.set_buffer(ptr, len, cap) };
        VecSink {
            sink,
            vec: PhantomData,
        }
    }

    /// The sink to write to.
    #[inline(always)]
    pub fn sink(&mut self) -> &mut Sink {
        &mut self.sink
    }

    /// Ends the writing; the vector holds what was written before a failure.
    ///
    /// # Errors
    /// [`SinkError`] when memory ran out.
    pub fn finish(self) -> Result<(), SinkError> {
        // SAFETY: `state` is the borrowed vector, and the sink wrote that
        // many bytes into the vector's own buffer.
        unsafe { (*self.sink.state().cast::<Vec<u8>>()).set_len(self.sink.len()) };
        if self.sink.failed() {
            Err(SinkError)
        } else {
            Ok(())
        }
    }
}

unsafe fn grow(sink: &mut Sink, additional: usize) {
    // SAFETY: `state` is the vector that `VecSink` borrows.
    let vec = unsafe { &mut *sink.state().cast::<Vec<u8>>() };
    // SAFETY: the sink wrote that many bytes into the vector's buffer.
    unsafe { vec.set_len(sink.len()) };
    let wanted = additional.max(sink.wanted()).max(vec.capacity()).max(64);
    if vec.try_reserve_exact(wanted).is_err() && vec.try_reserve_exact(additional).is_err() {
        sink.fail();
        return;
    }
    // SAFETY: the vector's own, new buffer.
    unsafe { sink.set_buffer(vec.as_mut_ptr(), vec.len(), vec.capacity()) };
}
