//! The hashes of leaves and of inner nodes (RFC 6962 section 2.1), one and many at a time.

use crate::sha256::{Hash, hash_many, sha256_prefixed};
use svc_sha256::{LANES, hash_four_padded};

const LEAF_PREFIX: u8 = 0;
const NODE_PREFIX: u8 = 1;

/// Returns SHA-256(0x00 || data), of data of any length.
pub fn leaf_hash(data: &[u8]) -> Hash {
    sha256_prefixed(&[LEAF_PREFIX], data)
}

/// Appends the leaf hash of each data, 32 bytes each, in the order given.
pub fn leaf_hashes(data: &[&[u8]], out: &mut Vec<u8>) {
    hash_many(&[LEAF_PREFIX], data, out);
}

/// Returns SHA-256(0x01 || left || right).
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    sha256_prefixed(&[NODE_PREFIX], [*left, *right].as_flattened())
}

/// Returns the root of a perfect subtree from its leaf hashes (a power of two of them) in `level`, which it overwrites.
/// All zeros for an empty level.
pub fn root_of_perfect(level: &mut [Hash]) -> Hash {
    let mut width = level.len();
    while width > 1 {
        width /= 2;
        halve(level, width);
    }
    level.first().copied().unwrap_or_default()
}

/// Replaces the first `count` hashes of a level by the parents of the first `2 * count`.
fn halve(level: &mut [Hash], count: usize) {
    let mut nodes = [PADDED_NODE; LANES];
    let mut done = 0;
    while done + LANES <= count {
        let (pairs, _) = level[2 * done..].as_chunks::<2>();
        for (node, pair) in nodes.iter_mut().zip(pairs) {
            node.as_flattened_mut()[1..65].copy_from_slice(pair.as_flattened());
        }
        level[done..done + LANES].copy_from_slice(&hash_four_padded(&nodes));
        done += LANES;
    }
    for at in done..count {
        level[at] = node_hash(&level[2 * at], &level[2 * at + 1]);
    }
}

/// The two blocks of a node's 65 bytes for SHA-256, with zeros in place of its children.
const PADDED_NODE: [[u8; 64]; 2] = {
    let mut blocks = [[0; 64]; 2];
    blocks[0][0] = NODE_PREFIX;
    blocks[1][1] = 0x80;
    let [.., high, low] = (65u16 * 8).to_be_bytes();
    blocks[1][62] = high;
    blocks[1][63] = low;
    blocks
};
