//! The computing core of every verifier: strict JSON, canonical bytes, digests, RFC 6962 trees, Ed25519, inflating.
//!
//! Bytes in, bytes out; it knows no protocol object, reads nothing but its arguments, and no input makes it panic.
#![forbid(unsafe_code)]

/// Ed25519 verification, one signature or many (protocol section 3).
pub mod ed25519;
/// Strict inflating, in pieces (RFC 1951, protocol section 15).
pub mod inflate;
/// Strict I-JSON and RFC 8785 canonical bytes (protocol section 2).
pub mod json;
/// RFC 6962 trees: roots, frontiers, proofs (protocol section 1).
pub mod merkle;
mod order;
/// Many records of one canonical text, hashed and checked in one call.
pub mod records;
/// SHA-256 of one message, of pieces, and of many messages at once.
pub mod sha256;
