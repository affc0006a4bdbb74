//! SHA-256 of one message, with or without a prefix, and of many messages behind one prefix. It knows no tags: a tagged
//! digest is one with a prefix.

use crate::order;
pub use svc_sha256::{Hash, continued, sha256, sha256_prefixed};
use svc_sha256::{LANES, Padded, hash_four, hash_one};

/// Appends SHA-256(prefix || message), 32 bytes, of each message to `out`, in the order given. Lengths may differ; it
/// is fastest if many messages have an equal number of 64-byte blocks.
pub fn hash_many(prefix: &[u8], messages: &[&[u8]], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + messages.len() * 32, 0);
    let (hashes, _) = out[start..].as_chunks_mut::<32>();

    // Four messages side by side advance together, so they should end together.
    let mut order: Vec<(u64, u32)> = messages
        .iter()
        .zip(0u32..)
        .map(|(message, index)| (Padded::new(prefix, message).block_count(), index))
        .collect();
    order::sort(&mut order);

    let (groups, rest) = order.as_chunks::<LANES>();
    for group in groups {
        let found = hash_four(group.map(|(_, index)| Padded::new(prefix, messages[index as usize])));
        for (&(_, index), hash) in group.iter().zip(found) {
            hashes[index as usize] = hash;
        }
    }
    for &(_, index) in rest {
        hashes[index as usize] = hash_one(&Padded::new(prefix, messages[index as usize]));
    }
}
