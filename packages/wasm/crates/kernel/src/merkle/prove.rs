//! Makes proofs from all leaf hashes of a tree (RFC 9162 sections 2.1.3.1 and 2.1.4.1): descends from the root to the
//! subtree in question and notes the root of every subtree beside the way.

use super::{Hash, root_from_leaf_hashes};

/// Returns the inclusion path of the leaf at `index`, leaf side first. None unless `index < leaf_hashes.len()`.
pub fn prove_inclusion(leaf_hashes: &[Hash], index: usize) -> Option<Vec<Hash>> {
    let mut path = Vec::new();
    let (mut subtree, mut index) = (leaf_hashes, index);
    if index >= subtree.len() {
        return None;
    }
    while subtree.len() > 1 {
        let (left, right) = subtree.split_at(left_size(subtree.len()));
        if index < left.len() {
            path.push(root_from_leaf_hashes(right)?);
            subtree = left;
        } else {
            path.push(root_from_leaf_hashes(left)?);
            index -= left.len();
            subtree = right;
        }
    }
    path.reverse();
    Some(path)
}

/// Returns the consistency path from the tree of the first `from_size` leaves to that of all; empty for equal sizes.
/// None unless `1 <= from_size <= leaf_hashes.len()`.
pub fn prove_consistency(leaf_hashes: &[Hash], from_size: usize) -> Option<Vec<Hash>> {
    if from_size == 0 || from_size > leaf_hashes.len() {
        return None;
    }
    let mut path = Vec::new();
    // How many leaves of `subtree` the old tree had; it descends until that is all of them.
    let (mut subtree, mut old) = (leaf_hashes, from_size);
    while old < subtree.len() {
        let (left, right) = subtree.split_at(left_size(subtree.len()));
        if old <= left.len() {
            path.push(root_from_leaf_hashes(right)?);
            subtree = left;
        } else {
            path.push(root_from_leaf_hashes(left)?);
            old -= left.len();
            subtree = right;
        }
    }
    // If it never went right, this last subtree is the whole old tree, whose root the verifier has.
    if old != from_size {
        path.push(root_from_leaf_hashes(subtree)?);
    }
    path.reverse();
    Some(path)
}

/// Returns how many of at least two leaves are under the left child: the largest power of two below their number.
fn left_size(size: usize) -> usize {
    1 << (size - 1).ilog2()
}
