//! Batches of all sizes, with bad signatures anywhere in them: each verdict equals the verdict on the item alone.

use crate::naive::{assert_alone, assert_batch, assert_everywhere};
use crate::signer::{Signed, good};
use svc_kernel::ed25519::MAX_BATCH;

/// Returns the signatures with bad ones at these places, and the expected verdicts.
fn spoiled(mut all: Vec<Signed>, bad: impl IntoIterator<Item = usize>) -> (Vec<Signed>, Vec<bool>) {
    let mut expected = vec![true; all.len()];
    for index in bad {
        // Each differently: in R, S, A or the message. In R and A the change mostly leaves a point.
        match index % 4 {
            0 => all[index].message.push(0),
            1 => all[index].signature[32] ^= 1,
            2 => all[index].signature[0] ^= 1,
            _ => all[index].public_key[31] ^= 0x80,
        }
        expected[index] = false;
    }
    (all, expected)
}

#[test]
fn one_bad_at_every_place() {
    for size in [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 33] {
        let all = good(size, 3);
        assert_everywhere(&all, &vec![true; size]);
        for bad in 0..size {
            let (all, expected) = spoiled(all.clone(), [bad]);
            assert_batch(&all, &expected);
        }
    }
}

#[test]
fn every_choice_of_bad_ones() {
    let all = good(9, 2);
    for choice in 0..1 << 9 {
        let (all, expected) = spoiled(all.clone(), (0..9).filter(|index| choice >> index & 1 == 1));
        assert_batch(&all, &expected);
    }
}

#[test]
fn many_bad_ones() {
    for step in [1, 2, 3, 5, 13, 40] {
        for keys in [1, 7, 60] {
            let (all, expected) = spoiled(good(60, keys), (0..60).step_by(step));
            assert_everywhere(&all, &expected);
        }
    }
}

#[test]
fn a_refused_key_among_good_ones() {
    let mut all = good(30, 5);
    let mut expected = vec![true; 30];
    for index in (2..30).step_by(5) {
        // The identity: canonical, and of small order.
        all[index].public_key = [0; 32];
        all[index].public_key[0] = 1;
        expected[index] = false;
    }
    assert_everywhere(&all, &expected);
}

#[test]
fn the_same_signature_many_times() {
    let all = vec![good(1, 1).remove(0); 12];
    assert_everywhere(&all, &[true; 12]);
    let (all, expected) = spoiled(all, [5]);
    assert_everywhere(&all, &expected);
}

/// dalek changes its algorithm at 190 points and its windows at 500 and 800; a batch has as many points as items and
/// keys, and B.
#[test]
fn sizes_around_the_change_of_algorithm() {
    let pool = good(40, 2);
    for points in [190, 500, 800] {
        // Two keys and B: one below the change, and on it.
        for size in [points - 4, points - 3] {
            let all: Vec<_> = pool.iter().cycle().take(size).cloned().collect();
            let (all, expected) = spoiled(all, [0, 1, size / 2, size - 1]);
            assert_batch(&all, &expected);
        }
    }
}

#[test]
fn sizes_around_the_largest_batch() {
    let pool = good(40, 3);
    assert_alone(&pool, &[true; 40]);
    for size in [MAX_BATCH, MAX_BATCH + 1] {
        let all: Vec<_> = pool.iter().cycle().take(size).cloned().collect();
        let (all, expected) = spoiled(all, [3, MAX_BATCH - 3, size - 1]);
        assert_batch(&all, &expected);
    }
}
