//! The coefficients of a batch equation (protocol section 3), derived from everything in the equation.
//!
//! A signer knows the coefficients only after every signature is fixed. To let errors cancel out he would have to find
//! a batch whose hash happens to suit them: 2^128 tries. So a batch needs no randomness, and its course can be
//! repeated.

use super::Item;
use sha2::{Digest, Sha512};

/// The first bytes of the seed's input, so that it never equals a hash for another purpose.
const TAG: &[u8] = b"SVC-PROOFSTREAM-001/ed25519-batch\n";

/// Returns the seed of a batch: SHA-512(tag ‖ n ‖ for each item: A ‖ R ‖ S ‖ SHA-512(R ‖ A ‖ M)), with n as 8 bytes,
/// little-endian.
///
/// Takes the items that passed their own checks, in order, each with its SHA-512(R ‖ A ‖ M), which is not checked here.
pub fn seed<'a>(items: impl ExactSizeIterator<Item = (&'a Item<'a>, &'a [u8; 64])>) -> [u8; 64] {
    let mut hash = Sha512::new()
        .chain_update(TAG)
        .chain_update((items.len() as u64).to_le_bytes());
    for (item, digest) in items {
        hash.update(item.public_key);
        hash.update(item.signature);
        hash.update(digest);
    }
    hash.finalize().into()
}

/// Returns the coefficient of the item with this index, counted from 0 over the items of the seed: the first 16 bytes,
/// little-endian, of SHA-512(seed ‖ index as 8 bytes, little-endian); 1 if they are all 0, because an item must not
/// drop out of the equation.
pub fn coefficient(seed: &[u8; 64], index: u64) -> u128 {
    let hash = Sha512::new()
        .chain_update(seed)
        .chain_update(index.to_le_bytes())
        .finalize();
    let number = hash
        .iter()
        .take(16)
        .rev()
        .fold(0, |number, &byte| number << 8 | u128::from(byte));
    number.max(1)
}
