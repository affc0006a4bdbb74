//! The facts that verdicts cannot show: good batches pass by their equation (one by one they would pass too, but
//! slowly), with the coefficients of protocol section 3.

use super::*;
use curve25519_dalek::constants::EIGHT_TORSION;
use signer::{Signed, Signer, good};

// The tests of the verdicts use its other functions.
#[allow(dead_code)]
#[path = "../../../tests/ed25519/signer.rs"]
mod signer;

/// Does with the candidates what a batch does before its equation, then calls `ask`.
fn with_batch<T>(signed: &[Signed], ask: impl FnOnce(&[Candidate<'_>], &Keys<'_>) -> T) -> T {
    let items = signed.iter().map(
        |Signed {
             public_key,
             signature,
             message,
         }| Item {
            public_key,
            signature,
            message,
        },
    );
    let items: Vec<_> = items.collect();
    let mut keys = Keys::default();
    let mut candidates: Vec<_> = items
        .iter()
        .filter_map(|item| Candidate::check(item, 0, &mut keys))
        .collect();
    assert_eq!(candidates.len(), signed.len());
    set_coefficients(&mut candidates);
    ask(&candidates, &keys)
}

/// Returns the differences of all, of the first half, and of the second half.
fn differences(signed: &[Signed]) -> [EdwardsPoint; 3] {
    with_batch(signed, |candidates, keys| {
        let by_key = sorted_by_key(candidates);
        let (first, second) = by_key.split_at(by_key.len() / 2);
        [&by_key, first, second].map(|part| difference(part, keys))
    })
}

#[test]
fn coefficients_count_from_0_in_the_order_of_the_items() {
    with_batch(&good(20, 3), |candidates, _| {
        let seed = coefficients::seed(candidates.iter().map(|candidate| (candidate.item, &candidate.digest)));
        for (candidate, index) in candidates.iter().zip(0..) {
            assert_eq!(candidate.z, coefficients::coefficient(&seed, index));
        }
    });
}

#[test]
fn each_key_is_merged_into_one_term() {
    with_batch(&good(20, 3), |candidates, _| {
        assert_eq!(sorted_by_key(candidates).chunk_by(|a, b| a.key == b.key).count(), 3);
    });
}

#[test]
fn good_batches_pass_by_the_equation() {
    for (size, keys) in [(2, 1), (2, 2), (60, 1), (60, 7), (60, 60), (400, 3)] {
        let parts = differences(&good(size, keys));
        assert!(
            parts.iter().all(EdwardsPoint::is_small_order),
            "{size} signatures by {keys} keys"
        );
    }
}

#[test]
fn torsion_passes_by_the_equation() {
    let signers = EIGHT_TORSION.map(|in_a| {
        let signer = Signer::numbered(1);
        signer.showing((signer.a * ED25519_BASEPOINT_POINT + in_a).compress().to_bytes())
    });
    let each = |signer: &Signer| EIGHT_TORSION.map(|in_r| signer.sign_astray(b"", in_r, Scalar::ZERO));
    let all: Vec<_> = signers.iter().flat_map(each).collect();
    assert!(differences(&all).iter().all(EdwardsPoint::is_small_order));
}

#[test]
fn halves_add_up_to_the_whole() {
    let mut all = good(60, 3);
    all[10] = Signer::numbered(1).sign_astray(b"", ED25519_BASEPOINT_POINT, Scalar::ZERO);
    all[50].message.push(0);
    let [whole, first, second] = differences(&all);
    assert!(!whole.is_small_order());
    // Equal but for torsion, because scalars are reduced mod L.
    assert!((whole - first - second).is_small_order());
}
