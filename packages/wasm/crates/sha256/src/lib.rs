//! SHA-256 (FIPS 180-4) of one message, of pieces, and of four messages side by side.
//!
//! One message runs through the `sha2` crate; it is a chain of dependent steps that leaves most of a SIMD unit idle, hence the four.
//! A crate of its own, because it is compiled for speed and the rest of the kernel for size.
#![forbid(unsafe_code)]

mod compress;
mod four;
mod lanes;
mod padded;

pub use four::{hash_four, hash_four_padded, hash_one};
pub use lanes::LANES;
pub use padded::Padded;

use sha2::{Digest, Sha256};

/// A SHA-256 digest: 32 bytes.
pub type Hash = [u8; 32];

/// SHA-256 of bytes of any length.
pub fn sha256(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

/// SHA-256 of the concatenation of the pieces, which is never put together in memory.
pub fn sha256_pieces(pieces: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    for piece in pieces {
        hasher.update(piece);
    }
    hasher.finalize().into()
}
