//! Hashes and checks many records of one canonical text in one call, by a recipe that says which members each hash and
//! signature covers.
//!
//! A record is an object; a recipe names members of it and joins their bytes, unchanged, with fixed text. No protocol
//! object is known here: the caller knows the members of a receipt.

mod hex;
mod recipe;

pub use recipe::{Keys, Piece, Recipe, Signed, Wanted};

use crate::ed25519::{self, Item};
use crate::json::{Span, end_of_value};
use crate::sha256::hash_many;

/// How many records are joined, hashed and checked in a call: enough for a large batch, and little memory.
pub const BATCH: usize = 8192;

/// The verdict on a signature in [`Columns::verdicts`].
pub mod verdict {
    /// It does not verify, or the record lacks the members for it.
    pub const INVALID: u8 = 0;
    /// It verifies under the key that the record names.
    pub const VALID: u8 = 1;
    /// The recipe has no key of that name, so nothing was checked.
    pub const NO_KEY: u8 = 2;
}

/// The result of a recipe: one row for each record, in order, in each column.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// The number of records.
    pub count: usize,
    /// One byte each: 1 if every member of the recipe is there and has the right form; if not, 0, and zeros in all
    /// columns.
    pub regular: Vec<u8>,
    /// For each digest of the recipe 32 bytes a record.
    pub digests: Vec<Vec<u8>>,
    /// For each signature of the recipe one byte a record.
    pub verdicts: Vec<Vec<u8>>,
    /// For each hexadecimal member of the recipe 32 bytes a record.
    pub hashes: Vec<Vec<u8>>,
    /// For each literal of the recipe the values as they are in the text, each followed by a newline, which no literal
    /// contains.
    pub literals: Vec<Vec<u8>>,
    /// The names of the records as they are in the text, likewise; empty for an array.
    pub names: Vec<u8>,
    /// The offset of the next record, for the next call; none at the end.
    pub next: Option<usize>,
}

/// Applies a recipe to at most [`BATCH`] elements or members of the array or object at `start` of a canonical text,
/// beginning with its first one, or with the one at `from` from an earlier call. None if neither array nor object is at
/// `start`.
pub fn read(text: &[u8], start: usize, from: Option<usize>, recipe: &Recipe) -> Option<Columns> {
    let named = match text.get(start) {
        Some(b'{') => true,
        Some(b'[') => false,
        _ => return None,
    };
    let mut batch = Batch::new(text, recipe);
    let mut at = from.unwrap_or(start + 1);
    while !matches!(text.get(at), None | Some(b'}' | b']')) {
        if batch.columns.count == BATCH {
            batch.columns.next = Some(at);
            break;
        }
        if named {
            let end = end_of_value(text, at);
            batch
                .columns
                .names
                .extend_from_slice(text.get(at..end).unwrap_or_default());
            batch.columns.names.push(b'\n');
            at = end + 1; // the colon
        }
        at = batch.take(at);
        at += usize::from(text.get(at) == Some(&b','));
    }
    Some(batch.finish())
}

/// Some records with the places of the members in the recipe; the places are empty in a record that is not regular.
struct Batch<'a> {
    text: &'a [u8],
    recipe: &'a Recipe,
    columns: Columns,
    /// `recipe.fields` places for each record.
    places: Vec<Span>,
    /// The signatures of each record, by those of the recipe.
    signatures: Vec<Vec<[u8; 64]>>,
}

impl<'a> Batch<'a> {
    fn new(text: &'a [u8], recipe: &'a Recipe) -> Self {
        let columns = Columns {
            digests: vec![Vec::new(); recipe.digests.len()],
            verdicts: vec![Vec::new(); recipe.signatures.len()],
            hashes: vec![Vec::new(); recipe.hashes.len()],
            literals: vec![Vec::new(); recipe.literals.len()],
            ..Columns::default()
        };
        Batch {
            text,
            recipe,
            columns,
            places: Vec::new(),
            signatures: vec![Vec::new(); recipe.signatures.len()],
        }
    }

    /// Takes the record that begins at an offset, and returns its end. It is a separate call: engines optimize a
    /// function when it is called again, and a loop over all records would keep its first compilation.
    #[inline(never)]
    fn take(&mut self, at: usize) -> usize {
        let (text, recipe) = (self.text, self.recipe);
        let row = self.places.len();
        self.places.resize(row + recipe.fields, Span::default());
        let places = &mut self.places[row..];
        let found = find(text, at, &recipe.wanted, places);
        let mut is_regular = found.is_some_and(|(_, has_others)| !(recipe.closed && has_others))
            && places.iter().all(|place| place.end > 0)
            && recipe
                .objects
                .iter()
                .all(|&field| text.get(places[field].start) == Some(&b'{'));
        for (column, &field) in self.columns.hashes.iter_mut().zip(&recipe.hashes) {
            let bytes = hex::quoted::<32>(places[field].of(text));
            is_regular &= bytes.is_some();
            column.extend_from_slice(&bytes.unwrap_or([0; 32]));
        }
        for (column, signed) in self.signatures.iter_mut().zip(&recipe.signatures) {
            let bytes = hex::quoted::<64>(places[signed.signature].of(text));
            is_regular &= bytes.is_some();
            column.push(bytes.unwrap_or([0; 64]));
        }
        if !is_regular {
            places.fill(Span::default());
            for column in &mut self.columns.hashes {
                column.truncate(32 * self.columns.count);
                column.extend_from_slice(&[0; 32]);
            }
        }
        for (column, &field) in self.columns.literals.iter_mut().zip(&recipe.literals) {
            column.extend_from_slice(places[field].of(text));
            column.push(b'\n');
        }
        self.columns.regular.push(u8::from(is_regular));
        self.columns.count += 1;
        // A value without an end, which no canonical text has, ends the records.
        found.map_or_else(|| end_of_value(text, at).max(at + 1), |(end, _)| end)
    }

