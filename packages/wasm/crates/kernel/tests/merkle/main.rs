//! RFC 6962 trees against the definitions of the RFC, written out naively in `naive.rs`.

mod large;
mod mutations;
mod naive;
mod proofs;
mod trees;

use sha2::{Digest, Sha256};
use svc_kernel::merkle::Hash;

/// Tree sizes from 1 to this are tested exhaustively. Without optimization that would take minutes, so there are fewer
/// then.
const MAX_SIZE: usize = if cfg!(debug_assertions) { 50 } else { 300 };

/// Returns distinct leaf hashes, the same in every run.
fn leaves(count: usize) -> Vec<Hash> {
    (0..count as u64)
        .map(|index| Sha256::digest(index.to_be_bytes()).into())
        .collect()
}
