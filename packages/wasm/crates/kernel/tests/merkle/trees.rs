//! Leaf hashes, roots and frontiers.

use crate::naive::{self, Tree};
use crate::{MAX_SIZE, leaves};
use sha2::{Digest, Sha256};
use svc_kernel::merkle::{
    Hash, MAX_TREE_SIZE, append_to_frontier, leaf_hash, leaf_hashes, node_hash, root_from_frontier,
    root_from_leaf_hashes,
};

/// Returns the roots of the perfect subtrees, one for each bit of the size.
fn naive_frontier(tree: &Tree, size: usize) -> Vec<Hash> {
    let (mut from, mut frontier) = (0, Vec::new());
    for bit in (0..usize::BITS).rev().map(|bit| 1 << bit).filter(|bit| size & bit != 0) {
        frontier.push(tree.mth(from, from + bit));
        from += bit;
    }
    frontier
}

#[test]
fn leaf_and_node_hashes() {
    let data: Vec<Vec<u8>> = (0..200).map(|length| vec![length as u8; length]).collect();
    let slices: Vec<&[u8]> = data.iter().map(Vec::as_slice).collect();
    let mut many = Vec::new();
    leaf_hashes(&slices, &mut many);
    assert_eq!(many.len(), 32 * data.len());
    for (hash, data) in many.chunks_exact(32).zip(&data) {
        let expected: Hash = Sha256::new().chain_update([0]).chain_update(data).finalize().into();
        assert_eq!(hash, expected);
        assert_eq!(leaf_hash(data), expected);
    }
    let [left, right] = [[7; 32], [8; 32]];
    assert_eq!(node_hash(&left, &right), naive::node(left, right));
}

#[test]
fn every_root_and_frontier() {
    let all = leaves(MAX_SIZE);
    let tree = Tree::new(all.clone());
    for size in 1..=MAX_SIZE {
        assert_eq!(
            root_from_leaf_hashes(&all[..size]),
            Some(tree.mth(0, size)),
            "size {size}"
        );
        let frontier = append_to_frontier(0, &[], &all[..size]).unwrap();
        assert_eq!(frontier, naive_frontier(&tree, size), "size {size}");
        assert_eq!(root_from_frontier(&frontier), Some(tree.mth(0, size)), "size {size}");
    }
}

#[test]
fn appending_in_two_steps_is_appending_at_once() {
    let all = leaves(MAX_SIZE);
    let tree = Tree::new(all.clone());
    for size in (0..=MAX_SIZE).step_by(3) {
        let frontier = naive_frontier(&tree, size);
        for to in size..=MAX_SIZE {
            let appended = append_to_frontier(size as u64, &frontier, &all[size..to]).unwrap();
            assert_eq!(appended, naive_frontier(&tree, to), "{size} to {to}");
        }
    }
}

#[test]
fn trees_wider_than_one_batch() {
    let all = leaves(5000);
    let tree = Tree::new(all.clone());
    for size in [1023, 1024, 1025, 2047, 2048, 3072, 4095, 4096, 4097, 5000] {
        assert_eq!(
            root_from_leaf_hashes(&all[..size]),
            Some(tree.mth(0, size)),
            "size {size}"
        );
        let rest = append_to_frontier(1000, &naive_frontier(&tree, 1000), &all[1000..size]).unwrap();
        assert_eq!(rest, naive_frontier(&tree, size), "size {size}");
    }
}

#[test]
fn no_tree_has_no_root() {
    assert_eq!(root_from_leaf_hashes(&[]), None);
    assert_eq!(root_from_frontier(&[]), None);
    assert_eq!(append_to_frontier(0, &[], &[]), Some(Vec::new()));
}

#[test]
fn a_frontier_of_another_length_is_refused() {
    for size in 0..40u64 {
        for length in 0..8 {
            let right = length == size.count_ones() as usize;
            assert_eq!(
                append_to_frontier(size, &leaves(length), &leaves(1)).is_some(),
                right,
                "{size}, {length}"
            );
        }
    }
}

#[test]
fn a_tree_ends_at_2_to_the_53_minus_1() {
    let full = leaves(53);
    assert_eq!(append_to_frontier(MAX_TREE_SIZE, &full, &[]), Some(full.clone()));
    assert_eq!(append_to_frontier(MAX_TREE_SIZE, &full, &leaves(1)), None);
    assert_eq!(append_to_frontier(MAX_TREE_SIZE + 1, &full[..1], &[]), None);
    assert_eq!(append_to_frontier(u64::MAX, &leaves(64), &leaves(1)), None);
    // One leaf below: the last leaf is alone behind the 52 subtrees.
    let last = append_to_frontier(MAX_TREE_SIZE - 1, &full[..52], &full[52..]);
    assert_eq!(last, Some(full.clone()));
    // One leaf completes the subtree of 2^52 leaves through 52 levels.
    let carried = append_to_frontier((1 << 52) - 1, &full[..52], &full[52..]).unwrap();
    assert_eq!(
        carried,
        [full[..52]
            .iter()
            .rfold(full[52], |right, &left| naive::node(left, right))]
    );
}
