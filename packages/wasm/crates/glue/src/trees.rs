//! RFC 6962 trees. Every hash has 32 bytes.

use crate::REFUSED;
use crate::state::{State, take, with};
use svc_kernel::merkle;
use svc_kernel::sha256::Hash;
use wasm_bindgen::prelude::wasm_bindgen;

/// Input: leaf hashes, at least one. Outputs the root hash. Returns 0, or REFUSED.
#[wasm_bindgen]
pub fn root_from_leaf_hashes() -> u32 {
    with(|state| {
        let root = hashes(&state.input).and_then(merkle::root_from_leaf_hashes);
        answer(state, root.map(Vec::from))
    })
}

/// Input: a frontier, not empty. Outputs the root hash. Returns 0, or REFUSED.
#[wasm_bindgen]
pub fn root_from_frontier() -> u32 {
    with(|state| {
        let root = hashes(&state.input).and_then(merkle::root_from_frontier);
        answer(state, root.map(Vec::from))
    })
}

/// Input: the frontier of a tree of `size` leaves, so many hashes, and leaf hashes. Outputs the new frontier. Returns
/// 0, or REFUSED.
#[wasm_bindgen]
pub fn append_to_frontier(size: f64, frontier_length: u32) -> u32 {
    with(|state| {
        let frontier = size_of(size).zip(hashes(&state.input)).and_then(|(size, all)| {
            let (frontier, leaf_hashes) = all.split_at_checked(frontier_length as usize)?;
            merkle::append_to_frontier(size, frontier, leaf_hashes)
        });
        answer(state, frontier.map(|hashes| hashes.concat()))
    })
}

/// Input: leaf hashes. Outputs the inclusion path of the leaf at `index`. Returns 0, or REFUSED.
#[wasm_bindgen]
pub fn prove_inclusion(index: u32) -> u32 {
    with(|state| {
        let path = hashes(&state.input).and_then(|leaf_hashes| merkle::prove_inclusion(leaf_hashes, index as usize));
        answer(state, path.map(|hashes| hashes.concat()))
    })
}

/// Input: leaf hashes. Outputs the consistency path from the tree of the first `from_size`. Returns 0, or REFUSED.
#[wasm_bindgen]
pub fn prove_consistency(from_size: u32) -> u32 {
    with(|state| {
        let path =
            hashes(&state.input).and_then(|leaf_hashes| merkle::prove_consistency(leaf_hashes, from_size as usize));
        answer(state, path.map(|hashes| hashes.concat()))
    })
}

/// Input: leaf hash, root hash, path. Returns 1 if the proof holds, and otherwise 0.
#[wasm_bindgen]
pub fn verify_inclusion(leaf_index: f64, tree_size: f64) -> u32 {
    with(|state| {
        let Some((leaf_hash, root, path)) = proof(&state.input) else {
            return 0;
        };
        let (Some(index), Some(size)) = (size_of(leaf_index), size_of(tree_size)) else {
            return 0;
        };
        u32::from(merkle::verify_inclusion(leaf_hash, index, size, path, root))
    })
}

/// Input: root hash of the smaller tree, of the larger, path. Returns 1 if the proof holds, and otherwise 0.
#[wasm_bindgen]
pub fn verify_consistency(from_size: f64, to_size: f64) -> u32 {
    with(|state| {
        let Some((from_root, to_root, path)) = proof(&state.input) else {
            return 0;
        };
        let (Some(from), Some(to)) = (size_of(from_size), size_of(to_size)) else {
            return 0;
        };
        u32::from(merkle::verify_consistency(from, from_root, to, to_root, path))
    })
}

/// Returns bytes as whole hashes.
fn hashes(bytes: &[u8]) -> Option<&[Hash]> {
    let (hashes, rest) = bytes.as_chunks::<32>();
    rest.is_empty().then_some(hashes)
}

fn proof(mut input: &[u8]) -> Option<(&Hash, &Hash, &[Hash])> {
    let first = take(&mut input, 32)?.first_chunk()?;
    let second = take(&mut input, 32)?.first_chunk()?;
    Some((first, second, hashes(input)?))
}

/// Returns a tree size or index, 0 to 2^53-1.
fn size_of(number: f64) -> Option<u64> {
    let is_size = (0.0..9_007_199_254_740_992.0).contains(&number) && number.fract() == 0.0;
    is_size.then_some(number as u64)
}

fn answer(state: &mut State, output: Option<Vec<u8>>) -> u32 {
    match output {
        Some(output) => {
            state.output = output;
            0
        }
        None => REFUSED,
    }
}
