//! Ed25519 verification with one meaning everywhere (protocol section 3): RFC 8032 with canonical encodings of A and R,
//! S below L, A not of small order, and the cofactored equation `[8][S]B = [8]R + [8][k]A`, where k = SHA-512(R ‖ A ‖
//! M) mod L.
//!
//! One equation checks many signatures; because both forms are cofactored, no verdict depends on its neighbours in the
//! batch. Nothing here signs, and nothing is constant-time: all input is public.

mod batch;
mod buckets;
mod candidate;
pub mod coefficients;
mod keys;
mod point;

use candidate::Candidate;
use keys::Keys;

/// The most items in one batch equation. Above some thousands the time for each signature hardly falls, while the
/// memory (about 800 bytes an item) still grows.
pub const MAX_BATCH: usize = 8192;

/// One signature to check. Its parts are untrusted bytes.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// The encoding of the point A, by RFC 8032.
    pub public_key: &'a [u8; 32],
    /// The encodings of the point R and of the scalar S.
    pub signature: &'a [u8; 64],
    /// The signed bytes, of any length.
    pub message: &'a [u8],
}

/// Checks each signature by protocol section 3. Returns one verdict for each item, in order, each equal to the result
/// of [`verify_one`].
///
/// Costs at most a small multiple of checking each item alone, for any number of bad signatures by anybody. Does not
/// check whose key it is, nor what the message says.
pub fn verify(items: &[Item<'_>]) -> Vec<bool> {
    let mut verdicts = vec![false; items.len()];
    // One table for all batches: a key is decompressed once, whatever the number of its signatures.
    let mut keys = Keys::default();
    for (items, verdicts) in items.chunks(MAX_BATCH).zip(verdicts.chunks_mut(MAX_BATCH)) {
        batch::verify(items, &mut keys, verdicts);
    }
    verdicts
}

/// Checks one signature by protocol section 3, by its own equation.
pub fn verify_one(item: &Item<'_>) -> bool {
    let mut keys = Keys::default();
    Candidate::check(item, 0, &mut keys).is_some_and(|candidate| candidate.holds_alone(&keys))
}
