//! The public keys of one call, each decompressed once.

use super::point;
use curve25519_dalek::edwards::EdwardsPoint;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Public keys by their encoding, in a search tree: unlike a hash table, it cannot be made slow by chosen keys.
#[derive(Default)]
pub(super) struct Keys<'a> {
    /// The index of the key's point; `None` for a refused key, so that it too is judged only once.
    numbers: BTreeMap<&'a [u8; 32], Option<usize>>,
    points: Vec<EdwardsPoint>,
}

impl<'a> Keys<'a> {
    /// Returns the number of a key; `None` if its encoding is not canonical, or the point is of small order.
    ///
    /// Numbers count from 0 in order of first appearance.
    pub(super) fn number(&mut self, encoding: &'a [u8; 32]) -> Option<usize> {
        match self.numbers.entry(encoding) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let number = point::decode(encoding).filter(|a| !a.is_small_order()).map(|a| {
                    self.points.push(a);
                    self.points.len() - 1
                });
                *new.insert(number)
            }
        }
    }

    /// Returns the point A of the key with this number, which comes from [`Keys::number`].
    pub(super) fn point(&self, number: usize) -> EdwardsPoint {
        self.points[number]
    }
}
