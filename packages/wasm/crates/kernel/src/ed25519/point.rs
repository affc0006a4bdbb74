//! Points from their encodings, canonical ones only (RFC 8032 section 5.1.3; protocol section 3).

use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};

/// Returns the point with this encoding; `None` if there is none or the encoding is not the canonical one.
pub(super) fn decode(bytes: &[u8; 32]) -> Option<EdwardsPoint> {
    if !is_canonical(bytes) {
        return None;
    }
    CompressedEdwardsY(*bytes).decompress()
}

/// Says whether y is below p, and the sign bit is 0 if x is 0. It reads the bytes, because dalek accepts both, and a
/// comparison with the compressed point would cost an inversion, about as much as the decompression itself.
fn is_canonical(bytes: &[u8; 32]) -> bool {
    let [low, middle @ .., high] = bytes;
    // p = 2^255 - 19 is ed ff .. ff 7f, little-endian; x is 0 if y is 1 or p - 1.
    match high & 0x7f {
        0x7f if middle.iter().all(|&byte| byte == 0xff) => *low < 0xec || (*low == 0xec && *high == 0x7f),
        0x00 if *low == 1 && middle.iter().all(|&byte| byte == 0) => *high == 0,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the definition: the decoded point compresses to the same bytes again.
    fn assert_canonical_only(bytes: [u8; 32]) {
        let lenient = CompressedEdwardsY(bytes).decompress();
        assert_eq!(
            decode(&bytes),
            lenient.filter(|point| point.compress().0 == bytes),
            "{bytes:02x?}"
        );
    }

    #[test]
    fn at_and_beside_the_borders() {
        for low in [0x00, 0x01, 0x02, 0xeb, 0xec, 0xed, 0xee, 0xf0, 0xff] {
            for (middle, high) in [(0x00, 0x00), (0x00, 0x80), (0xff, 0x7f), (0xff, 0xff)] {
                let mut border = [middle; 32];
                (border[0], border[31]) = (low, high);
                assert_canonical_only(border);
                for place in 1..32 {
                    let mut beside = border;
                    beside[place] ^= 1;
                    assert_canonical_only(beside);
                }
            }
        }
    }
}
