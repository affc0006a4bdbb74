//! The coefficients, transcribed a second time from protocol section 3, and one computed outside of Rust.

use crate::naive::item;
use crate::signer::good;
use sha2::{Digest, Sha512};
use svc_kernel::ed25519::Item;
use svc_kernel::ed25519::coefficients::{coefficient, seed};

#[test]
fn as_the_protocol_says() {
    for n in [0, 1, 2, 5, 300] {
        let all = good(n, 3);
        let items: Vec<_> = all.iter().map(item).collect();
        let digest =
            |item: &Item<'_>| Sha512::digest([&item.signature[..32], item.public_key, item.message].concat()).into();
        let digests: Vec<[u8; 64]> = items.iter().map(digest).collect();
        let mut hashed = b"SVC-PROOFSTREAM-001/ed25519-batch\n".to_vec();
        hashed.extend([n as u8, (n >> 8) as u8, 0, 0, 0, 0, 0, 0]);
        for (item, digest) in items.iter().zip(&digests) {
            hashed.extend_from_slice(item.public_key);
            hashed.extend_from_slice(&item.signature[..32]);
            hashed.extend_from_slice(&item.signature[32..]);
            hashed.extend_from_slice(digest);
        }
        let expected: [u8; 64] = Sha512::digest(hashed).into();
        assert_eq!(seed(items.iter().zip(&digests)), expected);
        for i in 0..n {
            let hash = Sha512::digest([&expected[..], &[i as u8, (i >> 8) as u8, 0, 0, 0, 0, 0, 0]].concat());
            assert_eq!(
                coefficient(&expected, i as u64),
                u128::from_le_bytes(hash[..16].try_into().unwrap())
            );
        }
    }
}

/// Computed with Python's hashlib and `int.from_bytes`.
#[test]
fn a_known_value() {
    let signature = std::array::from_fn(|i| i as u8);
    let items = [
        Item {
            public_key: &[1; 32],
            signature: &[2; 64],
            message: b"is not read here",
        },
        Item {
            public_key: &[4; 32],
            signature: &signature,
            message: b"",
        },
    ];
    let seed = seed(items.iter().zip(&[[3; 64], [5; 64]]));
    assert_eq!(seed[..8], [0x91, 0x8f, 0xab, 0x32, 0x9e, 0x6d, 0x17, 0x4b]);
    assert_eq!(coefficient(&seed, 0), 0x1441fa4d8a688f45321964f8d7bbf9e3);
    assert_eq!(coefficient(&seed, 1), 0x6cb2b043f99daed7d10214c06ed7ac05);
    assert_eq!(coefficient(&seed, (1 << 32) + 1), 0x2eabdb387f699b69b7871614eb80a0cd);
}
