//! The exports of `kernel.wasm`: functions from numbers to numbers, over one input and one output buffer.
//!
//! The host reserves the input, writes it, calls a function and reads the output, so that a call crosses the boundary
//! once whatever it carries. Each function describes its layout; all integers in buffers are 32-bit little-endian.
//! Sizes and indexes of trees are doubles, because they go up to 2^53-1. A function returns [`REFUSED`] for an input of
//! another layout.

mod documents;
mod hashes;
mod inflate;
mod signatures;
mod state;
mod trees;

use state::with;
use wasm_bindgen::prelude::wasm_bindgen;

/// The result for an input of another layout, and for one without an answer.
pub const REFUSED: u32 = u32::MAX;

/// Makes room for an input of so many bytes, with any content, and returns its address.
#[wasm_bindgen]
pub fn reserve(length: u32) -> u32 {
    with(|state| {
        state.output = Vec::new();
        // Not cleared first: bytes that are there already need not be made zero.
        state.input.resize(length as usize, 0);
        state.input.as_ptr().addr() as u32
    })
}

/// Returns the address of the last output.
#[wasm_bindgen]
pub fn output() -> u32 {
    with(|state| state.output.as_ptr().addr() as u32)
}

/// Returns the number of bytes in the last output.
#[wasm_bindgen]
pub fn output_length() -> u32 {
    with(|state| state.output.len() as u32)
}
