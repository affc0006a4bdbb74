//! Trees far larger than memory, up to 2^53-1 leaves: paths of arbitrary hashes with the root that the definition
//! gives.

use crate::leaves;
use crate::naive::{root_by_path, roots_by_path, split};
use svc_kernel::merkle::{MAX_TREE_SIZE, verify_consistency, verify_inclusion};

const SIZES: [u64; 12] = [
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    (1 << 32) + 1,
    (1 << 52) - 1,
    1 << 52,
    (1 << 52) + 1,
    0x0015_5555_5555_5555,
    0x001a_aaaa_aaaa_aaaa,
    MAX_TREE_SIZE - 1,
    MAX_TREE_SIZE,
];

fn below(size: u64) -> Vec<u64> {
    let mut numbers = vec![
        0,
        1,
        2,
        3,
        split(size) - 1,
        split(size),
        split(size) + 1,
        size / 3,
        size - 2,
        size - 1,
    ];
    numbers.extend(SIZES.iter().flat_map(|&other| [other - 1, other]));
    numbers.retain(|&number| number < size);
    numbers
}

#[test]
fn inclusion() {
    let hashes = leaves(56);
    for size in SIZES {
        for index in below(size) {
            let mut accepted = 0;
            for length in 0..55 {
                let (leaf, path) = (hashes[55], &hashes[..length]);
                let root = root_by_path(leaf, index, size, path);
                assert_eq!(
                    verify_inclusion(&leaf, index, size, path, &root.unwrap_or_default()),
                    root.is_some()
                );
                accepted += u32::from(root.is_some());
            }
            assert_eq!(accepted, 1, "leaf {index} of {size}");
        }
    }
}

#[test]
fn consistency() {
    let hashes = leaves(56);
    for to in SIZES {
        for from in below(to).into_iter().filter(|&from| from > 0) {
            let mut accepted = 0;
            for length in 0..55 {
                // The old root follows from the path, unless the old tree is perfect and is therefore a node of the new
                // one.
                let (path, known) = (&hashes[..length], hashes[55]);
                let roots = roots_by_path(from, to, Some(known), path);
                let (old, new) = roots.unwrap_or_default();
                assert_eq!(
                    verify_consistency(from, &old, to, &new, path),
                    roots.is_some(),
                    "{from}, {to}, {length}"
                );
                accepted += u32::from(roots.is_some());
            }
            assert_eq!(accepted, 1, "{from} to {to}");
        }
    }
}

#[test]
fn no_tree_is_larger() {
    let hash = [1; 32];
    for size in [MAX_TREE_SIZE + 1, MAX_TREE_SIZE + 2, 1 << 63, u64::MAX] {
        let path = leaves(64);
        for length in 0..=64 {
            let root = root_by_path(hash, 0, size.min(1 << 62), &path[..length]).unwrap_or(hash);
            assert!(!verify_inclusion(&hash, 0, size, &path[..length], &root));
            assert!(!verify_inclusion(&hash, size - 1, size, &path[..length], &root));
            assert!(!verify_consistency(1, &hash, size, &root, &path[..length]));
        }
        assert!(!verify_consistency(size, &hash, size, &hash, &[]));
    }
    assert!(!verify_inclusion(&hash, 0, 0, &[], &hash));
    assert!(!verify_consistency(0, &hash, 0, &hash, &[]));
}
