//! The unit of SHA-256's computation: a 32-bit word of one message, or a word of each of four.

use core::ops::{Add, BitAnd, BitXor};

/// A word, or the words at one place of several messages. Addition is modulo 2^32.
pub trait Word: Copy + Add<Output = Self> + BitAnd<Output = Self> + BitXor<Output = Self> {
    /// The same word for all messages.
    fn splat(word: u32) -> Self;
    /// Rotates each word right by 1 to 31 bits.
    fn rotate_right(self, bits: u32) -> Self;
    /// Shifts each word right by 0 to 31 bits.
    fn shift_right(self, bits: u32) -> Self;
}

/// The word of one message.
#[derive(Clone, Copy)]
pub struct Plain(pub u32);

impl Word for Plain {
    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self(word)
    }

    #[inline(always)]
    fn rotate_right(self, bits: u32) -> Self {
        Self(self.0.rotate_right(bits))
    }

    #[inline(always)]
    fn shift_right(self, bits: u32) -> Self {
        Self(self.0 >> bits)
    }
}

impl Add for Plain {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl BitAnd for Plain {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitXor for Plain {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}
