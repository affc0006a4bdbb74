//! The public keys of one call, each decompressed once.

use super::point;
use curve25519_dalek::edwards::EdwardsPoint;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Public keys by their encoding. A search tree and not a hash table: nobody can choose keys that make it slow.
#[derive(Default)]
pub(super) struct Keys<'a> {
    /// Where the key's point stands; `None` for a refused key, so that it is judged only once too.
    numbers: BTreeMap<&'a [u8; 32], Option<usize>>,
    points: Vec<EdwardsPoint>,
}

impl<'a> Keys<'a> {
    /// The number of a key; `None` where its encoding is not canonical, or the point is of small order.
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

    /// The point A of the key with this number, as [`Keys::number`] gave it.
    pub(super) fn point(&self, number: usize) -> EdwardsPoint {
        self.points[number]
    }
}
