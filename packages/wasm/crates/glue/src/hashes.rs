//! SHA-256 of many messages.

use crate::REFUSED;
use crate::state::{lengths, take, texts, with};
use svc_kernel::sha256::{continued, hash_many};
use wasm_bindgen::prelude::wasm_bindgen;

/// Input: the lengths of so many messages, a prefix of so many bytes, the messages. Outputs SHA-256 of the prefix and
/// the message for each. Returns 0, or REFUSED.
#[wasm_bindgen]
pub fn hashes(prefix_length: u32, count: u32) -> u32 {
    with(|state| {
        let mut input = &state.input[..];
        let lengths = lengths(&mut input, count as usize);
        let prefix = take(&mut input, prefix_length as usize);
        let (Some(lengths), Some(prefix)) = (lengths, prefix) else {
            return REFUSED;
        };
        let Some(messages) = texts(&mut input, lengths) else {
            return REFUSED;
        };
        let mut output = Vec::with_capacity(messages.len() * 32);
        hash_many(prefix, &messages, &mut output);
        state.output = output;
        0
    })
}

/// Input: a state of SHA-256, whole blocks of 64 bytes. Outputs the state after them, so that a long message need not
/// be in memory. Returns 0, or REFUSED.
#[wasm_bindgen]
pub fn sha256_blocks() -> u32 {
    with(|state| match state.input.split_first_chunk() {
        Some((before, blocks)) => {
            state.output = continued(before, blocks.as_chunks().0).to_vec();
            0
        }
        None => REFUSED,
    })
}
