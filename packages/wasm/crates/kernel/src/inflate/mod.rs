//! Strict inflating (RFC 1951, protocol section 15): a stream gives exactly the declared bytes, ends where its bytes
//! end, and has no bit without a meaning. Input and output come in pieces, so that memory is constant.

mod bits;
mod code;

use bits::Bits;
use code::Code;

/// A copy can reach so far back, in bytes.
const WINDOW: usize = 32_768;
/// The longest copy, in bytes.
const LONGEST: usize = 258;
/// The past and a piece of output, in bytes.
const ROOM: usize = WINDOW + 65_536;
/// No head of a block has as many bytes: it states 19 lengths of 3 bits, and 316 of at most 14. A symbol has fewer.
const MAX_HEAD: usize = 600;
const END_OF_BLOCK: usize = 256;
/// The symbol of the longest copy.
const LONGEST_COPY: usize = 285;
/// So many symbols have a meaning; the fixed codes have two more of each sort.
const LITERALS: usize = 286;
const FIXED_LITERALS: usize = 288;
const DISTANCES: usize = 30;
/// The order in which a block states the lengths of the codes for its code lengths.
const LENGTH_ORDER: [u8; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// The part of a stream that is read next.
#[derive(Clone, Copy)]
enum Next {
    /// The head of a block.
    Head,
    /// So many bytes of a stored block.
    Stored(usize),
    /// Symbols of a block with codes.
    Symbols,
}

/// A stream between two pieces of it.
pub struct Inflater {
    next: Next,
    /// The block is the last one.
    is_last: bool,
    /// The bits that have been read of the first byte of the next input.
    bits_read: u32,
    /// The bytes that may still come out.
    left: u64,
    /// As much of the past as a copy can reach, and the piece from `start` on.
    buffer: [u8; ROOM],
    start: usize,
    filled: usize,
    /// The codes are the fixed ones, which blocks may name again and again.
    is_fixed: bool,
    literals: Code,
    distances: Code,
}

impl Inflater {
    /// No stream. It is all zeros, so that a static one takes no room in a program's file.
    pub const EMPTY: Self = Self {
        next: Next::Head,
        is_last: false,
        bits_read: 0,
        left: 0,
        buffer: [0; ROOM],
        start: 0,
        filled: 0,
        is_fixed: false,
        literals: Code::EMPTY,
        distances: Code::EMPTY,
    };

    /// Begins a stream that should give so many bytes.
    #[inline(never)]
    pub fn begin(&mut self, size: u64) {
        // The buffer is not cleared: no copy reaches what another stream left there.
        (self.next, self.bits_read, self.left) = (Next::Head, 0, size);
        self.filled = 0;
    }

    /// Reads on, until the input ends, a piece of output is full, or the stream has ended. `input`: its bytes from the
    /// first one that has not been read to its end; `is_rest`: nothing is behind them, and otherwise there must be at
    /// least 1,000. Returns how many have been read to their ends, at least one; of a rest these are all exactly if the
    /// stream has ended. There may be a piece either way. Returns None for a stream with a fault, which must not go on.
    #[inline(never)]
    pub fn read(&mut self, input: &[u8], is_rest: bool) -> Option<usize> {
        if self.filled > WINDOW {
            self.buffer.copy_within(self.filled - WINDOW..self.filled, 0);
            self.filled = WINDOW;
        }
        self.start = self.filled;
        let mut bits = Bits::new(input, self.bits_read);
        let has_ended = self.read_blocks(&mut bits, is_rest)?;
        let position = bits.position();
        // A stream that goes on has a bit more at least.
        if position + usize::from(is_rest && !has_ended) > 8 * input.len() {
            return None;
        }
        self.bits_read = (position & 7) as u32;
        Some(position >> 3)
    }

    /// Returns the piece of output of the last call.
    pub fn piece(&self) -> &[u8] {
        &self.buffer[self.start..self.filled]
    }

    /// Reads block by block. It may read zeros behind the end of the input. Returns whether the stream has ended.
    fn read_blocks(&mut self, bits: &mut Bits<'_>, is_rest: bool) -> Option<bool> {
        loop {
            if let Next::Head = self.next {
                if !is_rest && bits.rest().len() < MAX_HEAD {
                    return Some(false);
                }
                self.next = self.read_head(bits)?;
            }
            if !self.read_content(bits, is_rest)? {
                return Some(false);
            }
            self.next = Next::Head;
            if self.is_last {
                bits.align()?;
                let is_whole = is_rest && bits.rest().is_empty() && self.left == 0;
                return is_whole.then_some(true);
            }
        }
    }

    /// Reads the head of a block, with its codes.
    #[inline(never)]
    fn read_head(&mut self, bits: &mut Bits<'_>) -> Option<Next> {
        self.is_last = bits.take(1) == 1;
        let mut lengths = [0; FIXED_LITERALS + DISTANCES + 2];
        let kind = bits.take(2);
        let (literals, all) = match kind {
            0 => {
                bits.align()?;
                let length = bits.take(16);
                if bits.take(16) != !length & 0xffff {
                    return None;
                }
                return Some(Next::Stored(length));
            }
            1 if self.is_fixed => return Some(Next::Symbols),
            1 => {
                lengths[..FIXED_LITERALS].fill(8);
                lengths[144..END_OF_BLOCK].fill(9);
                lengths[END_OF_BLOCK..280].fill(7);
                lengths[FIXED_LITERALS..].fill(5);
                (FIXED_LITERALS, lengths.len())
            }
            2 => {
                let literals = bits.take(5) + END_OF_BLOCK + 1;
                let distances = bits.take(5) + 1;
                if literals > LITERALS || distances > DISTANCES {
                    return None;
                }
                let all = literals + distances;
                self.read_lengths(bits, &mut lengths[..all])?;
                if lengths[END_OF_BLOCK] == 0 {
                    return None;
                }
                (literals, all)
            }
            _ => return None,
        };
        self.is_fixed = kind == 1;
        let (literals, distances) = lengths[..all].split_at(literals);
        self.literals.set(literals, true)?;
        self.distances.set(distances, true)?;
        Some(Next::Symbols)
    }

    /// Reads the lengths of a block's codes, by a code that stands before them.
    #[inline(never)]
    fn read_lengths(&mut self, bits: &mut Bits<'_>, lengths: &mut [u8]) -> Option<()> {
        let mut own = [0; LENGTH_ORDER.len()];
        let stated = bits.take(4) + 4;
        for &symbol in LENGTH_ORDER.iter().take(stated) {
            own[usize::from(symbol)] = bits.take(3) as u8;
        }
        // The block's own codes are not known yet.
        self.is_fixed = false;
        let code = &mut self.literals;
        code.set(&own, false)?;
        let mut at = 0;
        while at < lengths.len() {
            // It holds enough bits.
            bits.take(0);
            let symbol = bits.symbol(code)?;
            let (length, count) = match symbol {
                0..16 => (symbol as u8, 1),
                16 => {
                    let before = at.checked_sub(1)?;
                    (lengths[before], 3 + bits.take(2))
                }
                17 => (0, 3 + bits.take(3)),
                _ => (0, 11 + bits.take(7)),
            };
            let run = lengths.get_mut(at..at + count)?;
            run.fill(length);
            at += count;
        }
        Some(())
    }

    /// Reads a block behind its head, while there is room for the longest copy, and input for the longest symbol.
    /// Returns whether the block has ended.
    #[inline(never)]
    fn read_content(&mut self, bits: &mut Bits<'_>, is_rest: bool) -> Option<bool> {
        // Copies, so that they need not be in memory.
        let mut own = bits.clone();
        let mut filled = self.filled;
        let mut has_ended = false;
        let buffer = &mut self.buffer;
        let end = self.left.saturating_add(filled as u64);
        while filled + LONGEST <= ROOM {
            if !is_rest && own.is_near_end() {
                break;
            }
            own.fill();
            let symbol = match &mut self.next {
                Next::Stored(0) => END_OF_BLOCK,
                Next::Stored(left) => {
                    *left -= 1;
                    own.pop(8)
                }
                _ => own.symbol(&self.literals)?,
            };
            if symbol < END_OF_BLOCK {
                if filled as u64 == end {
                    return None;
                }
                buffer[filled] = symbol as u8;
                filled += 1;
                continue;
            }
            if symbol == END_OF_BLOCK {
                has_ended = true;
                break;
            }
            let length = match symbol {
                ..LONGEST_COPY => 3 + own.counted(symbol - END_OF_BLOCK - 1, 2),
                LONGEST_COPY => LONGEST,
                _ => return None,
            };
            let symbol = own.symbol(&self.distances)?;
            if symbol >= DISTANCES {
                return None;
            }
            let distance = 1 + own.counted(symbol, 1);
            let from = filled.checked_sub(distance)?;
            let copied = filled + length;
            if copied as u64 > end {
                return None;
            }
            // A copy that reaches into itself repeats what is there, which grows.
            while filled < copied {
                let count = (filled - from).min(copied - filled);
                buffer.copy_within(from..from + count, filled);
                filled += count;
            }
        }
        self.left = end - filled as u64;
        self.filled = filled;
        *bits = own;
        Some(has_ended)
    }
}
