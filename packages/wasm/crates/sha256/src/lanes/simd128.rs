//! Four words in one 128-bit vector of WebAssembly. Method for method the same as portable.rs.

use super::LANES;
use crate::word::Word;
use core::arch::wasm32::{
    i8x16_shuffle, i32x4_add, u32x4, u32x4_extract_lane, u32x4_shl, u32x4_shr, u32x4_splat, v128, v128_and, v128_or,
    v128_xor,
};
use core::ops::{Add, BitAnd, BitXor};

/// One word of each message.
#[derive(Clone, Copy)]
pub struct Lanes(v128);

impl Lanes {
    /// Words from four bytes each, most significant byte first.
    #[inline(always)]
    pub fn from_be_bytes(words: [[u8; 4]; LANES]) -> Self {
        let [a, b, c, d] = words.map(u32::from_le_bytes);
        Self(u32x4(a, b, c, d)).swap_bytes()
    }

    /// Returns the words in the order of the messages.
    #[inline(always)]
    pub fn to_array(self) -> [u32; LANES] {
        [
            u32x4_extract_lane::<0>(self.0),
            u32x4_extract_lane::<1>(self.0),
            u32x4_extract_lane::<2>(self.0),
            u32x4_extract_lane::<3>(self.0),
        ]
    }

    /// Returns four bytes for each word, most significant byte first.
    #[inline(always)]
    pub fn to_be_bytes(self) -> [[u8; 4]; LANES] {
        self.swap_bytes().to_array().map(u32::to_le_bytes)
    }

    /// WebAssembly has no instruction that swaps the bytes of one word, but one shuffle swaps those of all four.
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        Self(i8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(
            self.0, self.0,
        ))
    }
}

impl Word for Lanes {
    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self(u32x4_splat(word))
    }

    #[inline(always)]
    fn rotate_right(self, bits: u32) -> Self {
        Self(v128_or(u32x4_shr(self.0, bits), u32x4_shl(self.0, 32 - bits)))
    }

    #[inline(always)]
    fn shift_right(self, bits: u32) -> Self {
        Self(u32x4_shr(self.0, bits))
    }
}

/// Adds modulo 2^32.
impl Add for Lanes {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(i32x4_add(self.0, other.0))
    }
}

impl BitAnd for Lanes {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }
}

impl BitXor for Lanes {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }
}
