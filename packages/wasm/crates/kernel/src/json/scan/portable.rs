//! Eight bytes at a time, in one word.

/// How many bytes are compared together.
pub(super) const BLOCK: usize = 8;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Returns the index of the first quote, backslash or control character (below 0x20).
#[inline(always)]
pub(super) fn first_special(block: &[u8; BLOCK]) -> Option<usize> {
    let word = u64::from_le_bytes(*block);
    let found = zero_bytes(word ^ (ONES * 0x22)) | zero_bytes(word ^ (ONES * 0x5c)) | below_space(word);
    // Only the lowest mark is certain (a borrow may set higher ones), and only that one counts.
    (found != 0).then_some((found.trailing_zeros() / 8) as usize)
}

/// Returns the high bit of each byte that is zero (and perhaps of bytes above one that is).
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

/// Returns the high bit of each byte below 0x20 (and perhaps of bytes above one that is).
fn below_space(word: u64) -> u64 {
    word.wrapping_sub(ONES * 0x20) & !word & HIGHS
}
