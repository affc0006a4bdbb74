//! Inflating, rule by rule (RFC 1951): streams made bit by bit, each with one fault, beside one that is accepted. The
//! corpus of fuzzing has what compressors write, and so have the tests of both kernels.

use svc_kernel::inflate::Inflater;

/// Writes a stream from texts of 0 and 1 in the order of reading; the bits behind its end are zeros.
fn packed(bits: &str) -> Vec<u8> {
    bits.as_bytes()
        .chunks(8)
        .map(|eight| eight.iter().rev().fold(0, |byte, bit| byte << 1 | (bit - b'0')))
        .collect()
}

/// Returns a number of so many bits, its lowest first.
fn number(value: u32, bits: u32) -> String {
    (0..bits)
        .map(|bit| if value >> bit & 1 == 1 { '1' } else { '0' })
        .collect()
}

/// Returns a code of so many bits, its highest first.
fn code(value: u32, bits: u32) -> String {
    number(value, bits).chars().rev().collect()
}

/// Returns the fixed code of a literal byte below 144, of the end or of a length (section 3.2.6).
fn fixed(symbol: u32) -> String {
    match symbol {
        0..144 => code(0x30 + symbol, 8),
        256..280 => code(symbol - 256, 7),
        _ => code(0xc0 + symbol - 280, 8),
    }
}

const LAST_STORED: &str = "100";
const LAST_FIXED: &str = "110";
const LAST_DYNAMIC: &str = "101";

/// Returns the head of a last block that states these numbers of codes, with codes of 4 bits for the code lengths 0 to
/// 12 and of 5 bits for the others, and then these code lengths.
fn dynamic(literals: u32, distances: u32, lengths: &[u32]) -> String {
    let mut bits = [
        LAST_DYNAMIC,
        &number(literals - 257, 5),
        &number(distances - 1, 5),
        &number(15, 4),
    ]
    .concat();
    for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] {
        bits += &number(if symbol < 13 { 4 } else { 5 }, 3);
    }
    bits + &lengths.iter().map(|&length| stated(length)).collect::<String>()
}

fn stated(symbol: u32) -> String {
    if symbol < 13 {
        code(symbol, 4)
    } else {
        code(26 + symbol - 13, 5)
    }
}

/// Returns code lengths: so many zeros, but for these.
fn lengths(count: usize, own: &[(usize, u32)]) -> Vec<u32> {
    let mut lengths = vec![0; count];
    for &(symbol, length) in own {
        lengths[symbol] = length;
    }
    lengths
}

/// Inflates a stream, so many bytes of it at a time.
fn inflated(stream: &[u8], size: usize, window: usize) -> Option<Vec<u8>> {
    let mut inflater = Inflater::EMPTY;
    // Whatever was before it changes nothing.
    inflater.begin(7);
    let _ = inflater.read(&packed(&[LAST_FIXED, &fixed(97), &fixed(98)].concat()), false);
    inflater.begin(size as u64);
    let (mut at, mut out) = (0usize, Vec::new());
    loop {
        let end = at.saturating_add(window).min(stream.len());
        let read = inflater.read(&stream[at..end], end == stream.len())?;
        assert!(inflater.piece().len() <= 98_304);
        out.extend_from_slice(inflater.piece());
        assert!(out.len() <= size);
        at += read;
        if at == stream.len() {
            return Some(out);
        }
    }
}

#[track_caller]
fn refused(bits: &str, size: usize) {
    assert_eq!(inflated(&packed(bits), size, usize::MAX), None);
}

#[track_caller]
fn accepted(bits: &str, expected: &[u8]) {
    assert_eq!(
        inflated(&packed(bits), expected.len(), usize::MAX).as_deref(),
        Some(expected)
    );
}

fn end() -> String {
    fixed(256)
}

