//! Points with parts of small order: the cofactored equation removes them, alone and in a batch.

use crate::naive::assert_everywhere;
use crate::signer::{Signed, Signer};
use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
use curve25519_dalek::scalar::Scalar;

/// Returns signatures with every part of small order in A and in R.
fn all_pairs() -> Vec<Signed> {
    let signer = Signer::numbered(3);
    let mut all = Vec::new();
    for in_a in EIGHT_TORSION {
        let public_key = (signer.a * ED25519_BASEPOINT_POINT + in_a).compress().to_bytes();
        let signer = signer.showing(public_key);
        all.extend(EIGHT_TORSION.map(|in_r| signer.sign_astray(b"torsion", in_r, Scalar::ZERO)));
    }
    all
}

#[test]
fn torsion_in_a_and_r_is_accepted() {
    assert_everywhere(&all_pairs(), &[true; 64]);
}

#[test]
fn torsion_beside_bad_signatures() {
    let mut all = all_pairs();
    let mut expected = [true; 64];
    for index in [0, 9, 31, 32, 63] {
        all[index].message.push(0);
        expected[index] = false;
    }
    assert_everywhere(&all, &expected);
}

#[test]
fn a_of_small_order_is_refused() {
    // With A of small order and S = 0 the equation holds for every R of small order, whatever the message.
    let mut all = Vec::new();
    for a in EIGHT_TORSION {
        let mut signer = Signer::numbered(4).showing(a.compress().to_bytes());
        signer.a = Scalar::ZERO;
        all.push(signer.sign(b"anything"));
        all.extend(EIGHT_TORSION.map(|r| signer.sign_with_small_r(b"anything", r.compress().to_bytes())));
    }
    assert_everywhere(&all, &[false; 72]);
}

#[test]
fn r_of_small_order_is_accepted() {
    let signer = Signer::numbered(5);
    let all = EIGHT_TORSION.map(|r| signer.sign_with_small_r(b"small R", r.compress().to_bytes()));
    assert_everywhere(&all, &[true; 8]);
}
