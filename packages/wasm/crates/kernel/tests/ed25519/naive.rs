//! The rules of protocol section 3 word for word, slow and one item at a time; and the comparison of everything with
//! them.

use crate::signer::Signed;
use curve25519_dalek::constants::ED25519_BASEPOINT_POINT;
use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::Identity;
use sha2::{Digest, Sha512};
use svc_kernel::ed25519::{Item, verify, verify_one};

/// Returns a naive verifier's verdict.
pub fn holds(signed: &Signed) -> bool {
    let (encoded_r, encoded_s) = (&signed.signature[..32], &signed.signature[32..]);
    let Some(a) = decode(&signed.public_key) else {
        return false;
    };
    let Some(r) = decode(encoded_r.try_into().unwrap()) else {
        return false;
    };
    let Some(s) = Option::<Scalar>::from(Scalar::from_canonical_bytes(encoded_s.try_into().unwrap())) else {
        return false;
    };
    let eight = Scalar::from(8u8);
    if eight * a == EdwardsPoint::identity() {
        return false;
    }
    let hashed = [encoded_r, &signed.public_key, &signed.message].concat();
    let k = Scalar::from_bytes_mod_order_wide(&Sha512::digest(hashed).into());
    eight * (s * ED25519_BASEPOINT_POINT) == eight * r + eight * (k * a)
}

/// Returns the point whose one canonical encoding this is.
fn decode(bytes: &[u8; 32]) -> Option<EdwardsPoint> {
    CompressedEdwardsY(*bytes)
        .decompress()
        .filter(|point| point.compress().as_bytes() == bytes)
}

/// Asserts that the batch gives these verdicts.
pub fn assert_batch(all: &[Signed], expected: &[bool]) {
    let items: Vec<_> = all.iter().map(item).collect();
    assert_verdicts(&verify(&items), expected);
}

/// Asserts that each alone gives these verdicts, and the naive verifier too.
pub fn assert_alone(all: &[Signed], expected: &[bool]) {
    let alone: Vec<_> = all.iter().map(|signed| verify_one(&item(signed))).collect();
    assert_verdicts(&alone, expected);
    let naive: Vec<_> = all.iter().map(holds).collect();
    assert_verdicts(&naive, expected);
}

/// Asserts that the batch, each alone, and the naive verifier give these verdicts.
pub fn assert_everywhere(all: &[Signed], expected: &[bool]) {
    assert_alone(all, expected);
    assert_batch(all, expected);
}

fn assert_verdicts(actual: &[bool], expected: &[bool]) {
    assert_eq!(actual.len(), expected.len());
    let wrong: Vec<_> = (0..actual.len())
        .filter(|&index| actual[index] != expected[index])
        .collect();
    assert!(
        wrong.is_empty(),
        "of {} verdicts these are wrong: {wrong:?}",
        actual.len()
    );
}

pub fn item(signed: &Signed) -> Item<'_> {
    Item {
        public_key: &signed.public_key,
        signature: &signed.signature,
        message: &signed.message,
    }
}
