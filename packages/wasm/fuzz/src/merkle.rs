//! Trees and proofs against a recursive transcription of RFC 9162; a changed proof does not verify, and no sizes,
//! hashes or paths panic.

use crate::input::Input;
use sha2::{Digest, Sha256};
use svc_kernel::merkle::{
    Hash, append_to_frontier, leaf_hash, leaf_hashes, node_hash, prove_consistency, prove_inclusion,
    root_from_frontier, root_from_leaf_hashes, verify_consistency, verify_inclusion,
};

/// Takes sizes and hashes of an alleged proof, then of an honest tree, and the places to change in its proofs.
pub fn check(data: &[u8]) {
    alleged(&mut Input { rest: data });
    honest(&mut Input { rest: data });
}

/// A made-up proof and frontier: any result is right, but there must be one.
fn alleged(input: &mut Input<'_>) {
    let (a, b) = (input.number(), input.number());
    let (first, second): (Hash, Hash) = (input.array(), input.array());
    let hashes: Vec<Hash> = input
        .rest
        .chunks(32)
        .map(|chunk| Input { rest: chunk }.array())
        .collect();
    // Sizes in use are small more often than not, and at the allowed limit.
    for (from, to) in [
        (a, b),
        (a % 64, b % 64),
        ((1 << 53) - 1 - a % 4, (1 << 53) - b % 4),
        (a.min(b), a.max(b)),
    ] {
        let included = verify_inclusion(&first, from, to, &hashes, &second);
        assert!(!included || (from < to && to < 1 << 53));
        let consistent = verify_consistency(from, &first, to, &second, &hashes);
        assert!(!consistent || (0 < from && from <= to && to < 1 << 53));
        if let Some(frontier) = append_to_frontier(from, &hashes, &[first, second]) {
            assert_eq!(frontier.len() as u32, (from + 2).count_ones());
        }
    }
    assert_eq!(root_from_frontier(&hashes).is_some(), !hashes.is_empty());
}

fn honest(input: &mut Input<'_>) {
    let size = 1 + usize::from(input.byte());
    let (index, from) = (usize::from(input.byte()) % size, 1 + usize::from(input.byte()) % size);
    let salt = input.byte();
    let data: Vec<[u8; 3]> = (0..size).map(|leaf| [salt, leaf as u8, (leaf >> 8) as u8]).collect();
    let leaves: Vec<Hash> = data.iter().map(|data| leaf_hash(data)).collect();
    let slices: Vec<&[u8]> = data.iter().map(|data| &data[..]).collect();
    let mut joined = Vec::new();
    leaf_hashes(&slices, &mut joined);
    assert_eq!(joined, leaves.concat());
    assert_eq!(leaves[index], digest(&[&[0], &data[index]]));

    let root = naive_root(&leaves);
    let from_root = naive_root(&leaves[..from]);
    assert_eq!(root_from_leaf_hashes(&leaves), Some(root));
    let frontier = append_to_frontier(0, &[], &leaves[..from]).expect("a tree of leaves");
    assert_eq!(root_from_frontier(&frontier), Some(from_root));
    let frontier = append_to_frontier(from as u64, &frontier, &leaves[from..]).expect("more leaves");
    assert_eq!(root_from_frontier(&frontier), Some(root));

    let path = prove_inclusion(&leaves, index).expect("an index in the tree");
    assert_eq!(path, naive_inclusion(&leaves, index));
    let (index, size, from) = (index as u64, size as u64, from as u64);
    assert!(verify_inclusion(&leaves[index as usize], index, size, &path, &root));
    for changed in changes(&[leaves[index as usize], root], &path, input) {
        let Changed { fixed, path } = changed;
        assert!(
            !verify_inclusion(&fixed[0], index, size, &path, &fixed[1]),
            "a changed proof of inclusion verifies"
        );
    }

    let path = prove_consistency(&leaves, from as usize).expect("a size of the tree");
    assert_eq!(path, naive_consistency(&leaves, from as usize, true));
    assert!(verify_consistency(from, &from_root, size, &root, &path));
    for changed in changes(&[from_root, root], &path, input) {
        let Changed { fixed, path } = changed;
        assert!(
            !verify_consistency(from, &fixed[0], size, &fixed[1], &path),
            "a changed proof of consistency verifies"
        );
    }
    assert_eq!(prove_inclusion(&leaves, leaves.len()), None);
    assert_eq!(prove_consistency(&leaves, leaves.len() + 1), None);
    assert_eq!(prove_consistency(&leaves, 0), None);
}

struct Changed {
    fixed: [Hash; 2],
    path: Vec<Hash>,
}

/// Returns the proof with one bit flipped in any of its hashes, with its path shortened at either end, and lengthened
/// at either end.
fn changes(fixed: &[Hash; 2], path: &[Hash], input: &mut Input<'_>) -> Vec<Changed> {
    let (which, bit) = (usize::from(input.byte()) % (2 + path.len()), input.byte());
    let mut flipped = Changed {
        fixed: *fixed,
        path: path.to_vec(),
    };
    let hash = if which < 2 {
        &mut flipped.fixed[which]
    } else {
        &mut flipped.path[which - 2]
    };
    hash[usize::from(bit >> 3)] ^= 1 << (bit & 7);
    let with_path = |path: Vec<Hash>| Changed { fixed: *fixed, path };
    let added = if bit & 1 == 0 { fixed[0] } else { input.array() };
    let mut all = vec![
        flipped,
        with_path([path, &[added]].concat()),
        with_path([&[added], path].concat()),
    ];
    if let ([_, without_first @ ..], [without_last @ .., _]) = (path, path) {
        all.push(with_path(without_first.to_vec()));
        all.push(with_path(without_last.to_vec()));
    }
    all
}

/// RFC 9162 section 2.1.1, on leaf hashes.
fn naive_root(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => digest(&[]),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(split(leaves.len()));
            let (left, right) = (naive_root(left), naive_root(right));
            let hash = digest(&[&[1], &left, &right]);
            assert_eq!(node_hash(&left, &right), hash);
            hash
        }
    }
}

/// RFC 9162 section 2.1.3.1.
fn naive_inclusion(leaves: &[Hash], index: usize) -> Vec<Hash> {
    if leaves.len() == 1 {
        return Vec::new();
    }
    let k = split(leaves.len());
    let (left, right) = leaves.split_at(k);
    let (mut path, other) = if index < k {
        (naive_inclusion(left, index), right)
    } else {
        (naive_inclusion(right, index - k), left)
    };
    path.push(naive_root(other));
    path
}

/// RFC 9162 section 2.1.4.1: SUBPROOF(m, D[n], b).
fn naive_consistency(leaves: &[Hash], m: usize, b: bool) -> Vec<Hash> {
    if m == leaves.len() {
        return if b { Vec::new() } else { vec![naive_root(leaves)] };
    }
    let k = split(leaves.len());
    let (left, right) = leaves.split_at(k);
    let (mut path, other) = if m <= k {
        (naive_consistency(left, m, b), right)
    } else {
        (naive_consistency(right, m - k, false), left)
    };
    path.push(naive_root(other));
    path
}

/// Returns the largest power of two smaller than n.
fn split(n: usize) -> usize {
    let mut k = 1;
    while k * 2 < n {
        k *= 2;
    }
    k
}

fn digest(pieces: &[&[u8]]) -> Hash {
    Sha256::digest(pieces.concat()).into()
}
