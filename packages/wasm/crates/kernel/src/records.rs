//! Hashes and checks many records of one canonical text in one call, by a recipe that says what each hash and signature covers.
//!
//! A record is an object; a recipe names members of it and joins their bytes, as they stand, with fixed text. No protocol object is
//! known here: which members a receipt has is the caller's knowledge.

mod recipe;

pub use recipe::{Keys, Piece, Recipe, Signed, Wanted};

use crate::ed25519::{self, Item};
use crate::json::{Span, members};
use crate::sha256::hash_many;

/// How many records are joined, hashed and checked at a time: enough for a large batch, and little memory.
const CHUNK: usize = 8192;

/// The verdict on a signature in [`Columns::verdicts`].
pub mod verdict {
    /// It does not verify, or the record has not the members for it.
    pub const INVALID: u8 = 0;
    /// It verifies under the key that the record names.
    pub const VALID: u8 = 1;
    /// The recipe has no key of that name, so that nothing was checked.
    pub const NO_KEY: u8 = 2;
}

/// What a recipe gives: one row for each record, in order, in each column.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// How many records there are.
    pub count: usize,
    /// One byte each: 1 where every member that the recipe names is there and of the right form. Otherwise 0, and zeros in all columns.
    pub regular: Vec<u8>,
    /// For each digest of the recipe 32 bytes a record.
    pub digests: Vec<Vec<u8>>,
    /// For each signature of the recipe one byte a record.
    pub verdicts: Vec<Vec<u8>>,
    /// For each hexadecimal member of the recipe 32 bytes a record.
    pub hashes: Vec<Vec<u8>>,
    /// For each literal of the recipe the values as they stand in the text, each followed by a newline, which no literal holds.
    pub literals: Vec<Vec<u8>>,
    /// The names of the records as they stand in the text, likewise; empty for an array.
    pub names: Vec<u8>,
}

/// Applies a recipe to every element or member of the array or object at `start` of a canonical text; none where neither stands there.
pub fn read(text: &[u8], start: usize, recipe: &Recipe) -> Option<Columns> {
    let mut columns = Columns {
        digests: vec![Vec::new(); recipe.digests.len()],
        verdicts: vec![Vec::new(); recipe.signatures.len()],
        hashes: vec![Vec::new(); recipe.hashes.len()],
        literals: vec![Vec::new(); recipe.literals.len()],
        ..Columns::default()
    };
    let mut records = members(text, start)?;
    let named = text.get(start) == Some(&b'{');
    let mut chunk = Vec::with_capacity(CHUNK);
    loop {
        chunk.clear();
        for member in records.by_ref().take(CHUNK) {
            chunk.push(member.value);
            if named {
                columns.names.extend_from_slice(member.name.of(text));
                columns.names.push(b'\n');
            }
        }
        if chunk.is_empty() {
            return Some(columns);
        }
        Chunk::of(text, &chunk, recipe).append(&mut columns);
    }
}

/// Some records with the places of the members that the recipe names; empty places in a record that is not regular.
struct Chunk<'a> {
    text: &'a [u8],
    recipe: &'a Recipe,
    count: usize,
    /// `recipe.fields` places for each record.
    places: Vec<Span>,
    regular: Vec<u8>,
}

impl<'a> Chunk<'a> {
    fn of(text: &'a [u8], records: &[Span], recipe: &'a Recipe) -> Self {
        let mut places = vec![Span::default(); records.len() * recipe.fields];
        let mut regular = vec![1; records.len()];
        for (row, record) in records.iter().enumerate() {
            let places = &mut places[row * recipe.fields..(row + 1) * recipe.fields];
            let has_others = !find(text, *record, &recipe.wanted, places);
            let is_regular = !(recipe.closed && has_others)
                && places.iter().all(|place| place.end > 0)
                && recipe
                    .hashes
                    .iter()
                    .all(|&field| hex::<32>(text, places, field).is_some())
                && recipe
                    .objects
                    .iter()
                    .all(|&field| text.get(places[field].start) == Some(&b'{'))
                && recipe
                    .signatures
                    .iter()
                    .all(|signed| hex::<64>(text, places, signed.signature).is_some());
            if !is_regular {
                regular[row] = 0;
                places.fill(Span::default());
            }
        }
        Chunk {
            text,
            recipe,
            count: records.len(),
            places,
            regular,
        }
    }

