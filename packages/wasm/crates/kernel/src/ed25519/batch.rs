//! One equation for many signatures, and the way from a failed equation to its bad signatures (protocol section 3).

use super::{Candidate, Item, Keys, buckets, coefficients};
use crate::order;
use curve25519_dalek::constants::ED25519_BASEPOINT_POINT;
use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::VartimeMultiscalarMul;

/// Up to this many signatures are checked one by one if some are bad: further halving would cost as much.
const MAX_ALONE: usize = 4;

/// From this many signatures on, separate buckets for the R, whose coefficients are short, beat dalek's multiplication.
const MIN_BUCKETS: usize = 128;

/// Sets the verdicts, all false before, of the items whose signatures hold. Both slices have the same length.
pub(super) fn verify<'a>(items: &'a [Item<'a>], keys: &mut Keys<'a>, verdicts: &mut [bool]) {
    let checked = items
        .iter()
        .enumerate()
        .filter_map(|(index, item)| Candidate::check(item, index, keys));
    let mut candidates: Vec<_> = checked.collect();
    if let [candidate] = candidates.as_slice() {
        verdicts[candidate.index] = candidate.holds_alone(keys);
        return;
    }
    set_coefficients(&mut candidates);
    let by_key = sorted_by_key(&candidates);
    settle(&by_key, &difference(&by_key, keys), keys, verdicts);
}

/// Sets the coefficient of each candidate of the batch, in the order of the items.
fn set_coefficients(candidates: &mut [Candidate<'_>]) {
    let seed = coefficients::seed(candidates.iter().map(|candidate| (candidate.item, &candidate.digest)));
    for (candidate, index) in candidates.iter_mut().zip(0..) {
        candidate.z = coefficients::coefficient(&seed, index);
    }
}

/// Returns the candidates sorted by key, as [`difference`] takes them; each half of them is sorted too.
fn sorted_by_key<'c, 'a>(candidates: &'c [Candidate<'a>]) -> Vec<&'c Candidate<'a>> {
    let mut order: Vec<_> = candidates
        .iter()
        .zip(0..)
        .map(|(candidate, index)| (candidate.key as u64, index))
        .collect();
    order::sort(&mut order);
    order.iter().map(|&(_, index)| &candidates[index as usize]).collect()
}

/// Sets the verdict of each candidate. `difference` is the difference of exactly these candidates.
fn settle(candidates: &[&Candidate<'_>], difference: &EdwardsPoint, keys: &Keys<'_>, verdicts: &mut [bool]) {
    if difference.is_small_order() {
        for candidate in candidates {
            verdicts[candidate.index] = true;
        }
    } else if candidates.len() <= MAX_ALONE {
        for candidate in candidates {
            verdicts[candidate.index] = candidate.holds_alone(keys);
        }
    } else {
        let (first, second) = candidates.split_at(candidates.len() / 2);
        let first_difference = self::difference(first, keys);
        settle(first, &first_difference, keys, verdicts);
        // With the same coefficients the halves add up to the whole, so the second half costs one subtraction. A round
        // of halving thus costs half an equation, and finding one bad signature among n about one equation of n.
        settle(second, &(difference - first_difference), keys, verdicts);
    }
}

/// Returns the difference between the sides of the batch equation: `sum(z R) + sum(a A) - [sum(z S)]B`, a being `sum(z
/// k)` over the signatures by A. If all signatures hold, it is of small order; if one does not hold, it is of small
/// order with a probability of about 2^-128.
///
/// The candidates of one key must be neighbours.
fn difference(candidates: &[&Candidate<'_>], keys: &Keys<'_>) -> EdwardsPoint {
    let mut scalars = Vec::new();
    let mut points = Vec::new();
    // Only after z: merged before, errors of two signatures by one key could cancel out.
    for same_key in candidates.chunk_by(|a, b| a.key == b.key) {
        if let [candidate, ..] = same_key {
            scalars.push(
                same_key
                    .iter()
                    .map(|candidate| Scalar::from(candidate.z) * candidate.k)
                    .sum(),
            );
            points.push(keys.point(candidate.key));
        }
    }
    scalars.push(
        -candidates
            .iter()
            .map(|candidate| Scalar::from(candidate.z) * candidate.s)
            .sum::<Scalar>(),
    );
    points.push(ED25519_BASEPOINT_POINT);
    if candidates.len() >= MIN_BUCKETS {
        let of_r = candidates
            .iter()
            .map(|candidate| (candidate.r, candidate.z))
            .collect::<Vec<_>>();
        return EdwardsPoint::vartime_multiscalar_mul(&scalars, &points) + buckets::sum(&of_r);
    }
    scalars.extend(candidates.iter().map(|candidate| Scalar::from(candidate.z)));
    points.extend(candidates.iter().map(|candidate| candidate.r));
    EdwardsPoint::vartime_multiscalar_mul(&scalars, &points)
}

#[cfg(test)]
mod tests;
