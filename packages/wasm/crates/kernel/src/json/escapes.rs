//! The escapes of JSON strings: their characters, and which escapes RFC 8785 section 3.2.2.2 would write.

use super::{Code, Error};

/// One escape, or the two of a surrogate pair.
pub(super) struct Escape {
    /// Its character.
    pub(super) character: char,
    /// Its length in bytes, the backslash included.
    pub(super) length: usize,
    /// Whether the canonical form writes this character in exactly this way.
    pub(super) canonical: bool,
}

/// Reads the escape whose backslash is at `at`.
pub(super) fn read(text: &[u8], at: usize) -> Result<Escape, Error> {
    let short = |character| {
        Ok(Escape {
            character,
            length: 2,
            canonical: true,
        })
    };
    match text.get(at + 1) {
        Some(b'"') => short('"'),
        Some(b'\\') => short('\\'),
        Some(b'b') => short('\u{8}'),
        Some(b'f') => short('\u{c}'),
        Some(b'n') => short('\n'),
        Some(b'r') => short('\r'),
        Some(b't') => short('\t'),
        Some(b'/') => Ok(Escape {
            character: '/',
            length: 2,
            canonical: false,
        }),
        Some(b'u') => read_code_units(text, at),
        _ => Err(Error {
            code: Code::Malformed,
            offset: at + 1,
        }),
    }
}

fn read_code_units(text: &[u8], at: usize) -> Result<Escape, Error> {
    let first = code_unit(text, at + 2)?;
    if let Some(character) = char::from_u32(first) {
        return Ok(Escape {
            character,
            length: 6,
            canonical: is_canonical(text, at, character),
        });
    }
    // A surrogate: only a high one followed by a complete low one encodes a character.
    let low = match text.get(at + 6..at + 8) {
        Some(b"\\u") if first < 0xdc00 => code_unit(text, at + 8).unwrap_or(0),
        _ => 0,
    };
    match char::from_u32(0x10000 + ((first & 0x3ff) << 10) + (low & 0x3ff)) {
        Some(character) if (0xdc00..0xe000).contains(&low) => Ok(Escape {
            character,
            length: 12,
            canonical: false,
        }),
        _ => Err(Error {
            code: Code::InvalidUnicode,
            offset: at,
        }),
    }
}

/// Returns the number of the four hex digits at `at`; the error is at the first byte that is no digit.
fn code_unit(text: &[u8], at: usize) -> Result<u32, Error> {
    let mut unit = 0;
    for offset in at..at + 4 {
        let digit = text.get(offset).and_then(|&byte| char::from(byte).to_digit(16));
        unit = unit * 16
            + digit.ok_or(Error {
                code: Code::Malformed,
                offset,
            })?;
    }
    Ok(unit)
}

/// Says whether `\uXXXX` at `at` is the canonical form of this character: a control character without a short escape,
/// in lowercase.
fn is_canonical(text: &[u8], at: usize, character: char) -> bool {
    character < ' '
        && !matches!(character, '\u{8}' | '\t' | '\n' | '\u{c}' | '\r')
        && text.get(at + 5).is_some_and(|digit| !digit.is_ascii_uppercase())
}

/// Appends the canonical form of a character inside a string.
pub(super) fn write(character: char, out: &mut Vec<u8>) {
    match character {
        '"' => out.extend_from_slice(b"\\\""),
        '\\' => out.extend_from_slice(b"\\\\"),
        '\u{8}' => out.extend_from_slice(b"\\b"),
        '\t' => out.extend_from_slice(b"\\t"),
        '\n' => out.extend_from_slice(b"\\n"),
        '\u{c}' => out.extend_from_slice(b"\\f"),
        '\r' => out.extend_from_slice(b"\\r"),
        control if control < ' ' => {
            out.extend_from_slice(b"\\u00");
            let code = control as u8;
            out.extend([code >> 4, code & 15].map(|digit| b"0123456789abcdef"[usize::from(digit)]));
        }
        other => out.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

/// Appends the value of a string literal's inside, which has been checked.
pub(super) fn unescape(raw: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while at < raw.len() {
        let next = super::scan::special(raw, at);
        out.extend_from_slice(&raw[at..next]);
        at = next;
        if at == raw.len() {
            break;
        }
        match read(raw, at) {
            Ok(escape) => {
                out.extend_from_slice(escape.character.encode_utf8(&mut [0; 4]).as_bytes());
                at += escape.length;
            }
            Err(_) => at += 1,
        }
    }
}
