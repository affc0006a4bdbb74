//! Lowercase hexadecimal, eight digits at a time: half of a recipe's input is hashes and signatures.

const ONES: u64 = 0x0101_0101_0101_0101;

/// Returns the bytes of a string literal, quotes included, of exactly 2 N lowercase hexadecimal digits.
pub(super) fn quoted<const N: usize>(literal: &[u8]) -> Option<[u8; N]> {
    let digits = literal.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    if digits.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    let mut wrong = 0;
    for (four, eight) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(digits.as_chunks::<8>().0) {
        let (decoded, difference) = decode(u64::from_le_bytes(*eight));
        *four = decoded.to_le_bytes();
        wrong |= difference;
    }
    (wrong == 0).then_some(bytes)
}

/// Returns the four bytes of eight digits, and a number other than 0 if they are no digits.
#[inline(always)]
fn decode(digits: u64) -> (u32, u64) {
    // A letter has bit 6 set and counts from 10, and its low four bits count from 1.
    let values = (digits & (ONES * 0x0f)) + ((digits >> 6) & ONES) * 9;
    // The digits are written again: any other byte gives a value above 15 or a different digit.
    let letters = ((values + ONES * 6) >> 4) & ONES;
    let difference = (values & (ONES * 0xf0)) | (digits ^ (values + ONES * 0x30 + letters * 0x27));
    let pairs = ((values << 4) | (values >> 8)) & 0x00ff_00ff_00ff_00ff;
    let halves = (pairs | (pairs >> 8)) & 0x0000_ffff_0000_ffff;
    ((halves | (halves >> 16)) as u32, difference)
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn reads_each_byte_and_refuses_every_other_character_at_every_place() {
        let text = b"\"00010f10a9bcdef0\"";
        assert_eq!(
            quoted::<8>(text),
            Some([0x00, 0x01, 0x0f, 0x10, 0xa9, 0xbc, 0xde, 0xf0])
        );
        for byte in 0..=255u8 {
            let literal = format!("\"{byte:02x}{byte:02x}{byte:02x}{byte:02x}\"");
            assert_eq!(quoted::<4>(literal.as_bytes()), Some([byte; 4]));
            for place in 1..=16 {
                let mut other = *text;
                other[place] = byte;
                let is_digit = matches!(byte, b'0'..=b'9' | b'a'..=b'f');
                assert_eq!(quoted::<8>(&other).is_some(), is_digit, "{byte} at {place}");
            }
        }
        for literal in [
            &b""[..],
            b"\"",
            b"\"\"",
            b"\"0001020\"",
            b"\"000102030\"",
            b"00010203\"",
            b"\"00010203",
        ] {
            assert_eq!(quoted::<4>(literal), None);
        }
    }
}
