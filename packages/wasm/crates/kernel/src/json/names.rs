//! The member names of open objects: their order by UTF-16 code units (RFC 8785 section 3.2.3) and their duplicates.

use super::scan::common_prefix;
use crate::order;
use core::cmp::Ordering;

/// Compares two UTF-8 strings by their UTF-16 code units.
pub fn compare(left: &[u8], right: &[u8]) -> Ordering {
    let at = common_prefix(left, right);
    match (left.get(at), right.get(at)) {
        (Some(&a), Some(&b)) => order_of(a).cmp(&order_of(b)),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

/// Returns the rank of a byte at which two UTF-8 strings first differ: the byte itself, except that U+E000 to U+FFFF
/// (lead bytes EE and EF) come after all characters that UTF-16 writes with surrogates (lead bytes F0 to F4).
fn order_of(byte: u8) -> u8 {
    if byte == 0xee || byte == 0xef {
        byte + 0x10
    } else {
        byte
    }
}

/// One member of an open object.
#[derive(Clone, Copy)]
pub(super) struct OpenMember {
    /// The offset of the name's opening quote in the text.
    pub(super) quote: u32,
    /// The offset of the name's characters: in the text, or among the unescaped names.
    pub(super) name: u32,
    /// Their length in bytes.
    pub(super) name_length: u32,
    /// Whether the name is among the unescaped ones.
    pub(super) unescaped: bool,
    /// The offset of the member in the canonical bytes.
    pub(super) start: usize,
    /// The end of the member there, once it is complete.
    pub(super) end: usize,
}

/// The sources of names: the text, and the names that had escapes.
pub(super) struct Names<'a> {
    pub(super) text: &'a [u8],
    pub(super) unescaped: Vec<u8>,
}

impl Names<'_> {
    pub(super) fn of(&self, member: &OpenMember) -> &[u8] {
        let place = if member.unescaped { &self.unescaped } else { self.text };
        let start = member.name as usize;
        place
            .get(start..start + member.name_length as usize)
            .unwrap_or_default()
    }

    /// Returns the indexes of the members in the order of their names; equal names stay in text order.
    pub(super) fn sort(&self, members: &[OpenMember]) -> Vec<u32> {
        sort(members.len(), &|index| {
            members.get(index as usize).map_or(&[][..], |member| self.of(member))
        })
    }

    /// Returns the opening quote of the first name in text order that equals an earlier one; `order` is the result of
    /// `sort`.
    pub(super) fn first_duplicate(&self, members: &[OpenMember], order: &[u32]) -> Option<usize> {
        order
            .windows(2)
            .filter_map(|pair| {
                let (a, b) = (members.get(pair[0] as usize)?, members.get(pair[1] as usize)?);
                (self.of(a) == self.of(b)).then_some(b.quote as usize)
            })
            .min()
    }
}

/// Returns the indexes of so many names in their order; equal names keep theirs. Takes time in proportion to the bytes
/// of the names.
pub(crate) fn sort<'a>(count: usize, name: &dyn Fn(u32) -> &'a [u8]) -> Vec<u32> {
    let mut keyed: Vec<(u64, u32)> = (0u32..).take(count).map(|index| (0, index)).collect();
    // Parts whose names are equal in their first so many bytes, and in no order yet.
    let mut unsorted = vec![(0..count, 0)];
    while let Some((range, equal)) = unsorted.pop() {
        let part = &mut keyed[range.clone()];
        let first = part.first().map_or(&[][..], |&(_, index)| name(index));
        let equal = part.iter().fold(first.len(), |length, &(_, index)| {
            equal + common_prefix(&first[equal.min(length)..length], &name(index)[equal..])
        });
        sort_by(part, &|index| word(&name(index)[equal..]));
        let mut start = range.start;
        for run in part.chunk_by_mut(|a, b| a.0 == b.0) {
            if run.len() > 1 {
                // Missing bytes count as zeros, so a name may end where another has zeros: the shorter one comes first.
                sort_by(run, &|index| (name(index).len() - equal).min(9) as u64);
                let ended = run.iter().take_while(|(length, _)| *length < 9).count();
                if run.len() - ended > 1 {
                    unsorted.push((start + ended..start + run.len(), equal + 8));
                }
            }
            start += run.len();
        }
    }
    keyed.into_iter().map(|(_, index)| index).collect()
}

/// Sorts indexes by a number for each.
fn sort_by(part: &mut [(u64, u32)], number: &dyn Fn(u32) -> u64) {
    for (key, index) in part.iter_mut() {
        *key = number(*index);
    }
    order::sort(part);
}

/// Returns the first eight bytes as a number with the same order; missing bytes count as zeros.
fn word(name: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    for (to, &from) in bytes.iter_mut().zip(name) {
        *to = order_of(from);
    }
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::{compare, sort};

    /// Sorting and comparing, against the UTF-16 code units themselves.
    #[test]
    fn orders_names_by_their_code_units() {
        let pieces = [
            "",
            "a",
            "b",
            "\0",
            "\0\0",
            "\u{7f}",
            "é",
            "\u{d7ff}",
            "\u{e000}",
            "\u{ffff}",
            "\u{10000}",
            "aaaaaaaa",
            "aaaaaaab",
        ];
        let mut names = Vec::new();
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    names.push(format!("{first}{second}{third}"));
                    names.push(format!(
                        "the same beginning for many of these names {first}{second}{third}"
                    ));
                }
            }
        }
        let units = |name: &str| name.encode_utf16().collect::<Vec<_>>();
        let mut expected: Vec<u32> = (0..names.len() as u32).collect();
        expected.sort_by_key(|&index| units(&names[index as usize]));
        assert_eq!(sort(names.len(), &|index| names[index as usize].as_bytes()), expected);
        for (a, b) in names.iter().zip(names.iter().rev()) {
            assert_eq!(
                compare(a.as_bytes(), b.as_bytes()),
                units(a).cmp(&units(b)),
                "{a:?} {b:?}"
            );
        }
    }
}
