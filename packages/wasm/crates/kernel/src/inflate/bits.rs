//! The bits of a deflate stream, the lowest of each byte first (RFC 1951 section 3.1.1).

use super::code::Code;

/// Reads bits. Behind the end of the bytes it reads zeros, and `position` says so.
#[derive(Clone)]
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    /// The first byte that is not held.
    at: usize,
    held: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    /// Reads from the bit with this number on, 0 to 7.
    pub(super) fn new(bytes: &'a [u8], bit: u32) -> Self {
        let mut bits = Self {
            bytes,
            at: 0,
            held: 0,
            count: 0,
        };
        bits.take(bit);
        bits
    }

    /// Holds at least 49 bits: the longest symbol with its distance has 15 + 5 + 15 + 13.
    #[inline(always)]
    pub(super) fn fill(&mut self) {
        while self.count < 49 {
            let byte = self.bytes.get(self.at).copied().unwrap_or_default();
            self.held |= u64::from(byte) << self.count;
            self.at += 1;
            self.count += 8;
        }
    }

    /// Takes a number of so many held bits.
    #[inline(always)]
    pub(super) fn pop(&mut self, count: u32) -> usize {
        let value = self.held & ((1 << count) - 1);
        self.held >>= count;
        self.count -= count;
        value as usize
    }

    /// Takes a symbol from the held bits.
    #[inline(always)]
    pub(super) fn symbol(&mut self, code: &Code) -> Option<usize> {
        let entry = code.entry(self.held);
        self.pop(entry & 15);
        if entry == 0 { None } else { Some((entry >> 4) as usize) }
    }

    /// Takes the rest of a length or a distance from the held bits, and returns it less the smallest of all. After each
    /// 2^`row` symbols the values have one bit more, but not after the second 2^`row` of them.
    #[inline(always)]
    pub(super) fn counted(&mut self, symbol: usize, row: u32) -> usize {
        let added = (symbol >> row).saturating_sub(1);
        ((symbol - (added << row)) << added) + self.pop(added as u32)
    }

    /// Takes a number of so many bits, at most 49.
    #[inline(never)]
    pub(super) fn take(&mut self, count: u32) -> usize {
        self.fill();
        self.pop(count)
    }

    /// Goes on to the next byte; the bits before it must be zeros.
    pub(super) fn align(&mut self) -> Option<()> {
        if self.pop(self.count & 7) == 0 { Some(()) } else { None }
    }

    /// Returns the number of bits that have been read.
    pub(super) fn position(&self) -> usize {
        8 * self.at - self.count as usize
    }

    /// Says whether the longest symbol may reach behind the end.
    #[inline(always)]
    pub(super) fn is_near_end(&self) -> bool {
        self.at + 8 > self.bytes.len()
    }

    /// Returns the bytes that have not been read to their ends.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position() >> 3..).unwrap_or_default()
    }
}