#[test]
fn a_stream_ends_where_its_last_block_does() {
    let a = [LAST_FIXED, &fixed(97)].concat();
    accepted(&[&a, &end()[..]].concat(), b"a");
    refused("", 0);
    refused(&a, 1);
    refused(LAST_STORED, 0);
    refused(&["010", &fixed(97), &end()].concat(), 1);
    refused(&[&a, &end(), &"0".repeat(14)[..]].concat(), 1);
    for bit in 0..6 {
        refused(&[&a, &end(), &"0".repeat(bit)[..], "1"].concat(), 1);
    }
}

#[test]
fn a_stored_block_states_its_length_twice_behind_zeros() {
    let stored = |gap: &str, length: u32, other: u32| {
        [
            LAST_STORED,
            gap,
            &number(length, 16),
            &number(other, 16),
            &number(0x6261, 16),
        ]
        .concat()
    };
    accepted(&stored("00000", 2, 0xfffd), b"ab");
    refused(&stored("00010", 2, 0xfffd), 2);
    refused(&stored("00000", 2, 0xfffc), 2);
    refused(&stored("00000", 3, 0xfffc), 3);
    refused(&stored("00000", 1, 0xfffe), 1);
    refused(&["111", &"0".repeat(60)].concat(), 0);
}

#[test]
fn codes_are_complete_but_for_a_single_one_of_one_bit() {
    let with = |literals: &[(usize, u32)], distance: u32, symbols: &str| {
        [
            &dynamic(257, 1, &[lengths(257, literals), vec![distance]].concat()),
            symbols,
        ]
        .concat()
    };
    accepted(&with(&[(97, 1), (256, 1)], 0, "01"), b"a");
    accepted(&with(&[(256, 1)], 1, "0"), b"");
    refused(&with(&[(256, 1)], 1, "1000000000"), 0);
    refused(&with(&[(97, 2), (256, 1)], 0, "0000"), 0);
    refused(&with(&[(256, 2)], 0, "0000"), 0);
    refused(&with(&[(97, 1), (256, 1)], 2, "0000"), 0);
    refused(&with(&[(97, 1), (98, 1), (256, 1)], 0, "0000"), 0);
    refused(&with(&[(97, 1), (98, 1)], 0, "0000"), 0);
    let single = [
        LAST_DYNAMIC,
        &"0".repeat(10),
        &number(0, 4),
        "100000000000",
        &"0".repeat(300),
    ]
    .concat();
    refused(&single, 0);
    let none = [LAST_DYNAMIC, &"0".repeat(10), &number(0, 4), &"0".repeat(300)].concat();
    refused(&none, 0);
}

#[test]
fn a_block_states_no_more_than_there_is() {
    let most = [lengths(286, &[(97, 1), (256, 1)]), lengths(30, &[(0, 1)])].concat();
    accepted(&[&dynamic(286, 30, &most)[..], "01"].concat(), b"a");
    for (literals, distances) in [(287, 1), (288, 1), (257, 31), (257, 32)] {
        refused(&[&dynamic(literals, distances, &most)[..], "01"].concat(), 1);
    }
    let zeros = lengths(255, &[]);
    let run = |symbol, more: &str| [&dynamic(257, 3, &[&zeros[..], &[1, 1, symbol]].concat()), more, "01"].concat();
    accepted(&run(17, "000"), &[255]);
    refused(&run(17, "100"), 1);
    refused(&run(18, "0000000"), 1);
    refused(&[&dynamic(257, 1, &[16]), &"0".repeat(300)[..]].concat(), 0);
}

#[test]
fn symbols_without_a_meaning_are_refused_and_copies_from_before_the_beginning() {
    let a = [LAST_FIXED, &fixed(97)].concat();
    let copy = |length: u32, distance: u32| [&a[..], &fixed(length), &code(distance, 5), &end()].concat();
    accepted(&copy(257, 0), b"aaaa");
    accepted(&copy(285, 0), &[b'a'; 259]);
    refused(&copy(257, 1), 4);
    refused(&copy(257, 30), 4);
    refused(&copy(257, 31), 4);
    for symbol in [286, 287] {
        refused(&[&a[..], &fixed(symbol), &"0".repeat(20)].concat(), 4);
    }
}

