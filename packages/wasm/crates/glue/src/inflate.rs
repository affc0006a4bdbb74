//! Inflating in pieces.

use crate::REFUSED;
use crate::state::with;
use std::cell::RefCell;
use svc_kernel::inflate::Inflater;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static INFLATER: RefCell<Inflater> = const { RefCell::new(Inflater::EMPTY) };
}

/// Input: bytes of a raw deflate stream. `size`: the bytes that should come out of it, for its first bytes; -1 for
/// those that come next. `rest`: how many bytes of the stream there are from the input's first on; without all of them
/// the input must have at least 1,000. Outputs a piece, at most 96 KiB. Returns how many bytes have been read; of a
/// rest these are all exactly if the stream has ended. Returns REFUSED for a stream with a fault. No other call
/// disturbs it.
#[wasm_bindgen]
pub fn inflate(size: f64, rest: u32) -> u32 {
    INFLATER.with_borrow_mut(|inflater| {
        if size >= 0.0 {
            inflater.begin(size as u64);
        }
        with(
            |state| match inflater.read(&state.input, state.input.len() == rest as usize) {
                Some(read) => {
                    state.output.extend_from_slice(inflater.piece());
                    read as u32
                }
                None => REFUSED,
            },
        )
    })
}
