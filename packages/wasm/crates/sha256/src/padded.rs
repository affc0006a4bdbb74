//! A prefix and a message as the padded blocks of SHA-256, without joining them in memory.

/// prefix || message with the padding of FIPS 180-4 section 5.1.1, readable by blocks of 64 bytes.
pub struct Padded<'a> {
    prefix: &'a [u8],
    message: &'a [u8],
    // In 64 bits, because two slices that overlap in memory may be longer together than a 32-bit usize can say.
    length: u64,
}

impl<'a> Padded<'a> {
    /// The prefix and the message of one hash.
    #[inline(always)]
    pub fn new(prefix: &'a [u8], message: &'a [u8]) -> Self {
        Self {
            prefix,
            message,
            length: prefix.len() as u64 + message.len() as u64,
        }
    }

    /// Returns the number of blocks: the bytes, one byte 0x80, zeros, and eight bytes for the length.
    #[inline(always)]
    pub fn block_count(&self) -> u64 {
        (self.length + 9).div_ceil(64)
    }

    /// Returns the block at `index`: a view of the message if it is within it, and otherwise a copy in `buffer`.
    #[inline(always)]
    pub fn block<'b>(&'b self, index: u64, buffer: &'b mut [u8; 64]) -> &'b [u8; 64] {
        let offset = (index * 64).checked_sub(self.prefix.len() as u64);
        let within = offset.and_then(|offset| from_offset(self.message, offset).first_chunk());
        within.unwrap_or_else(|| {
            self.fill(index, buffer);
            buffer
        })
    }

    fn fill(&self, index: u64, buffer: &mut [u8; 64]) {
        *buffer = [0; 64];
        let start = index * 64;
        let mut filled = 0;
        for (piece, piece_start) in [(self.prefix, 0), (self.message, self.prefix.len() as u64)] {
            let rest = from_offset(piece, (start + filled as u64).saturating_sub(piece_start));
            filled += copy_short(rest, &mut buffer[filled..]);
        }
        if filled < 64 && start + filled as u64 == self.length {
            buffer[filled] = 0x80;
        }
        if index + 1 == self.block_count() {
            buffer[56..].copy_from_slice(&(self.length * 8).to_be_bytes());
        }
    }
}

/// Returns the rest behind an offset in bytes; empty if the bytes end before it.
#[inline(always)]
fn from_offset(bytes: &[u8], offset: u64) -> &[u8] {
    usize::try_from(offset)
        .ok()
        .and_then(|offset| bytes.get(offset..))
        .unwrap_or_default()
}

/// Copies as much as fits, at most 64 bytes, and returns how much. A copy of unknown length is a call in WebAssembly,
/// which takes a noticeable part of the time of hashing a short message; copies of fixed lengths are plain loads and
/// stores.
#[inline(always)]
fn copy_short(from: &[u8], to: &mut [u8]) -> usize {
    let length = from.len().min(to.len());
    let (from, to) = (&from[..length], &mut to[..length]);
    let at = copy_chunk::<64>(from, to, 0);
    let at = copy_chunk::<32>(from, to, at);
    let at = copy_chunk::<16>(from, to, at);
    let at = copy_chunk::<8>(from, to, at);
    let at = copy_chunk::<4>(from, to, at);
    let at = copy_chunk::<2>(from, to, at);
    copy_chunk::<1>(from, to, at)
}

/// Copies N bytes from `at` on, if there are so many, and returns the start of the next ones.
#[inline(always)]
fn copy_chunk<const N: usize>(from: &[u8], to: &mut [u8], at: usize) -> usize {
    match (from[at..].first_chunk::<N>(), to[at..].first_chunk_mut::<N>()) {
        (Some(from), Some(to)) => {
            *to = *from;
            at + N
        }
        _ => at,
    }
}
