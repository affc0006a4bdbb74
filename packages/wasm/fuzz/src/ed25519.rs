//! The verdict on a signature does not depend on the others in its batch, and signatures made by the rules hold, with
//! or without added points of small order.

use crate::input::Input;
use curve25519_dalek::constants::EIGHT_TORSION;
use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::scalar::Scalar;
use sha2::{Digest, Sha512};
use svc_kernel::ed25519::{Item, verify, verify_one};

/// The most signatures in one input: enough for several rounds of halving.
const MAX_ITEMS: usize = 24;

struct Signature {
    public_key: [u8; 32],
    signature: [u8; 64],
    message: Vec<u8>,
    /// Whether it was made by the rules and not changed afterwards.
    is_good: bool,
}

/// Takes a script: for each signature its key, its message, the added points of small order, and the later changes.
pub fn check(data: &[u8]) {
    let mut input = Input { rest: data };
    let mut made: Vec<Signature> = Vec::new();
    while !input.rest.is_empty() && made.len() < MAX_ITEMS {
        let next = make(&mut input, made.last());
        made.push(next);
    }
    let items: Vec<Item<'_>> = made
        .iter()
        .map(|made| Item {
            public_key: &made.public_key,
            signature: &made.signature,
            message: &made.message,
        })
        .collect();
    let alone: Vec<bool> = items.iter().map(verify_one).collect();
    assert_eq!(verify(&items), alone, "together and alone");
    let backwards: Vec<Item<'_>> = items.iter().rev().copied().collect();
    let mut verdicts = verify(&backwards);
    verdicts.reverse();
    assert_eq!(verdicts, alone, "backwards and alone");
    for (made, holds) in made.iter().zip(alone) {
        assert!(holds || !made.is_good, "a good signature does not hold");
    }
}

fn make(input: &mut Input<'_>, last: Option<&Signature>) -> Signature {
    let kind = input.byte();
    // Everything straight from the input, for encodings that nobody makes.
    if kind & 7 == 7 {
        let (public_key, signature) = (input.array(), input.array());
        let length = usize::from(input.byte());
        return Signature {
            public_key,
            signature,
            message: input.take(length).to_vec(),
            is_good: false,
        };
    }
    let (key, torsion, length) = (input.byte() % 4, input.byte(), usize::from(input.byte() % 80));
    let message = input.take(length).to_vec();
    let a = scalar(&[b"key", &[key]]);
    let r = scalar(&[b"nonce", &[key], &message]);
    let public_key = encode(&a, torsion & 7);
    let encoded_r = encode(&r, torsion >> 3 & 7);
    let k = Scalar::from_bytes_mod_order_wide(
        &Sha512::new()
            .chain_update(encoded_r)
            .chain_update(public_key)
            .chain_update(&message)
            .finalize()
            .into(),
    );
    let s = r + k * a;
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&encoded_r);
    signature[32..].copy_from_slice(s.as_bytes());
    let mut made = Signature {
        public_key,
        signature,
        message,
        is_good: true,
    };
    match kind & 7 {
        // One bit of the signature or of the key.
        1 => {
            let at = usize::from(input.byte()) % 96;
            let bit = 1 << (input.byte() & 7);
            *made
                .signature
                .iter_mut()
                .chain(&mut made.public_key)
                .nth(at)
                .expect("96 bytes") ^= bit;
            made.is_good = false;
        }
        // S off by a number, which the next signature may cancel: such pairs must not cancel out.
        2 | 3 => {
            let delta = Scalar::from(u64::from(input.byte()) + 1);
            let s = if kind & 7 == 2 { s + delta } else { s - delta };
            made.signature[32..].copy_from_slice(s.as_bytes());
            made.is_good = false;
        }
        // The signature of the one before.
        4 => {
            if let Some(last) = last {
                made.signature = last.signature;
                made.is_good = false;
            }
        }
        // S plus the group's order: another encoding of the same number.
        5 => {
            let mut carry = 0;
            for (byte, order) in made.signature[32..].iter_mut().zip(ORDER) {
                carry += u16::from(*byte) + u16::from(order);
                *byte = carry as u8;
                carry >>= 8;
            }
            made.is_good = false;
        }
        // Another message.
        6 => {
            made.message.push(input.byte());
            made.is_good = false;
        }
        _ => {}
    }
    made
}

/// The order L of the base point, little-endian.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

fn scalar(pieces: &[&[u8]]) -> Scalar {
    Scalar::from_bytes_mod_order_wide(&Sha512::digest(pieces.concat()).into())
}

/// Returns the encoding of the number times the base point, plus a point of small order.
fn encode(number: &Scalar, torsion: u8) -> [u8; 32] {
    (EdwardsPoint::mul_base(number) + EIGHT_TORSION[usize::from(torsion)])
        .compress()
        .to_bytes()
}
