//! Ed25519.

use crate::REFUSED;
use crate::state::{lengths, take, texts, with};
use svc_kernel::ed25519::{Item, verify};
use wasm_bindgen::prelude::wasm_bindgen;

/// Input: the lengths of so many messages, as many public keys of 32 bytes, as many signatures of 64, the messages.
/// Outputs one byte for each: 1 if it verifies. Returns 0, or REFUSED.
#[wasm_bindgen]
pub fn ed25519_verify(count: u32) -> u32 {
    with(|state| {
        let mut input = &state.input[..];
        let count = count as usize;
        let lengths = lengths(&mut input, count);
        let keys = take(&mut input, count.saturating_mul(32));
        let signatures = take(&mut input, count.saturating_mul(64));
        let (Some(lengths), Some(keys), Some(signatures)) = (lengths, keys, signatures) else {
            return REFUSED;
        };
        let Some(messages) = texts(&mut input, lengths) else {
            return REFUSED;
        };
        let keys = keys.as_chunks::<32>().0;
        let signatures = signatures.as_chunks::<64>().0;
        let items: Vec<Item<'_>> = keys
            .iter()
            .zip(signatures)
            .zip(messages)
            .map(|((public_key, signature), message)| Item {
                public_key,
                signature,
                message,
            })
            .collect();
        state.output = verify(&items).into_iter().map(u8::from).collect();
        0
    })
}