    fn append(&self, columns: &mut Columns) {
        for (pieces, column) in self.recipe.digests.iter().zip(&mut columns.digests) {
            self.digest(pieces, column);
        }
        for (signed, column) in self.recipe.signatures.iter().zip(&mut columns.verdicts) {
            self.verify(signed, column);
        }
        for (&field, column) in self.recipe.hashes.iter().zip(&mut columns.hashes) {
            for row in 0..self.count {
                column.extend(hex::<32>(self.text, self.row(row), field).unwrap_or_default());
            }
        }
        for (&field, column) in self.recipe.literals.iter().zip(&mut columns.literals) {
            for row in 0..self.count {
                column.extend_from_slice(self.row(row).get(field).map_or(&[][..], |place| place.of(self.text)));
                column.push(b'\n');
            }
        }
        columns.count += self.count;
        columns.regular.extend_from_slice(&self.regular);
    }

    fn row(&self, row: usize) -> &[Span] {
        let fields = self.recipe.fields;
        self.places.get(row * fields..(row + 1) * fields).unwrap_or_default()
    }

    /// What a list of pieces gives for each regular record, one after the other, and where each ends; an irregular one gives nothing.
    fn join(&self, pieces: &[Piece]) -> (Vec<u8>, Vec<Span>) {
        let mut joined = Vec::new();
        let mut spans = Vec::with_capacity(self.count);
        for row in 0..self.count {
            let start = joined.len();
            if self.regular[row] == 1 {
                for piece in pieces {
                    match piece {
                        Piece::Text(text) => joined.extend_from_slice(text),
                        Piece::Field(field) => {
                            joined.extend_from_slice(self.row(row).get(*field).map_or(&[][..], |at| at.of(self.text)));
                        }
                    }
                }
            }
            spans.push(Span {
                start,
                end: joined.len(),
            });
        }
        (joined, spans)
    }

    fn digest(&self, pieces: &[Piece], column: &mut Vec<u8>) {
        let (joined, spans) = self.join(pieces);
        let messages: Vec<&[u8]> = spans.iter().map(|span| span.of(&joined)).collect();
        let start = column.len();
        hash_many(&[], &messages, column);
        for (digest, &regular) in column[start..].as_chunks_mut::<32>().0.iter_mut().zip(&self.regular) {
            if regular == 0 {
                *digest = [0; 32];
            }
        }
    }

    fn verify(&self, signed: &Signed, column: &mut Vec<u8>) {
        let start = column.len();
        column.resize(start + self.count, verdict::INVALID);
        let (joined, spans) = self.join(&signed.message);
        let mut signatures = Vec::with_capacity(self.count);
        let mut rows = Vec::with_capacity(self.count);
        for row in 0..self.count {
            let places = self.row(row);
            let Some(signature) = hex::<64>(self.text, places, signed.signature) else {
                continue;
            };
            let name = places.get(signed.key).map_or(&[][..], |place| place.of(self.text));
            match signed.keys.get(name) {
                Some(key) => {
                    signatures.push(signature);
                    rows.push((row, key));
                }
                None => column[start + row] = verdict::NO_KEY,
            }
        }
        let items: Vec<Item<'_>> = rows
            .iter()
            .zip(&signatures)
            .map(|(&(row, public_key), signature)| Item {
                public_key,
                signature,
                message: spans[row].of(&joined),
            })
            .collect();
        for ((row, _), valid) in rows.iter().zip(ed25519::verify(&items)) {
            column[start + row] = if valid { verdict::VALID } else { verdict::INVALID };
        }
    }
}

/// Notes the places of the wanted members of one record, and tells whether it has no others. Both the record and what is wanted stand in
/// the order of the names.
fn find(text: &[u8], record: Span, wanted: &[Wanted], places: &mut [Span]) -> bool {
    if text.get(record.start) != Some(&b'{') {
        return false;
    }
    let Some(inside) = members(text, record.start) else {
        return false;
    };
    let mut rest = wanted;
    let mut only = true;
    for member in inside {
        // A recipe has few members, so that looking at each is cheaper than comparing names in order.
        let Some(index) = rest.iter().position(|one| one.name == member.name.of(text)) else {
            only = false;
            continue;
        };
        let one = &rest[index];
        if let Some(place) = one.field.and_then(|field| places.get_mut(field)) {
            *place = member.value;
        }
        if !one.inside.is_empty() {
            only &= find(text, member.value, &one.inside, places);
        }
        rest = &rest[index + 1..];
    }
    only
}

/// The bytes of a member that is a string of exactly 2 N lowercase hexadecimal digits.
fn hex<const N: usize>(text: &[u8], places: &[Span], field: usize) -> Option<[u8; N]>
where
    [u8; N]: Sized,
{
    let quoted = places.get(field)?.of(text);
    let digits = quoted.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let (pairs, rest) = digits.as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}
