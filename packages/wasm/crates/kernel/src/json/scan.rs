//! Finds the next special byte of a string, a block at a time.
//!
//! A block has 16 bytes if WebAssembly has vectors, and is a word of 8 bytes otherwise. Both modules have the same
//! meaning.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use portable::{BLOCK, first_special};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128::{BLOCK, first_special};

const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Returns the index, from `at` on, of the first quote, backslash or control character (below 0x20); the length if
/// there is none.
pub(super) fn special(text: &[u8], mut at: usize) -> usize {
    while let Some(block) = text.get(at..).and_then(|rest| rest.first_chunk::<BLOCK>()) {
        if let Some(place) = first_special(block) {
            return at + place;
        }
        at += BLOCK;
    }
    while let Some(&byte) = text.get(at) {
        if byte == b'"' || byte == b'\\' || byte < 0x20 {
            break;
        }
        at += 1;
    }
    at
}

/// How many bytes one call looks at.
const ASCII_BLOCK: usize = 4096;

/// A separate call for each block: engines optimize a function when it is called again, and one long loop would keep
/// its first compilation.
#[inline(never)]
fn is_ascii(block: &[u8; ASCII_BLOCK]) -> bool {
    let words = block.as_chunks::<8>().0;
    words.iter().fold(0, |all, word| all | u64::from_le_bytes(*word)) & HIGHS == 0
}

/// Returns the offset of the first ill-formed UTF-8 sequence.
pub(super) fn ill_formed(text: &[u8]) -> Option<usize> {
    // Most texts are ASCII throughout, and that takes a fraction of the time to find out.
    let (blocks, _) = text.as_chunks::<ASCII_BLOCK>();
    let ascii = ASCII_BLOCK * blocks.iter().take_while(|block| is_ascii(block)).count();
    let error = str::from_utf8(&text[ascii..]).err()?;
    Some(ascii + error.valid_up_to())
}

/// Returns the length of the common beginning of two byte strings.
pub(super) fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    let (lefts, _) = left.as_chunks::<8>();
    let (rights, _) = right.as_chunks::<8>();
    let mut at = 0;
    for (a, b) in lefts.iter().zip(rights) {
        let difference = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if difference != 0 {
            return at + (difference.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    at + left[at..].iter().zip(&right[at..]).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::{common_prefix, special};

    #[test]
    fn finds_the_first_special_byte_wherever_it_stands() {
        let is_special = |&byte: &u8| byte < 0x20 || byte == b'"' || byte == b'\\';
        // Every byte at every place, before and behind bytes that differ from special ones in the high bit alone.
        for byte in 0..=255u8 {
            for place in 0..20 {
                for filler in [b'a', b' ', 0x7f, 0x9f, 0xa2, 0xdc, 0xff] {
                    let mut text = [filler; 20];
                    text[place] = byte;
                    assert_eq!(
                        special(&text, 0),
                        text.iter().position(is_special).unwrap_or(20),
                        "{text:?}"
                    );
                    text[19] = b'"';
                    let expected = 3 + text[3..].iter().position(is_special).unwrap();
                    assert_eq!(special(&text, 3), expected, "{text:?}");
                }
            }
        }
        assert_eq!(special(b"abc", 3), 3);
    }

    #[test]
    fn measures_common_beginnings() {
        let text: Vec<u8> = (0..40).collect();
        for length in 0..40 {
            let mut other = text.clone();
            other[length] ^= 0x80;
            assert_eq!(common_prefix(&text, &other), length);
            assert_eq!(common_prefix(&text, &text[..length]), length);
        }
    }
}
