//! Four words as an array, for every target.

use super::LANES;
use crate::word::Word;
use core::ops::{Add, BitAnd, BitXor};

/// One word of each message.
#[derive(Clone, Copy)]
pub struct Lanes([u32; LANES]);

impl Lanes {
    /// Words from four bytes each, most significant byte first.
    #[inline(always)]
    pub fn from_be_bytes(words: [[u8; 4]; LANES]) -> Self {
        Self(words.map(u32::from_be_bytes))
    }

    /// Returns the words in the order of the messages.
    #[inline(always)]
    pub fn to_array(self) -> [u32; LANES] {
        self.0
    }

    /// Returns four bytes for each word, most significant byte first.
    #[inline(always)]
    pub fn to_be_bytes(self) -> [[u8; 4]; LANES] {
        self.0.map(u32::to_be_bytes)
    }
}

impl Word for Lanes {
    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self([word; LANES])
    }

    #[inline(always)]
    fn rotate_right(self, bits: u32) -> Self {
        Self(self.0.map(|word| word.rotate_right(bits)))
    }

    #[inline(always)]
    fn shift_right(self, bits: u32) -> Self {
        Self(self.0.map(|word| word >> bits))
    }
}

/// Adds modulo 2^32.
impl Add for Lanes {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(core::array::from_fn(|lane| self.0[lane].wrapping_add(other.0[lane])))
    }
}

impl BitAnd for Lanes {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(core::array::from_fn(|lane| self.0[lane] & other.0[lane]))
    }
}

impl BitXor for Lanes {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(core::array::from_fn(|lane| self.0[lane] ^ other.0[lane]))
    }
}
