//! Records read by a recipe: no recipe and no text panics, columns have their lengths, rows of irregular records are
//! zeros, and on canonical text digests and hexadecimal members equal those of a search member by member.

use crate::input::Input;
use svc_kernel::json::{self, Span, members};
use svc_kernel::records::{Columns, Piece, Recipe, Wanted, read, verdict};
use svc_kernel::sha256::sha256;

/// A few bytes of recipe can name more hashing than a fuzzer can wait for.
const MAX_BYTES: usize = 4096;

/// Takes the length of a recipe in two bytes, the recipe, and a text.
pub fn check(data: &[u8]) {
    let mut input = Input {
        rest: data.get(..MAX_BYTES).unwrap_or(data),
    };
    let length = usize::from(u16::from_le_bytes(input.array()));
    let Some(recipe) = Recipe::parse(input.take(length)) else {
        return;
    };
    let text = input.rest;
    for start in [0, text.len() / 2] {
        let found = read(text, start, None, &recipe);
        assert_eq!(found.is_some(), members(text, start).is_some());
        let Some(columns) = found else { continue };
        check_form(&columns, &recipe);
        if start == 0 && json::check(text).is_ok_and(|form| form.canonical) {
            check_content(&columns, &recipe, text);
        }
    }
}

fn check_form(columns: &Columns, recipe: &Recipe) {
    let count = columns.count;
    assert_eq!(columns.regular.len(), count);
    for (group, expected) in [
        (&columns.digests, recipe.digests.len()),
        (&columns.hashes, recipe.hashes.len()),
    ] {
        assert_eq!(group.len(), expected);
        assert!(group.iter().all(|column| column.len() == 32 * count));
    }
    assert_eq!(columns.verdicts.len(), recipe.signatures.len());
    for (row, &regular) in columns.regular.iter().enumerate() {
        assert!(regular <= 1);
        for column in &columns.verdicts {
            assert_eq!(column.len(), count);
            assert!([verdict::INVALID, verdict::VALID, verdict::NO_KEY].contains(&column[row]));
            assert!(regular == 1 || column[row] == 0);
        }
        for column in columns.digests.iter().chain(&columns.hashes) {
            assert!(regular == 1 || column[32 * row..32 * (row + 1)] == [0; 32]);
        }
    }
}

fn check_content(columns: &Columns, recipe: &Recipe, text: &[u8]) {
    let Some(records) = members(text, 0) else { return };
    let records: Vec<_> = records.collect();
    assert_eq!(columns.count, records.len());
    for (row, record) in records.iter().enumerate() {
        if columns.regular[row] == 0 {
            continue;
        }
        let mut places = vec![None; recipe.fields];
        search(text, record.value, &recipe.wanted, &mut places);
        let value = |field: usize| places[field].map_or(&[][..], |place: Span| place.of(text));
        for (pieces, column) in recipe.digests.iter().zip(&columns.digests) {
            let joined: Vec<u8> = pieces
                .iter()
                .flat_map(|piece| match piece {
                    Piece::Text(text) => &text[..],
                    Piece::Field(field) => value(*field),
                })
                .copied()
                .collect();
            assert_eq!(column[32 * row..32 * (row + 1)], sha256(&joined));
        }
        for (&field, column) in recipe.literals.iter().zip(&columns.literals) {
            let line = column.split(|&byte| byte == b'\n').nth(row);
            assert_eq!(line, Some(value(field)));
        }
        for (&field, column) in recipe.hashes.iter().zip(&columns.hashes) {
            let digits: String = column[32 * row..32 * (row + 1)]
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            assert_eq!(value(field), format!("\"{digits}\"").as_bytes());
        }
    }
}

/// Notes the places of wanted members, found one after the other in the order of the text.
fn search(text: &[u8], record: Span, wanted: &[Wanted], places: &mut [Option<Span>]) {
    if text.get(record.start) != Some(&b'{') {
        return;
    }
    let mut rest = wanted;
    for member in members(text, record.start).into_iter().flatten() {
        let Some(index) = rest.iter().position(|one| one.name == member.name.of(text)) else {
            continue;
        };
        if let Some(field) = rest[index].field {
            places[field] = Some(member.value);
        }
        search(text, member.value, &rest[index].inside, places);
        rest = &rest[index + 1..];
    }
}
