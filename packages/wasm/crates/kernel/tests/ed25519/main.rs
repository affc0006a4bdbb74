//! Ed25519 by protocol section 3, against a naive transcription of the rules: the rules themselves, torsion, batches,
//! coefficients.

mod batches;
mod cancelling;
mod coefficients;
mod encodings;
mod naive;
mod rules;
mod signer;
mod torsion;
