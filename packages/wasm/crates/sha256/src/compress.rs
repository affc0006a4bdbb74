//! The SHA-256 compression function (FIPS 180-4 section 6.2.2), of one message or of four at once.

use super::lanes::{LANES, Lanes};
use super::word::{Plain, Word};

/// The initial hash value, FIPS 180-4 section 5.3.3.
pub const INITIAL: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// The round constants, FIPS 180-4 section 4.2.2, by sixteen rounds.
#[rustfmt::skip]
const ROUND_CONSTANTS: [[u32; 16]; 4] = [
    [0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
     0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174],
    [0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
     0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967],
    [0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
     0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070],
    [0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
     0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2],
];

/// The state of one message or of four, word by word.
pub type State<W> = [W; 8];

/// One block of 64 bytes of each message, word by word.
pub type Block<W> = [W; 16];

/// The words of one block of one message.
#[inline(always)]
pub fn load_one(block: &[u8; 64]) -> Block<Plain> {
    core::array::from_fn(|word| Plain(u32::from_be_bytes(word_at(block, word))))
}

/// The words of one block of each of four messages.
#[inline(always)]
pub fn load(blocks: [&[u8; 64]; LANES]) -> Block<Lanes> {
    core::array::from_fn(|word| Lanes::from_be_bytes(blocks.map(|block| word_at(block, word))))
}

#[inline(always)]
fn word_at(block: &[u8; 64], word: usize) -> [u8; 4] {
    let at = 4 * word;
    [block[at], block[at + 1], block[at + 2], block[at + 3]]
}

/// One round. The eight words do not move: the caller names them in their current order. These are macros, because the
/// compiler does not unroll a loop this long, and then every word goes through memory.
macro_rules! round {
    ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $constant:expr, $word:expr) => {
        let sum1 = $e.rotate_right(6) ^ $e.rotate_right(11) ^ $e.rotate_right(25);
        let choice = $g ^ ($e & ($f ^ $g));
        let first = $h + W::splat($constant) + $word + sum1 + choice;
        let sum0 = $a.rotate_right(2) ^ $a.rotate_right(13) ^ $a.rotate_right(22);
        let majority = $b ^ (($a ^ $b) & ($b ^ $c));
        $d = $d + first;
        $h = first + sum0 + majority;
    };
}

/// Sixteen rounds, after which the words of the state are back in their places. After each one, `$next` may renew the
/// word just used.
macro_rules! sixteen_rounds {
    ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $k:ident, $w:ident, $next:expr) => {
        sixteen_rounds!(@eight $a $b $c $d $e $f $g $h, $k, $w, $next, 0);
        sixteen_rounds!(@eight $a $b $c $d $e $f $g $h, $k, $w, $next, 8);
    };
    (
        @eight $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident,
        $k:ident, $w:ident, $next:expr, $at:literal
    ) => {
        round!($a $b $c $d $e $f $g $h, $k[$at], $w[$at]);
        $next(&mut $w, $at);
        round!($h $a $b $c $d $e $f $g, $k[$at + 1], $w[$at + 1]);
        $next(&mut $w, $at + 1);
        round!($g $h $a $b $c $d $e $f, $k[$at + 2], $w[$at + 2]);
        $next(&mut $w, $at + 2);
        round!($f $g $h $a $b $c $d $e, $k[$at + 3], $w[$at + 3]);
        $next(&mut $w, $at + 3);
        round!($e $f $g $h $a $b $c $d, $k[$at + 4], $w[$at + 4]);
        $next(&mut $w, $at + 4);
        round!($d $e $f $g $h $a $b $c, $k[$at + 5], $w[$at + 5]);
        $next(&mut $w, $at + 5);
        round!($c $d $e $f $g $h $a $b, $k[$at + 6], $w[$at + 6]);
        $next(&mut $w, $at + 6);
        round!($b $c $d $e $f $g $h $a, $k[$at + 7], $w[$at + 7]);
        $next(&mut $w, $at + 7);
    };
}

/// Takes one block of each message into its state. It is a separate call for each block: engines optimize a function
/// when it is called again, and a loop over a long message would keep its first compilation.
#[inline(never)]
pub fn compress<W: Word>(state: &mut State<W>, mut words: Block<W>) {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    let [first @ .., last] = &ROUND_CONSTANTS;
    for constants in first {
        sixteen_rounds!(a b c d e f g h, constants, words, extend);
    }
    sixteen_rounds!(a b c d e f g h, last, words, |_: &mut Block<W>, _: usize| {});
    for (word, change) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = *word + change;
    }
}

/// Replaces the word at `at` of the message schedule by the one sixteen rounds later.
#[inline(always)]
fn extend<W: Word>(words: &mut Block<W>, at: usize) {
    let early = words[(at + 1) % 16];
    let late = words[(at + 14) % 16];
    let sigma0 = early.rotate_right(7) ^ early.rotate_right(18) ^ early.shift_right(3);
    let sigma1 = late.rotate_right(17) ^ late.rotate_right(19) ^ late.shift_right(10);
    words[at] = words[at] + sigma0 + words[(at + 9) % 16] + sigma1;
}

/// Returns the hashes of the final states.
#[inline(always)]
pub fn to_hashes(state: &State<Lanes>) -> [[u8; 32]; LANES] {
    let words = state.map(Lanes::to_be_bytes);
    core::array::from_fn(|lane| concat(words.map(|word| word[lane])))
}

/// Returns the hash of the final state of one message.
pub fn to_hash(state: State<Plain>) -> [u8; 32] {
    concat(state.map(|Plain(word)| word.to_be_bytes()))
}

/// Returns the state of one message from a hash.
pub fn from_hash(hash: &[u8; 32]) -> State<Plain> {
    let (words, _) = hash.as_chunks();
    let mut state = INITIAL.map(Plain);
    for (place, &word) in state.iter_mut().zip(words) {
        *place = Plain(u32::from_be_bytes(word));
    }
    state
}

#[inline(always)]
fn concat(words: [[u8; 4]; 8]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (chunk, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *chunk = word;
    }
    bytes
}
