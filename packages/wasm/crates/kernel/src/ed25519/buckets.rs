//! Many points times short coefficients: Pippenger's buckets for numbers of 128 bits.
//!
//! dalek's own multiplication takes every scalar for 253 bits, and has windows of at most 8 bits: measured, it is a
//! sixth slower here.

use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::traits::Identity;

/// Returns the sum of coefficient times point over all pairs. Its time depends on the coefficients, which are public.
pub(super) fn sum(pairs: &[(EdwardsPoint, u128)]) -> EdwardsPoint {
    // A column costs about one addition for each point, and two for each of its buckets, half of which are filled.
    let additions = |&width: &u32| columns(width) as usize * (pairs.len() + (1 << (width - 1)));
    let width = (4..=12).min_by_key(additions).unwrap_or(4);
    let mut buckets: Vec<Option<EdwardsPoint>> = vec![None; 1 << (width - 1)];
    let mut sum = EdwardsPoint::identity();
    for column in (0..columns(width)).rev() {
        for _ in 0..width {
            sum += sum;
        }
        for &(point, coefficient) in pairs {
            let digit = digit(coefficient, column, width);
            if digit != 0 {
                let bucket = &mut buckets[digit.unsigned_abs() as usize - 1];
                *bucket = Some(match (*bucket, digit > 0) {
                    (None, true) => point,
                    (None, false) => -point,
                    (Some(sum), true) => sum + point,
                    (Some(sum), false) => sum - point,
                });
            }
        }
        // Bucket i counts i times: it is in i of the partial sums from the last bucket down.
        let mut partial = EdwardsPoint::identity();
        for bucket in buckets.iter_mut().rev() {
            if let Some(bucket) = bucket.take() {
                partial += bucket;
            }
            sum += partial;
        }
    }
    sum
}

/// Returns the number of digits of this width in a number of 128 bits, with room for the carry out of the topmost.
fn columns(width: u32) -> u32 {
    128 / width + 1
}

/// Returns the digit of a column in Booth's form, -2^(width-1) .. 2^(width-1): the sum of digit times 2^(width *
/// column) is the number.
#[inline(always)]
fn digit(number: u128, column: u32, width: u32) -> i32 {
    let low = column * width;
    // The digit's own bits, and below them the top bit of the digit before, which tells whether that digit borrowed.
    let bits = if low == 0 { number << 1 } else { number >> (low - 1) };
    let bits = bits as i32 & ((2 << width) - 1);
    ((bits + 1) >> 1) - ((bits >> width) << width)
}

#[cfg(test)]
mod tests {
    use super::{columns, digit, sum};
    use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
    use curve25519_dalek::edwards::EdwardsPoint;
    use curve25519_dalek::scalar::Scalar;

    /// Returns numbers at the edges of digits, and some without pattern.
    fn numbers() -> Vec<u128> {
        let mut numbers = vec![0, 1, u128::MAX, u128::MAX - 1, 1 << 127, (1 << 127) - 1, 0x5555 << 112];
        let mut state = 7u128;
        for shift in 0..128 {
            state = state
                .wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645)
                .wrapping_add(shift * 2 + 1);
            numbers.extend([1 << shift, (1 << shift) - 1, state, state >> shift]);
        }
        numbers
    }

    #[test]
    fn digits_add_up_to_the_number() {
        for width in 4..=12 {
            for number in numbers() {
                let mut rest = Scalar::ZERO;
                for column in (0..columns(width)).rev() {
                    let digit = digit(number, column, width);
                    assert!(digit.unsigned_abs() <= 1 << (width - 1), "{digit} of width {width}");
                    let size = Scalar::from(digit.unsigned_abs());
                    rest = rest * Scalar::from(1u64 << width) + if digit < 0 { -size } else { size };
                }
                assert_eq!(rest, Scalar::from(number), "{number:x} in digits of {width}");
            }
        }
    }

    #[test]
    fn sums_as_single_multiplications_do() {
        // Counts around those at which the width changes, with torsion among the points.
        for count in [0, 1, 2, 3, 40, 127, 128, 129, 500, 1500, 4000] {
            let mut point = ED25519_BASEPOINT_POINT;
            let pairs: Vec<(EdwardsPoint, u128)> = numbers()
                .into_iter()
                .cycle()
                .take(count)
                .enumerate()
                .map(|(index, number)| {
                    point = point + point + EIGHT_TORSION[index % 8];
                    (point, number.rotate_left(index as u32))
                })
                .collect();
            // Double and add, because multiplying by a scalar mod L loses torsion.
            let mut expected = EdwardsPoint::default();
            for bit in (0..128).rev() {
                expected += expected;
                for (point, _) in pairs.iter().filter(|(_, number)| number >> bit & 1 == 1) {
                    expected += point;
                }
            }
            assert_eq!(sum(&pairs), expected, "{count} pairs");
        }
    }
}
