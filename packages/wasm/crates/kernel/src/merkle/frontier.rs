//! Frontiers (protocol section 1) and roots. A frontier holds the roots of a tree's perfect subtrees, largest first,
//! one for each bit set in its size.

use super::node::{node_hash, root_of_perfect};
use super::{Hash, MAX_TREE_SIZE};

/// Subtrees of at most 2^10 leaves are hashed level by level: wide enough that nearly all nodes are hashed four at a
/// time, small enough that the working memory is 32 kB for any tree.
const MAX_SUBTREE_LEVEL: u32 = 10;

/// Returns the frontier after appending leaf hashes to a tree of `size` leaves. None if the frontier does not have the
/// length for `size`, or if the tree would pass 2^53-1 leaves.
pub fn append_to_frontier(size: u64, frontier: &[Hash], leaf_hashes: &[Hash]) -> Option<Vec<Hash>> {
    if size.checked_add(leaf_hashes.len() as u64)? > MAX_TREE_SIZE || frontier.len() != size.count_ones() as usize {
        return None;
    }
    let mut result = frontier.to_vec();
    let mut working = Vec::new();
    let (mut size, mut rest) = (size, leaf_hashes);
    while let Some(fitting_level) = rest.len().checked_ilog2() {
        // The largest perfect subtree that begins at the end of the tree: a subtree of 2^level leaves begins at a
        // multiple of 2^level.
        let level = fitting_level.min(size.trailing_zeros()).min(MAX_SUBTREE_LEVEL);
        let (subtree, after) = rest.split_at(1 << level);
        working.clear();
        working.extend_from_slice(subtree);
        let mut hash = root_of_perfect(&mut working);
        // Each one bit of the size from there on is a perfect subtree that the new one completes to the next larger.
        let mut larger = size >> level;
        while larger & 1 == 1
            && let Some(left) = result.pop()
        {
            hash = node_hash(&left, &hash);
            larger >>= 1;
        }
        result.push(hash);
        size += 1 << level;
        rest = after;
    }
    Some(result)
}

/// Returns the root of a tree of at least one leaf from its frontier. None if the frontier is empty.
pub fn root_from_frontier(frontier: &[Hash]) -> Option<Hash> {
    let (last, larger) = frontier.split_last()?;
    Some(larger.iter().rfold(*last, |right, left| node_hash(left, &right)))
}

/// Returns the root of at least one leaf hash. None without any.
pub fn root_from_leaf_hashes(leaf_hashes: &[Hash]) -> Option<Hash> {
    root_from_frontier(&append_to_frontier(0, &[], leaf_hashes)?)
}
