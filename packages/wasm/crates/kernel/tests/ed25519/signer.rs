//! A signer by RFC 8032 section 5.1.6 for tests, which can also misbehave as an attacker would. It is not
//! constant-time.

use curve25519_dalek::constants::ED25519_BASEPOINT_POINT;
use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::scalar::{Scalar, clamp_integer};
use sha2::{Digest, Sha512};

/// A signature with everything that its check needs.
#[derive(Clone, Debug)]
pub struct Signed {
    pub public_key: [u8; 32],
    pub signature: [u8; 64],
    pub message: Vec<u8>,
}

/// A key pair, whose public key may be another one than [a]B.
#[derive(Clone)]
pub struct Signer {
    pub a: Scalar,
    prefix: [u8; 32],
    pub public_key: [u8; 32],
}

impl Signer {
    pub fn new(seed: &[u8; 32]) -> Self {
        let hash: [u8; 64] = Sha512::digest(seed).into();
        let (low, prefix) = hash.split_at(32);
        // Reducing the clamped number changes nothing in front of B, which has order L.
        let a = Scalar::from_bytes_mod_order(clamp_integer(low.try_into().unwrap()));
        let public_key = (a * ED25519_BASEPOINT_POINT).compress().to_bytes();
        Self {
            a,
            prefix: prefix.try_into().unwrap(),
            public_key,
        }
    }

    /// Returns the key pair of a seed of 32 such bytes.
    pub fn numbered(number: u8) -> Self {
        Self::new(&[number; 32])
    }

    /// Returns the same secret with another public key.
    pub fn showing(&self, public_key: [u8; 32]) -> Self {
        Self {
            public_key,
            ..self.clone()
        }
    }

    pub fn sign(&self, message: &[u8]) -> Signed {
        self.sign_astray(message, EdwardsPoint::default(), Scalar::ZERO)
    }

    /// Returns a signature whose R is off by a point and whose S is off by a number. Its k belongs to the R in the
    /// signature.
    pub fn sign_astray(&self, message: &[u8], r_error: EdwardsPoint, s_error: Scalar) -> Signed {
        let r = wide(&[&self.prefix, message]);
        let encoded_r = (r * ED25519_BASEPOINT_POINT + r_error).compress().to_bytes();
        let k = wide(&[&encoded_r, &self.public_key, message]);
        self.assemble(message, encoded_r, r + k * self.a + s_error)
    }

    /// Returns a signature with this R, whatever it encodes, and S = [k]a: the equation holds for encodings of a point
    /// of small order.
    pub fn sign_with_small_r(&self, message: &[u8], encoded_r: [u8; 32]) -> Signed {
        self.assemble(
            message,
            encoded_r,
            wide(&[&encoded_r, &self.public_key, message]) * self.a,
        )
    }

    fn assemble(&self, message: &[u8], encoded_r: [u8; 32], s: Scalar) -> Signed {
        let signature = [encoded_r, s.to_bytes()].concat().try_into().unwrap();
        Signed {
            public_key: self.public_key,
            signature,
            message: message.to_vec(),
        }
    }
}

/// Returns SHA-512 of the parts, mod L.
fn wide(parts: &[&[u8]]) -> Scalar {
    Scalar::from_bytes_mod_order_wide(&Sha512::digest(parts.concat()).into())
}

/// Returns so many good signatures, by so many keys in turn, each over its own message.
pub fn good(count: usize, keys: u8) -> Vec<Signed> {
    let signers: Vec<_> = (0..keys).map(Signer::numbered).collect();
    let in_turn = signers.iter().cycle().take(count).zip(0u64..);
    in_turn
        .map(|(signer, number)| signer.sign(&number.to_le_bytes()))
        .collect()
}
