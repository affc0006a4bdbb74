//! SHA-256 (FIPS 180-4) of one message, with or without a prefix, and of four messages side by side.
//!
//! One message is a chain of dependent steps that leaves most of a SIMD unit idle, hence the four. It is a separate
//! crate, because it is compiled for speed and the rest of the kernel for size.
#![forbid(unsafe_code)]

mod compress;
mod four;
mod lanes;
mod padded;
mod word;

pub use four::{continued, hash_four, hash_four_padded, hash_one};
pub use lanes::LANES;
pub use padded::Padded;

/// A SHA-256 digest: 32 bytes.
pub type Hash = [u8; 32];

/// Returns the SHA-256 of bytes of any length.
pub fn sha256(bytes: &[u8]) -> Hash {
    hash_one(&Padded::new(&[], bytes))
}

/// Returns the SHA-256 of a prefix and a message, which are never joined in memory.
pub fn sha256_prefixed(prefix: &[u8], message: &[u8]) -> Hash {
    hash_one(&Padded::new(prefix, message))
}
