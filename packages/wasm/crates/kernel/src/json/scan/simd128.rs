//! Sixteen bytes at a time, in one vector of WebAssembly.

use core::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat, u64x2, v128_or};

/// How many bytes are compared together.
pub(super) const BLOCK: usize = 16;

/// Returns the index of the first quote, backslash or control character (below 0x20).
#[inline(always)]
pub(super) fn first_special(block: &[u8; BLOCK]) -> Option<usize> {
    let number = u128::from_le_bytes(*block);
    let bytes = u64x2(number as u64, (number >> 64) as u64);
    let escaping = v128_or(u8x16_eq(bytes, u8x16_splat(b'"')), u8x16_eq(bytes, u8x16_splat(b'\\')));
    let found = u8x16_bitmask(v128_or(escaping, u8x16_lt(bytes, u8x16_splat(0x20))));
    (found != 0).then_some(found.trailing_zeros() as usize)
}
