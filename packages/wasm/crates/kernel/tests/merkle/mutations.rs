//! Every good proof of some trees, changed in every place: none may verify.

use crate::leaves;
use crate::naive::{Tree, root_by_path, roots_by_path};
use svc_kernel::merkle::{Hash, prove_consistency, prove_inclusion, verify_consistency, verify_inclusion};

const SIZES: &[usize] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 21, 31, 32, 33];

fn flipped(hash: &Hash) -> Vec<Hash> {
    [(0, 0x80), (15, 0x10), (31, 1)]
        .map(|(byte, bit)| {
            let mut changed = *hash;
            changed[byte] ^= bit;
            changed
        })
        .to_vec()
}

/// Returns the path with each hash flipped, dropped, repeated and exchanged for its neighbour, and with a hash added in
/// each place.
fn mutated(path: &[Hash]) -> Vec<Vec<Hash>> {
    let mut all = Vec::new();
    for at in 0..path.len() {
        for hash in flipped(&path[at]) {
            all.push([&path[..at], &[hash], &path[at + 1..]].concat());
        }
        all.push([&path[..at], &path[at + 1..]].concat());
        all.push([&path[..=at], &path[at..]].concat());
        if at > 0 {
            let mut swapped = path.to_vec();
            swapped.swap(at - 1, at);
            all.push(swapped);
        }
    }
    for at in 0..=path.len() {
        all.push([&path[..at], &[[0; 32]], &path[at..]].concat());
    }
    all
}

#[test]
fn inclusion() {
    for &size in SIZES {
        let all = leaves(size);
        let root = Tree::new(all.clone()).mth(0, size);
        let n = size as u64;
        for index in 0..size {
            let (leaf, m) = (all[index], index as u64);
            let path = prove_inclusion(&all, index).unwrap();
            assert!(
                mutated(&path)
                    .iter()
                    .all(|path| !verify_inclusion(&leaf, m, n, path, &root)),
                "{index}, {size}"
            );
            assert!(
                flipped(&leaf)
                    .iter()
                    .all(|leaf| !verify_inclusion(leaf, m, n, &path, &root))
            );
            assert!(
                flipped(&root)
                    .iter()
                    .all(|root| !verify_inclusion(&leaf, m, n, &path, root))
            );
            assert!((0..2 * n).all(|other| other == m || !verify_inclusion(&leaf, other, n, &path, &root)));
            assert!((0..=m).all(|n| !verify_inclusion(&leaf, m, n, &path, &root)));
            // A path does not fix the tree size, so another size is right exactly if the definition leads to the same
            // root.
            for other in m + 1..2 * n + 2 {
                let expected = root_by_path(leaf, m, other, &path) == Some(root);
                assert_eq!(
                    verify_inclusion(&leaf, m, other, &path, &root),
                    expected,
                    "{index}, {size} as {other}"
                );
            }
        }
    }
}

#[test]
fn consistency() {
    for &to in SIZES {
        let all = leaves(to);
        let tree = Tree::new(all.clone());
        let (n, new) = (to as u64, tree.mth(0, to));
        for from in 1..=to {
            let (m, old) = (from as u64, tree.mth(0, from));
            let path = prove_consistency(&all, from).unwrap();
            assert!(
                mutated(&path)
                    .iter()
                    .all(|path| !verify_consistency(m, &old, n, &new, path)),
                "{from}, {to}"
            );
            assert!(
                flipped(&old)
                    .iter()
                    .all(|old| !verify_consistency(m, old, n, &new, &path)),
                "{from}, {to}"
            );
            assert!(
                flipped(&new)
                    .iter()
                    .all(|new| !verify_consistency(m, &old, n, new, &path)),
                "{from}, {to}"
            );
            assert!(!verify_consistency(0, &old, n, &new, &path));
            assert!(!verify_consistency(n + 1, &old, n, &new, &path));
            for other_from in 1..n + 2 {
                for other_to in other_from..n + 4 {
                    let expected = roots_by_path(other_from, other_to, Some(old), &path) == Some((old, new));
                    let found = verify_consistency(other_from, &old, other_to, &new, &path);
                    assert_eq!(found, expected, "{from}, {to} as {other_from}, {other_to}");
                }
            }
        }
    }
}
