//! Reads a fuzzer's bytes as choices. Behind their end, every choice is 0.

pub struct Input<'a> {
    pub rest: &'a [u8],
}

impl<'a> Input<'a> {
    pub fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.rest.split_first() else {
            return 0;
        };
        self.rest = rest;
        byte
    }

    pub fn number(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut array = [0; N];
        for (to, from) in array.iter_mut().zip(self.take(N)) {
            *to = *from;
        }
        array
    }

    /// Returns so many bytes, or as many as there are.
    pub fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.rest = rest;
        taken
    }
}
