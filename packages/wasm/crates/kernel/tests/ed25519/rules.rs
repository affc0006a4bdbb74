//! The rules that each signature alone must keep.

use crate::naive::{assert_batch, assert_everywhere};
use crate::signer::{Signed, Signer, good};
use curve25519_dalek::scalar::Scalar;

fn hex<const N: usize>(text: &str) -> [u8; N] {
    let bytes: Vec<_> = (0..N)
        .map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
        .collect();
    bytes.try_into().unwrap()
}

/// RFC 8032 section 7.1, TEST 1.
#[test]
fn rfc_8032_test_1() {
    let signed = Signer::new(&hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")).sign(b"");
    assert_eq!(
        signed.public_key,
        hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    );
    let expected = concat!(
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155",
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    );
    assert_eq!(signed.signature, hex(expected));
    assert_everywhere(&[signed], &[true]);
}

#[test]
fn messages_of_any_length() {
    let signer = Signer::numbered(7);
    let all: Vec<_> = [0, 1, 47, 48, 63, 64, 111, 112, 127, 128, 1000]
        .map(|length| signer.sign(&vec![0xa5; length]))
        .into();
    assert_everywhere(&all, &[true; 11]);
}

#[test]
fn no_bit_can_change() {
    let [original] = good(1, 1).try_into().unwrap();
    let mut all = Vec::new();
    for bit in 0..(32 + 64 + 8) * 8 {
        let mut changed = original.clone();
        let (byte, mask) = (bit / 8, 1 << (bit % 8));
        match byte {
            0..32 => changed.public_key[byte] ^= mask,
            32..96 => changed.signature[byte - 32] ^= mask,
            _ => changed.message[byte - 96] ^= mask,
        }
        all.push(changed);
    }
    assert_batch(&all, &vec![false; all.len()]);
}

#[test]
fn s_below_the_order() {
    let [original] = good(1, 1).try_into().unwrap();
    let with_s = |s: [u8; 32]| {
        let mut changed: Signed = original.clone();
        changed.signature[32..].copy_from_slice(&s);
        changed
    };
    // L - 1 ends in ec, so no carry follows.
    let mut order = (-Scalar::ONE).to_bytes();
    order[0] += 1;
    let s: [u8; 32] = original.signature[32..].try_into().unwrap();
    // S + L, S + 2L ... up to the end of 32 bytes, all congruent to the good S; then L itself and the largest number.
    let mut all: Vec<_> = (0..15)
        .scan(s, |s, _| {
            *s = add(*s, &order);
            Some(with_s(*s))
        })
        .collect();
    all.extend([with_s(order), with_s([0xff; 32])]);
    assert_everywhere(&all, &[false; 17]);
}

/// Returns the sum of two numbers of 32 bytes, little-endian.
fn add(mut a: [u8; 32], b: &[u8; 32]) -> [u8; 32] {
    let mut carry = 0u16;
    for (a, b) in a.iter_mut().zip(b) {
        carry += u16::from(*a) + u16::from(*b);
        *a = carry as u8;
        carry >>= 8;
    }
    assert_eq!(carry, 0);
    a
}

#[test]
fn nothing_to_check() {
    assert_batch(&[], &[]);
}
