//! Finds the parts of a text that is known to be canonical, so that they can be hashed unchanged.
//!
//! For other bytes the results mean nothing, but there is no panic and no endless loop.

use super::scan;

/// A part of a text: the offset of its first byte, and the offset behind its last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
}

impl Span {
    /// Returns the bytes of this part of a text.
    pub fn of<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// An element of an array, or a member of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The name with its quotes; empty in an array.
    pub name: Span,
    /// The value.
    pub value: Span,
}

/// Returns the elements or members of the array or object at `start`, in text order; none if something else is there.
pub fn members(text: &[u8], start: usize) -> Option<Members<'_>> {
    match text.get(start) {
        Some(b'{') => Some(Members {
            text,
            at: start + 1,
            named: true,
        }),
        Some(b'[') => Some(Members {
            text,
            at: start + 1,
            named: false,
        }),
        _ => None,
    }
}

/// Iterates over the elements of an array or the members of an object.
pub struct Members<'a> {
    text: &'a [u8],
    at: usize,
    named: bool,
}

impl Iterator for Members<'_> {
    type Item = Member;

    fn next(&mut self) -> Option<Member> {
        match self.text.get(self.at)? {
            b',' => self.at += 1,
            b'}' | b']' => return None,
            _ => {}
        }
        let start = self.at;
        let name_end = if self.named {
            end_of_value(self.text, start)
        } else {
            start
        };
        let value_start = name_end + usize::from(self.named); // the colon
        self.at = end_of_value(self.text, value_start);
        let value = Span {
            start: value_start,
            end: self.at,
        };
        (self.at > value_start).then_some(Member {
            name: Span { start, end: name_end },
            value,
        })
    }
}

/// Returns the value to which steps lead from the value at 0. Each is a canonical string literal: a member name, or an
/// element number in decimal.
pub fn locate<'a>(text: &[u8], path: impl IntoIterator<Item = &'a [u8]>) -> Option<Span> {
    let mut place = Span {
        start: 0,
        end: text.len(),
    };
    for step in path {
        let mut inside = members(text, place.start)?;
        place = if inside.named {
            inside.find(|member| member.name.of(text) == step)?.value
        } else {
            inside.nth(index(step)?)?.value
        };
    }
    Some(place)
}

/// Returns an element number from its one decimal form, in quotes.
fn index(step: &[u8]) -> Option<usize> {
    let text = str::from_utf8(step.strip_prefix(b"\"")?.strip_suffix(b"\"")?).ok()?;
    let is_plain = text == "0" || text.starts_with(|first: char| matches!(first, '1'..='9'));
    if is_plain { text.parse().ok() } else { None }
}

/// Returns the offset behind the value that begins at `at`.
pub(crate) fn end_of_value(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(b'"') => end_of_string(text, at),
        Some(b'{' | b'[') => end_of_container(text, at),
        _ => text[at.min(text.len())..]
            .iter()
            .position(|byte| matches!(byte, b',' | b'}' | b']'))
            .map_or(text.len(), |length| at + length),
    }
}

fn end_of_string(text: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    loop {
        at = scan::special(text, at);
        match text.get(at) {
            Some(b'"') => return at + 1,
            Some(_) => at += 2, // a backslash, and what it escapes
            None => return text.len(),
        }
    }
}

fn end_of_container(text: &[u8], mut at: usize) -> usize {
    let mut open = 0usize;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => {
                at = end_of_string(text, at);
                continue;
            }
            b'{' | b'[' => open += 1,
            b'}' | b']' => {
                open -= 1; // the first byte opened one, and the last one ends the loop
                if open == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}