    /// Hashes and checks the records.
    fn finish(mut self) -> Columns {
        for (index, pieces) in self.recipe.digests.iter().enumerate() {
            self.columns.digests[index] = self.digest(pieces);
        }
        for (index, signed) in self.recipe.signatures.iter().enumerate() {
            self.columns.verdicts[index] = self.verify(signed, &self.signatures[index]);
        }
        self.columns
    }

    fn row(&self, row: usize) -> &[Span] {
        let fields = self.recipe.fields;
        self.places.get(row * fields..(row + 1) * fields).unwrap_or_default()
    }

    /// Joins the pieces for each regular record, one after the other, and notes where each ends; an irregular record
    /// gives nothing.
    fn join(&self, pieces: &[Piece]) -> (Vec<u8>, Vec<Span>) {
        let mut joined = Vec::new();
        let mut spans = Vec::with_capacity(self.columns.count);
        for (row, &regular) in self.columns.regular.iter().enumerate() {
            let start = joined.len();
            if regular == 1 {
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

    fn digest(&self, pieces: &[Piece]) -> Vec<u8> {
        let (joined, spans) = self.join(pieces);
        let messages: Vec<&[u8]> = spans.iter().map(|span| span.of(&joined)).collect();
        let mut column = Vec::new();
        hash_many(&[], &messages, &mut column);
        for (digest, &regular) in column.as_chunks_mut::<32>().0.iter_mut().zip(&self.columns.regular) {
            if regular == 0 {
                *digest = [0; 32];
            }
        }
        column
    }

    fn verify(&self, signed: &Signed, signatures: &[[u8; 64]]) -> Vec<u8> {
        let mut column = vec![verdict::INVALID; self.columns.count];
        let (joined, spans) = self.join(&signed.message);
        let mut rows = Vec::with_capacity(self.columns.count);
        for (row, &regular) in self.columns.regular.iter().enumerate() {
            if regular == 0 {
                continue;
            }
            let name = self
                .row(row)
                .get(signed.key)
                .map_or(&[][..], |place| place.of(self.text));
            match signed.keys.get(name) {
                Some(key) => rows.push((row, key)),
                None => column[row] = verdict::NO_KEY,
            }
        }
        let items: Vec<Item<'_>> = rows
            .iter()
            .map(|&(row, public_key)| Item {
                public_key,
                signature: &signatures[row],
                message: spans[row].of(&joined),
            })
            .collect();
        for ((row, _), valid) in rows.iter().zip(ed25519::verify(&items)) {
            column[*row] = if valid { verdict::VALID } else { verdict::INVALID };
        }
        column
    }
}

/// Notes the places of the wanted members of the object at an offset; returns its end, and whether it has other
/// members. Both the object and the wanted members are in the order of the names. None if there is no object.
#[inline(never)]
fn find(text: &[u8], start: usize, wanted: &[Wanted], places: &mut [Span]) -> Option<(usize, bool)> {
    if text.get(start) != Some(&b'{') {
        return None;
    }
    let mut at = start + 1;
    let mut rest = wanted;
    let mut has_others = false;
    while text.get(at)? != &b'}' {
        let name_end = end_of_value(text, at);
        let value_start = name_end + 1; // behind the colon
        let name = text.get(at..name_end)?;
        // A recipe has few members, so looking at each is cheaper than comparing names in order.
        let found = rest.iter().position(|one| one.name == name);
        let one = found.map(|index| &rest[index]);
        let inside = one.map_or(&[][..], |one| &one.inside);
        at = match find_inside(text, value_start, inside, places) {
            Some((end, others)) => {
                has_others |= others;
                end
            }
            None => {
                // A value that is no object lacks the members that are wanted inside of it, and has none of its own.
                has_others |= !inside.is_empty();
                end_of_value(text, value_start)
            }
        };
        if let Some(place) = one.and_then(|one| one.field).and_then(|field| places.get_mut(field)) {
            *place = Span {
                start: value_start,
                end: at,
            };
        }
        has_others |= one.is_none();
        rest = found.map_or(rest, |index| &rest[index + 1..]);
        at += usize::from(text.get(at) == Some(&b','));
    }
    Some((at + 1, has_others))
}

/// Does the same as `find`, if anything is wanted.
fn find_inside(text: &[u8], start: usize, wanted: &[Wanted], places: &mut [Span]) -> Option<(usize, bool)> {
    if wanted.is_empty() {
        return None;
    }
    find(text, start, wanted, places)
}
