//! RFC 6962 Merkle trees: leaf and node hashes, frontiers and roots, and making and checking inclusion and consistency
//! proofs (RFC 9162 section 2.1).
//!
//! Everything works on hashes of 32 bytes and never sees the object of a leaf. An impossible tree gives `None`, and a
//! wrong proof gives false: nothing here panics. Trees have at most [`MAX_TREE_SIZE`] leaves.

mod frontier;
mod node;
mod prove;
mod verify;

pub use frontier::{append_to_frontier, root_from_frontier, root_from_leaf_hashes};
pub use node::{leaf_hash, leaf_hashes, node_hash};
pub use prove::{prove_consistency, prove_inclusion};
pub use verify::{verify_consistency, verify_inclusion};

pub use crate::sha256::Hash;

/// The most leaves that a tree may have, 2^53-1: the largest integer that every JSON reader carries exactly.
pub const MAX_TREE_SIZE: u64 = (1 << 53) - 1;
