//! A signature that passed every check but the equation.

use super::{Item, Keys, point};
use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::scalar::Scalar;
use sha2::{Digest, Sha512};

/// A signature whose encodings are accepted, in its parts. The equation is still open.
pub(super) struct Candidate<'a> {
    pub item: &'a Item<'a>,
    /// The index of its verdict.
    pub index: usize,
    /// The number of A in the call's [`Keys`].
    pub key: usize,
    pub r: EdwardsPoint,
    pub s: Scalar,
    /// SHA-512(R ‖ A ‖ M), as the seed of a batch takes it.
    pub digest: [u8; 64],
    /// The digest mod L.
    pub k: Scalar,
    /// The coefficient in the batch equation; 1 until the batch has one.
    pub z: u128,
}

impl<'a> Candidate<'a> {
    /// Splits an item into its parts; `None` if an encoding is not canonical, S is not below L, or A is of small order.
    pub fn check(item: &'a Item<'a>, index: usize, keys: &mut Keys<'a>) -> Option<Self> {
        let (encoded_r, encoded_s) = item.signature.split_first_chunk::<32>()?;
        let s = Option::from(Scalar::from_canonical_bytes(encoded_s.try_into().ok()?))?;
        let key = keys.number(item.public_key)?;
        let r = point::decode(encoded_r)?;
        let digest: [u8; 64] = Sha512::new()
            .chain_update(encoded_r)
            .chain_update(item.public_key)
            .chain_update(item.message)
            .finalize()
            .into();
        // Reducing is right although A may have a torsion part: the cofactor removes that part on both sides.
        let k = Scalar::from_bytes_mod_order_wide(&digest);
        Some(Self {
            item,
            index,
            key,
            r,
            s,
            digest,
            k,
            z: 1,
        })
    }

    /// Says whether the signature's own equation holds: `[8](R + [k]A - [S]B)` is the identity.
    pub fn holds_alone(&self, keys: &Keys<'_>) -> bool {
        let difference = EdwardsPoint::vartime_double_scalar_mul_basepoint(&self.k, &keys.point(self.key), &-self.s);
        (difference + self.r).is_small_order()
    }
}
