//! SHA-256 against known answers (FIPS 180-4 examples) and, message by message, against the `sha2` crate.

use sha2::{Digest, Sha256};
use svc_kernel::sha256::{Hash, continued, hash_many, sha256, sha256_prefixed};

/// Returns bytes without a pattern that a misplaced block would repeat.
fn bytes(length: usize) -> Vec<u8> {
    (0..length as u32)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect()
}

fn expected(prefix: &[u8], message: &[u8]) -> Hash {
    Sha256::new()
        .chain_update(prefix)
        .chain_update(message)
        .finalize()
        .into()
}

#[track_caller]
fn assert_many(prefix: &[u8], messages: &[&[u8]]) {
    let mut out = b"kept".to_vec();
    hash_many(prefix, messages, &mut out);
    let (kept, hashes) = out.split_at(4);
    assert_eq!(kept, b"kept");
    assert_eq!(hashes.len(), 32 * messages.len());
    for (hash, message) in hashes.chunks_exact(32).zip(messages) {
        assert_eq!(
            hash,
            expected(prefix, message),
            "prefix of {}, message of {}",
            prefix.len(),
            message.len()
        );
    }
}

fn hex(hash: Hash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn known_answers() {
    let million = vec![b'a'; 1_000_000];
    let answers: [(&[u8], &str); 4] = [
        (b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            b"abc",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        ),
        (
            b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ),
        (
            &million,
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
        ),
    ];
    for (message, answer) in answers {
        assert_eq!(hex(sha256(message)), answer);
        assert_eq!(hex(sha256_prefixed(b"", message)), answer);
        let mut out = Vec::new();
        hash_many(b"", &[message; 4], &mut out);
        assert!(out.chunks_exact(32).all(|hash| hash == sha256(message)));
    }
}

#[test]
fn every_length_alone_and_side_by_side() {
    let all = bytes(300);
    for length in 0..=300 {
        let message = &all[..length];
        assert_eq!(sha256(message), expected(b"", message));
        assert_many(b"", &[message]);
        assert_many(b"\0", &[message; 5]);
    }
}

#[test]
fn a_prefix_is_hashed_as_if_joined() {
    let all = bytes(200);
    for split in 0..=200 {
        assert_eq!(sha256_prefixed(&all[..split], &all[split..]), expected(b"", &all));
    }
}

#[test]
fn prefixes_of_every_length_up_to_three_blocks() {
    let (prefix, all) = (bytes(193), bytes(150));
    for length in 0..=prefix.len() {
        assert_many(&prefix[..length], &[&all, &all[..1], &all[..63], &all[..64], &all[3..]]);
    }
}

#[test]
fn many_mixed_lengths_in_one_call() {
    let all = bytes(2000);
    // 997 is prime to 1500, so lengths of all block counts come in no order.
    let messages: Vec<&[u8]> = (0..1501).map(|at| &all[at % 7..at % 7 + at * 997 % 1500]).collect();
    for count in [0, 1, 2, 3, 4, 5, 6, 7, 8, 1501] {
        assert_many(b"SVC-PROOFSTREAM-001/event\n", &messages[..count]);
    }
}

#[test]
fn lanes_do_not_mix() {
    // Four messages that differ in one lane only, at each lane and in each block.
    let base = bytes(180);
    for lane in 0..4 {
        for at in [0, 31, 63, 64, 127, 128, 179] {
            let mut other = base.clone();
            other[at] ^= 1;
            let mut messages = [&base[..]; 4];
            messages[lane] = &other;
            assert_many(b"", &messages);
        }
    }
}

#[test]
fn one_long_message_among_short_ones() {
    let long = bytes(100_000);
    assert_many(b"tag\n", &[b"", &long, b"b", b"c"]);
}

/// A message of whole blocks, padded by hand and taken in two pieces.
#[test]
fn a_state_goes_on_where_it_was() {
    let initial = [
        0x6a09e667u32,
        0xbb67ae85,
        0x3c6ef372,
        0xa54ff53a,
        0x510e527f,
        0x9b05688c,
        0x1f83d9ab,
        0x5be0cd19,
    ];
    let initial: Vec<u8> = initial.iter().flat_map(|word| word.to_be_bytes()).collect();
    let message = bytes(64 * 5);
    let mut padded = message.clone();
    padded.push(0x80);
    padded.resize(64 * 6 - 8, 0);
    padded.extend_from_slice(&(8 * message.len() as u64).to_be_bytes());
    let (blocks, rest) = padded.as_chunks::<64>();
    assert!(rest.is_empty());
    for split in 0..=blocks.len() {
        let (first, second) = blocks.split_at(split);
        let between = continued(&initial.as_slice().try_into().unwrap(), first);
        assert_eq!(continued(&between, second), expected(&[], &message), "split at {split}");
    }
}
