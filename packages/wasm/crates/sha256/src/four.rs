//! SHA-256 of four messages side by side, and of one message alone.

use super::Hash;
use super::compress::{INITIAL, State, compress, from_hash, load, load_one, to_hash, to_hashes};
use super::lanes::{LANES, Lanes};
use super::padded::Padded;
use super::word::{Plain, Word};

/// Returns the hashes of four messages. It is fastest if all have the same number of blocks.
pub fn hash_four(messages: [Padded; LANES]) -> [Hash; LANES] {
    let common = messages.iter().map(|message| message.block_count()).min().unwrap_or(0);
    let mut state: State<Lanes> = INITIAL.map(Lanes::splat);
    let mut buffers = [[0; 64]; LANES];
    for index in 0..common {
        let [m0, m1, m2, m3] = &messages;
        let [b0, b1, b2, b3] = &mut buffers;
        compress(
            &mut state,
            load([
                m0.block(index, b0),
                m1.block(index, b1),
                m2.block(index, b2),
                m3.block(index, b3),
            ]),
        );
    }
    let mut hashes = to_hashes(&state);
    for (lane, message) in messages.iter().enumerate() {
        if message.block_count() > common {
            hashes[lane] = finish(message, common, state.map(|word| Plain(word.to_array()[lane])));
        }
    }
    hashes
}

/// Returns the hashes of four messages of `BLOCKS` blocks each, which the caller has padded by FIPS 180-4 section
/// 5.1.1.
pub fn hash_four_padded<const BLOCKS: usize>(messages: &[[[u8; 64]; BLOCKS]; LANES]) -> [Hash; LANES] {
    let mut state: State<Lanes> = INITIAL.map(Lanes::splat);
    for index in 0..BLOCKS {
        compress(&mut state, load(messages.each_ref().map(|message| &message[index])));
    }
    to_hashes(&state)
}

/// Returns the hash of one message.
pub fn hash_one(message: &Padded) -> Hash {
    finish(message, 0, INITIAL.map(Plain))
}

/// Returns the state, most significant bytes first, after blocks that continue a state. Nothing is padded: the caller
/// knows the meaning of a state.
pub fn continued(state: &Hash, blocks: &[[u8; 64]]) -> Hash {
    let mut state: State<Plain> = from_hash(state);
    for block in blocks {
        take(&mut state, block);
    }
    to_hash(state)
}

/// Returns the hash of a message from its state before the block at `from`.
fn finish(message: &Padded, from: u64, mut state: State<Plain>) -> Hash {
    let mut buffer = [0; 64];
    for index in from..message.block_count() {
        take(&mut state, message.block(index, &mut buffer));
    }
    to_hash(state)
}

/// Takes one block of one message. Not inlined, for size.
#[inline(never)]
fn take(state: &mut State<Plain>, block: &[u8; 64]) {
    compress(state, load_one(block));
}
