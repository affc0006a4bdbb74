//! Huffman codes, which deflate states by the lengths of their codes (RFC 1951 section 3.2.2).

/// No code has more bits.
const MAX_BITS: usize = 15;

/// A canonical Huffman code: for the next bits of a stream, as many as its longest code has, 16 times the symbol, plus
/// the length of its code; 0 if there is none.
pub(super) struct Code {
    table: [u16; 1 << MAX_BITS],
    mask: usize,
}

impl Code {
    /// A code without symbols.
    pub(super) const EMPTY: Self = Self {
        table: [0; 1 << MAX_BITS],
        mask: 0,
    };

    /// Becomes the code whose symbols have codes of these lengths, at most 15, and 0 for none. An incomplete code may
    /// only have a single code, of one bit. Its time is that of a few copies of the table, also for a hostile code.
    #[inline(never)]
    pub(super) fn set(&mut self, lengths: &[u8], may_be_single: bool) -> Option<()> {
        let longest = lengths.iter().fold(1u32, |all, &length| all | (1 << length)).ilog2();
        let table = &mut self.table;
        table[0] = 0;
        // The next code in the order of a stream, its first bit lowest, and how many entries no code has.
        let (mut code, mut size, mut free) = (0, 1, 1);
        for length in 1..=longest {
            // Shorter codes stand there whatever the next bit is.
            table.copy_within(..size, size);
            let last_bit = size;
            size *= 2;
            free *= 2;
            for (symbol, _) in (0u16..).zip(lengths).filter(|&(_, &own)| u32::from(own) == length) {
                free = usize::checked_sub(free, 1)?;
                table[code] = (symbol << 4) | length as u16;
                let mut bit = last_bit;
                while code & bit != 0 {
                    code ^= bit;
                    bit >>= 1;
                }
                code |= bit;
            }
        }
        self.mask = size - 1;
        if free == 0 || longest == 0 || longest == 1 && may_be_single {
            Some(())
        } else {
            None
        }
    }

    /// Returns the entry of the code at the beginning of these bits.
    #[inline(always)]
    pub(super) fn entry(&self, bits: u64) -> u32 {
        self.table[bits as usize & self.mask & ((1 << MAX_BITS) - 1)].into()
    }
}
