//! The word at one place of SHA-256, for each of four messages side by side.
//!
//! There are two types of the same name and meaning: the portable one is four plain words, and shows what each
//! operation does. The compiler does not turn it into SIMD instructions by itself (measured: half as fast in
//! WebAssembly), hence the second one.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use portable::Lanes;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::Lanes;

/// How many messages are hashed side by side.
pub const LANES: usize = 4;
