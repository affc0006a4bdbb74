//! RFC 6962 sections 2.1, 2.1.1 and 2.1.2 (MTH, PATH, PROOF and SUBPROOF) as recursions over ranges of leaves, and the
//! same recursions run backwards from a given path to a root.

use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::HashMap;
use svc_kernel::merkle::Hash;

pub fn node(left: Hash, right: Hash) -> Hash {
    Sha256::new()
        .chain_update([1])
        .chain_update(left)
        .chain_update(right)
        .finalize()
        .into()
}

/// Returns the largest power of two smaller than n.
pub fn split(n: u64) -> u64 {
    let mut k = 1;
    while k * 2 < n {
        k *= 2;
    }
    k
}

/// A tree that remembers the hash of each range it was asked for.
pub struct Tree {
    leaves: Vec<Hash>,
    known: RefCell<HashMap<(usize, usize), Hash>>,
}

impl Tree {
    pub fn new(leaves: Vec<Hash>) -> Self {
        Self {
            leaves,
            known: RefCell::default(),
        }
    }

    /// Returns MTH(D[from:to]) of at least one leaf.
    pub fn mth(&self, from: usize, to: usize) -> Hash {
        if to - from == 1 {
            return self.leaves[from];
        }
        if let Some(&hash) = self.known.borrow().get(&(from, to)) {
            return hash;
        }
        let k = from + split((to - from) as u64) as usize;
        let hash = node(self.mth(from, k), self.mth(k, to));
        self.known.borrow_mut().insert((from, to), hash);
        hash
    }

    /// Returns PATH(m, D[from:to]).
    pub fn path(&self, m: usize, from: usize, to: usize) -> Vec<Hash> {
        if to - from == 1 {
            return Vec::new();
        }
        let k = split((to - from) as u64) as usize;
        if m < k {
            [self.path(m, from, from + k), vec![self.mth(from + k, to)]].concat()
        } else {
            [self.path(m - k, from + k, to), vec![self.mth(from, from + k)]].concat()
        }
    }

    /// Returns SUBPROOF(m, D[from:to], b); PROOF(m, D[n]) is SUBPROOF(m, D[n], true).
    pub fn subproof(&self, m: usize, from: usize, to: usize, b: bool) -> Vec<Hash> {
        if m == to - from {
            return if b { Vec::new() } else { vec![self.mth(from, to)] };
        }
        let k = split((to - from) as u64) as usize;
        if m <= k {
            [self.subproof(m, from, from + k, b), vec![self.mth(from + k, to)]].concat()
        } else {
            [
                self.subproof(m - k, from + k, to, false),
                vec![self.mth(from, from + k)],
            ]
            .concat()
        }
    }
}

/// Returns the root to which a path for leaf m of n leads; None for a path of another length than (m, n) demands.
pub fn root_by_path(leaf: Hash, m: u64, n: u64, path: &[Hash]) -> Option<Hash> {
    if n == 1 {
        return path.is_empty().then_some(leaf);
    }
    let (&last, path) = path.split_last()?;
    let k = split(n);
    if m < k {
        Some(node(root_by_path(leaf, m, k, path)?, last))
    } else {
        Some(node(last, root_by_path(leaf, m - k, n - k, path)?))
    }
}

/// Returns the old and the new root to which a consistency path from m to n leaves leads; None for a path of another
/// length. `known` is the old root, as long as the old tree may be a subtree of the new one.
pub fn roots_by_path(m: u64, n: u64, known: Option<Hash>, path: &[Hash]) -> Option<(Hash, Hash)> {
    if m == n {
        return match (known, path) {
            (Some(root), []) => Some((root, root)),
            (None, [root]) => Some((*root, *root)),
            _ => None,
        };
    }
    let (&last, path) = path.split_last()?;
    let k = split(n);
    if m <= k {
        let (old, new) = roots_by_path(m, k, known, path)?;
        Some((old, node(new, last)))
    } else {
        let (old, new) = roots_by_path(m - k, n - k, None, path)?;
        Some((node(last, old), node(last, new)))
    }
}
