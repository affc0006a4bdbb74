//! SHA-256 of many messages at once equals that of each alone.

use crate::input::Input;
use sha2::{Digest, Sha256};
use svc_kernel::sha256::{hash_many, sha256, sha256_prefixed};

/// Takes the length of a prefix, the prefix, and messages behind lengths of two bytes.
pub fn check(data: &[u8]) {
    let mut input = Input { rest: data };
    let prefix_length = usize::from(input.byte());
    let prefix = input.take(prefix_length);
    let mut messages = Vec::new();
    while !input.rest.is_empty() {
        let length = usize::from(u16::from_le_bytes(input.array()));
        messages.push(input.take(length));
    }
    let mut found = vec![0xaa; 5];
    hash_many(prefix, &messages, &mut found);
    let (kept, hashes) = found.split_at(5);
    assert_eq!(kept, [0xaa; 5]);
    assert_eq!(hashes.len(), messages.len() * 32);
    for (message, hash) in messages.iter().zip(hashes.chunks_exact(32)) {
        let wanted: [u8; 32] = Sha256::digest([prefix, message].concat()).into();
        assert_eq!(hash, wanted);
        assert_eq!(sha256_prefixed(prefix, message), wanted);
        assert_eq!(sha256(&[prefix, message].concat()), wanted);
    }
}
