//! Signatures whose errors add up to nothing: only coefficients tell them from good ones.

use crate::naive::assert_everywhere;
use crate::signer::{Signed, Signer, good};
use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::Identity;

fn s_pair(one: &Signer, other: &Signer, d: Scalar) -> [Signed; 2] {
    let none = EdwardsPoint::identity();
    [
        one.sign_astray(b"S + d", none, d),
        other.sign_astray(b"S - d", none, -d),
    ]
}

fn r_pair(one: &Signer, other: &Signer, d: EdwardsPoint) -> [Signed; 2] {
    [
        one.sign_astray(b"R + D", d, Scalar::ZERO),
        other.sign_astray(b"R - D", -d, Scalar::ZERO),
    ]
}

/// Asserts it for the pair alone, and far apart in a batch of good ones.
fn assert_refused(pair: [Signed; 2]) {
    assert_everywhere(&pair, &[false; 2]);
    let mut all = good(20, 2);
    let mut expected = [true; 20];
    for (index, bad) in [4, 17].into_iter().zip(pair) {
        all[index] = bad;
        expected[index] = false;
    }
    assert_everywhere(&all, &expected);
}

#[test]
fn errors_in_s() {
    let (one, other) = (Signer::numbered(0), Signer::numbered(1));
    for d in [Scalar::ONE, Scalar::from(8u8), Scalar::from(u128::MAX)] {
        assert_refused(s_pair(&one, &one, d));
        assert_refused(s_pair(&one, &other, d));
    }
}

#[test]
fn errors_in_r() {
    let (one, other) = (Signer::numbered(0), Signer::numbered(1));
    let a = one.a * ED25519_BASEPOINT_POINT;
    for d in [ED25519_BASEPOINT_POINT, a, a + EIGHT_TORSION[1]] {
        assert_refused(r_pair(&one, &one, d));
        assert_refused(r_pair(&one, &other, d));
    }
}

#[test]
fn an_error_in_s_against_one_in_r() {
    let (one, other) = (Signer::numbered(0), Signer::numbered(1));
    // S + 1 puts [1]B too much on one side, R + B on the other one.
    let s_off = one.sign_astray(b"S", EdwardsPoint::identity(), Scalar::ONE);
    assert_refused([s_off, other.sign_astray(b"R", ED25519_BASEPOINT_POINT, Scalar::ZERO)]);
}

#[test]
fn exchanged_parts() {
    let (one, other) = (Signer::numbered(0), Signer::numbered(1));
    for (mut a, mut b) in [(one.sign(b"a"), one.sign(b"b")), (one.sign(b"a"), other.sign(b"b"))] {
        // With the S exchanged, the sum over both is that of two good signatures.
        a.signature[32..].swap_with_slice(&mut b.signature[32..]);
        assert_refused([a, b]);
    }
}
