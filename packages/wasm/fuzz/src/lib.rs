//! The properties of the kernel for every input. Each `check` takes any bytes and panics if a property does not hold.
#![forbid(unsafe_code)]

pub mod ed25519;
pub mod inflate;
mod input;
pub mod json;
pub mod merkle;
pub mod records;
pub mod sha256;
