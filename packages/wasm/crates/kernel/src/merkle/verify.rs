//! Checks inclusion and consistency proofs, step by step by RFC 9162 sections 2.1.3.2 and 2.1.4.2. It does NOT say
//! which leaf data or which checkpoint a hash belongs to.

use super::{Hash, MAX_TREE_SIZE, node_hash};

/// Checks by RFC 9162 section 2.1.3.2. Also returns false for an index outside the tree, a size above 2^53-1, and a
/// path of another length than index and size demand.
pub fn verify_inclusion(leaf_hash: &Hash, leaf_index: u64, tree_size: u64, path: &[Hash], root: &Hash) -> bool {
    if leaf_index >= tree_size || tree_size > MAX_TREE_SIZE {
        return false;
    }
    let mut place = Place {
        node: leaf_index,
        last: tree_size - 1,
    };
    let mut hash = *leaf_hash;
    for sibling in path {
        if place.last == 0 {
            return false;
        }
        hash = if place.has_left_sibling() {
            node_hash(sibling, &hash)
        } else {
            node_hash(&hash, sibling)
        };
        place.ascend();
    }
    place.last == 0 && hash == *root
}

/// Checks by RFC 9162 section 2.1.4.2. Also returns false for `from_size` 0 or above `to_size`, a size above 2^53-1,
/// and a path of another length than the sizes demand; equal sizes need equal roots and an empty path.
pub fn verify_consistency(from_size: u64, from_root: &Hash, to_size: u64, to_root: &Hash, path: &[Hash]) -> bool {
    if from_size == 0 || from_size > to_size || to_size > MAX_TREE_SIZE {
        return false;
    }
    if from_size == to_size {
        return path.is_empty() && from_root == to_root;
    }
    let Some((first, after_first)) = path.split_first() else {
        return false;
    };
    // A perfect old tree is itself a node of the new one, and its root is not repeated in the path.
    let (start, rest) = if from_size.is_power_of_two() {
        (from_root, path)
    } else {
        (first, after_first)
    };
    let shared = (from_size - 1).trailing_ones();
    let mut place = Place {
        node: (from_size - 1) >> shared,
        last: (to_size - 1) >> shared,
    };
    let (mut from_hash, mut to_hash) = (*start, *start);
    for sibling in rest {
        if place.last == 0 {
            return false;
        }
        if place.has_left_sibling() {
            from_hash = node_hash(sibling, &from_hash);
            to_hash = node_hash(sibling, &to_hash);
        } else {
            to_hash = node_hash(&to_hash, sibling);
        }
        place.ascend();
    }
    place.last == 0 && from_hash == *from_root && to_hash == *to_root
}

/// The position of a proof on its way up: the node that it has reached, and the last node of the same level (fn and sn
/// in the RFC).
struct Place {
    node: u64,
    last: u64,
}

impl Place {
    /// Says whether the next hash of the path is on the left. A last node that is even has no sibling until some level
    /// above.
    fn has_left_sibling(&self) -> bool {
        self.node & 1 == 1 || self.node == self.last
    }

    /// Goes to the parent of the two siblings that were just hashed.
    fn ascend(&mut self) {
        // The RFC does this only if node and last are equal or node is odd; otherwise it would skip levels with
        // siblings.
        let skipped = if self.has_left_sibling() && self.node != 0 {
            self.node.trailing_zeros()
        } else {
            0
        };
        self.node >>= skipped + 1;
        self.last >>= skipped + 1;
    }
}
