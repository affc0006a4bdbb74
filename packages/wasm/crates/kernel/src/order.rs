//! Sorts in linear time, by numbers: a comparison sort of the standard library weighs 10 kB in the compiled kernel, or
//! is slow there.

/// At most so many numbers are sorted by insertion.
const FEW: usize = 24;

/// Sorts indexes by a number; those with equal numbers keep their order.
pub(crate) fn sort(keyed: &mut [(u64, u32)]) {
    if keyed.len() <= FEW {
        return insert(keyed);
    }
    // The bits in which the numbers differ: a byte that is the same in all needs no pass.
    let first = keyed.first().map_or(0, |one| one.0);
    let differing = keyed.iter().fold(0, |bits, one| bits | (one.0 ^ first));
    // From the lowest byte to the highest; each pass keeps the order of the passes before (least significant digit
    // radix sort).
    let mut sorted = vec![(0, 0); if differing == 0 { 0 } else { keyed.len() }];
    for shift in (0..64).step_by(8) {
        let byte = |key: u64| usize::from((key >> shift) as u8);
        if byte(differing) == 0 {
            continue;
        }
        let mut places = [0; 256];
        for &(key, _) in keyed.iter() {
            places[byte(key)] += 1;
        }
        let mut start = 0;
        for place in &mut places {
            start += core::mem::replace(place, start);
        }
        for &one in keyed.iter() {
            let place = &mut places[byte(one.0)];
            sorted[*place] = one;
            *place += 1;
        }
        keyed.copy_from_slice(&sorted);
    }
}

fn insert(keyed: &mut [(u64, u32)]) {
    for end in 1..keyed.len() {
        let mut at = end;
        while at > 0 && keyed[at - 1].0 > keyed[at].0 {
            keyed.swap(at - 1, at);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sort;

    #[test]
    fn sorts_as_the_standard_library_does() {
        let mut state = 1u64;
        for length in [0, 1, 2, 3, 23, 24, 25, 26, 100, 1000, 5000] {
            for mask in [0, 1, 0xff, 0xff00, 0xff00_0000_0000_0001, u64::MAX] {
                let mut keyed: Vec<(u64, u32)> = (0..length)
                    .map(|index| {
                        state = state
                            .wrapping_mul(6364136223846793005)
                            .wrapping_add(1442695040888963407);
                        ((state ^ (state >> 29)) & mask, index)
                    })
                    .collect();
                let mut expected = keyed.clone();
                expected.sort();
                sort(&mut keyed);
                assert_eq!(keyed, expected, "{length} with {mask:x}");
            }
        }
    }
}
