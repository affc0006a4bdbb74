//! Encodings at the borders of the field: only the canonical one of each point is accepted.

use crate::naive::{assert_everywhere, holds};
use crate::signer::{Signed, Signer};

/// Little-endian encodings of y = 0 .. 19, p - 20 .. p - 1, and p .. p + 18, each without and with the sign bit.
fn borders() -> Vec<[u8; 32]> {
    let low = (0..20).map(|y| {
        let mut bytes = [0; 32];
        bytes[0] = y;
        bytes
    });
    // 2^255 - 19 = p is ed ff .. ff 7f, so 256 - 39 = 217 in the first byte means p - 20.
    let high = (217..=255).map(|y| {
        let mut bytes = [0xff; 32];
        bytes[0] = y;
        bytes[31] = 0x7f;
        bytes
    });
    let unsigned: Vec<_> = low.chain(high).collect();
    let signed = unsigned.iter().map(|bytes| {
        let mut bytes = *bytes;
        bytes[31] |= 0x80;
        bytes
    });
    unsigned.iter().copied().chain(signed).collect()
}

/// The encodings of the eight points of small order, canonical and not, that a lax decoder accepts.
const NOT_CANONICAL: [(u8, u8, u8); 6] = [
    (0xed, 0xff, 0x7f), // y = p, which is 0
    (0xed, 0xff, 0xff), // the same with the sign bit
    (0xee, 0xff, 0x7f), // y = p + 1, which is 1
    (0xee, 0xff, 0xff), // the same, and x = 0 with the sign bit
    (0x01, 0x00, 0x80), // y = 1, where x = 0, with the sign bit
    (0xec, 0xff, 0xff), // y = p - 1, where x = 0, with the sign bit
];

fn encoding((low, middle, high): (u8, u8, u8)) -> [u8; 32] {
    let mut bytes = [middle; 32];
    (bytes[0], bytes[31]) = (low, high);
    bytes
}

#[test]
fn r_must_be_canonical() {
    let signer = Signer::numbered(1);
    // The equation would hold for each of these if its R were read leniently.
    let lax = NOT_CANONICAL.map(|parts| signer.sign_with_small_r(b"lax", encoding(parts)));
    assert_everywhere(&lax, &[false; 6]);
    let canonical = [
        (0x00, 0x00, 0x00),
        (0x00, 0x00, 0x80),
        (0x01, 0x00, 0x00),
        (0xec, 0xff, 0x7f),
    ];
    let canonical = canonical.map(|parts| signer.sign_with_small_r(b"canonical", encoding(parts)));
    assert_everywhere(&canonical, &[true; 4]);
}

#[test]
fn a_must_be_canonical() {
    let keys = NOT_CANONICAL.map(|parts| Signer::numbered(1).showing(encoding(parts)));
    assert_everywhere(&keys.map(|signer| signer.sign(b"")), &[false; 6]);
}

#[test]
fn all_encodings_at_the_borders() {
    let signer = Signer::numbered(2);
    let as_r = borders().into_iter().map(|bytes| signer.sign_with_small_r(b"", bytes));
    let as_a = borders().into_iter().map(|bytes| signer.showing(bytes).sign(b""));
    let all: Vec<Signed> = as_r.chain(as_a).collect();
    let expected: Vec<_> = all.iter().map(holds).collect();
    assert_eq!(expected.iter().filter(|&&holds| holds).count(), 4);
    assert_everywhere(&all, &expected);
}
