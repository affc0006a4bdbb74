//! Strict inflating: no stream panics, what zlib refuses is refused, what is accepted has zlib's content, only bits
//! that mean nothing are refused where zlib takes them, and pieces of input change nothing.

use crate::input::Input;
use flate2::{Decompress, FlushDecompress, Status};
use svc_kernel::inflate::Inflater;

/// The least input that is not the rest of a stream.
const MIN_WINDOW: usize = 1000;
/// Takes by how many times four bytes the pieces of input are longer than they must be, and a stream.
pub fn check(data: &[u8]) {
    let mut input = Input { rest: data };
    let window = MIN_WINDOW + 4 * usize::from(input.byte());
    let stream = input.rest;
    let Some((content, read)) = by_zlib(stream) else {
        for size in [0, 1, 1000, 1 << 20] {
            assert_eq!(
                inflated(stream, size, usize::MAX),
                None,
                "accepted here and not by zlib"
            );
            assert_eq!(inflated(stream, size, window), None);
        }
        return;
    };
    let found = inflated(stream, content.len(), usize::MAX);
    assert!(
        inflated(stream, content.len(), window) == found,
        "pieces of input change the result"
    );
    if found.is_none() {
        let plain = without_idle_bits(&stream[..read]);
        assert!(plain != stream, "refused here and not by zlib");
        assert!(inflated(&plain, content.len(), window) == Some(content));
        return;
    }
    assert_eq!(read, stream.len());
    for other in [content.len().saturating_sub(1), content.len() + 1] {
        assert_eq!(inflated(stream, other, window).is_some(), other == content.len());
    }
    assert!(found == Some(content), "another content than zlib's");
}

/// Returns a stream that zlib takes without the bits that change nothing for it.
fn without_idle_bits(stream: &[u8]) -> Vec<u8> {
    let taken = by_zlib(stream);
    let mut plain = stream.to_vec();
    for bit in 0..8 * plain.len() {
        let before = plain[bit / 8];
        plain[bit / 8] &= !(1 << (bit % 8));
        if plain[bit / 8] != before && by_zlib(&plain) != taken {
            plain[bit / 8] = before;
        }
    }
    plain
}

/// Inflates a stream, so many bytes of it at a time.
fn inflated(stream: &[u8], size: usize, window: usize) -> Option<Vec<u8>> {
    let mut inflater = Inflater::EMPTY;
    inflater.begin(size as u64);
    let (mut at, mut out) = (0usize, Vec::new());
    loop {
        let end = at.saturating_add(window).min(stream.len());
        let read = inflater.read(&stream[at..end], end == stream.len())?;
        let piece = inflater.piece();
        out.extend_from_slice(piece);
        assert!(out.len() <= size, "more than is declared");
        assert!(read > 0, "it does not go on");
        at += read;
        if at == stream.len() {
            return Some(out);
        }
    }
}

/// Returns what zlib gives, and how much of the stream it reads; None if it refuses.
fn by_zlib(stream: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut zlib = Decompress::new(false);
    let mut out = Vec::new();
    loop {
        out.reserve(1 << 16);
        let before = (zlib.total_in(), zlib.total_out());
        let status = zlib
            .decompress_vec(&stream[before.0 as usize..], &mut out, FlushDecompress::None)
            .ok()?;
        if status == Status::StreamEnd {
            return Some((out, zlib.total_in() as usize));
        }
        if (zlib.total_in(), zlib.total_out()) == before {
            return None;
        }
    }
}