#[test]
fn exactly_the_declared_bytes_come_out() {
    let four = [LAST_FIXED, &fixed(97).repeat(4), &end()].concat();
    let copied = [LAST_FIXED, &fixed(97), &fixed(257), &code(0, 5), &end()].concat();
    let stored = [
        LAST_STORED,
        "00000",
        &number(4, 16),
        &number(0xfffb, 16),
        &number(0x6161_6161, 32),
    ]
    .concat();
    for bits in [four, copied, stored] {
        accepted(&bits, b"aaaa");
        for size in [0, 1, 3] {
            refused(&bits, size);
        }
        refused(&bits, 5);
    }
}

#[test]
fn codes_of_every_length_are_read() {
    // The codes of symbols 0 to 14 have 1 to 15 bits, all of them ones but for the last.
    let own: Vec<(usize, u32)> = (0..15).map(|at| (at, at as u32 + 1)).chain([(256, 15)]).collect();
    let head = dynamic(257, 1, &[lengths(257, &own), vec![0]].concat());
    let symbols: String = (0..15).map(|at| ["1".repeat(at), "0".into()].concat()).collect();
    let text = [&head[..], &symbols, &"1".repeat(15)].concat();
    accepted(&text, &(0..15).collect::<Vec<u8>>());
}

#[test]
fn input_and_output_in_pieces_change_nothing() {
    let mut state = 1u32;
    let mut next = move || {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        state >> 16
    };
    let mut bits = String::new();
    let mut expected: Vec<u8> = Vec::new();
    // Blocks of both kinds, until the past has been moved several times.
    while expected.len() < 400_000 {
        let bytes: Vec<u8> = (0..next() % 5000).map(|_| next() as u8).collect();
        bits += "000";
        bits += &"0".repeat((8 - bits.len() % 8) % 8);
        bits += &[number(bytes.len() as u32, 16), number(!bytes.len() as u32 & 0xffff, 16)].concat();
        bits.extend(bytes.iter().map(|&byte| number(byte.into(), 8)));
        expected.extend(bytes);
        bits += "010";
        for _ in 0..next() % 3000 {
            let literal = next() % 144;
            bits += &fixed(literal);
            expected.push(literal as u8);
            // The longest copy, from 24,577 + 8,191 or from 1,025 + 511 bytes before.
            let (symbol, distance, added) = if next() % 2 == 0 {
                (29, 32_768, 13)
            } else {
                (20, 1_536, 9)
            };
            if expected.len() >= distance {
                bits += &[fixed(285), code(symbol, 5), "1".repeat(added)].concat();
                for _ in 0..258 {
                    expected.push(expected[expected.len() - distance]);
                }
            }
        }
        bits += &end();
    }
    bits += &[LAST_FIXED, &end()].concat();
    let stream = packed(&bits);
    for window in [1000, 1001, 1500, 4096, 65_536, usize::MAX] {
        assert!(
            inflated(&stream, expected.len(), window) == Some(expected.clone()),
            "{window}"
        );
        assert_eq!(inflated(&stream, expected.len() + 1, window), None);
        assert_eq!(inflated(&stream, expected.len() - 1, window), None);
        assert_eq!(inflated(&stream[..stream.len() - 1], expected.len(), window), None);
    }
}

#[test]
fn a_stream_cut_off_where_a_piece_is_full_has_not_ended() {
    // 380 of the longest copies fill a piece up to 263 bytes; the next symbol begins with a byte.
    for more in 0..300 {
        let head = [
            LAST_FIXED,
            &fixed(97).repeat(1 + more),
            &[fixed(285), code(0, 5)].concat().repeat(380),
        ]
        .concat();
        let size = 1 + more + 380 * 258;
        accepted(&[&head[..], &end()].concat(), &vec![b'a'; size]);
        for missing in 0..8 {
            refused(
                &[&head[..], &end()[..missing.min(7)]].concat()[..(head.len() + missing) / 8 * 8],
                size,
            );
        }
    }
}
