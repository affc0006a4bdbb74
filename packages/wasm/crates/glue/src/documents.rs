//! Strict JSON, canonical bytes, and the parts of a canonical text.

use crate::REFUSED;
use crate::state::{lengths, number, texts, with};
use svc_kernel::json::{self, Code, Error, Form, Span};
use svc_kernel::records::{self, Recipe};
use svc_kernel::sha256;
use wasm_bindgen::prelude::wasm_bindgen;

/// Marks an accepted text that is its own canonical form.
const CANONICAL: u32 = 0x100;
/// Marks an accepted text with a zero that has a minus sign.
const NEGATIVE_ZERO: u32 = 0x200;
/// Marks an accepted text with an escape in a member name.
const ESCAPED_NAME: u32 = 0x400;

/// For an accepted text, the bits from here on are its depth.
const DEPTH_SHIFT: u32 = 16;

/// Checks the input as JSON. Returns 0, with the marks above, or the number of an error.
#[wasm_bindgen]
pub fn json_check() -> u32 {
    with(|state| match json::check(&state.input) {
        Ok(form) => marks(form),
        Err(error) => refuse(error, &mut state.offset),
    })
}

/// Does the same as `json_check`, and outputs the canonical bytes if the input is not canonical.
#[wasm_bindgen]
pub fn json_canonicalize() -> u32 {
    with(|state| match json::canonicalize(&state.input) {
        Ok((form, canonical)) => {
            state.output = canonical.unwrap_or_default();
            marks(form)
        }
        Err(error) => refuse(error, &mut state.offset),
    })
}

/// Does the same as `json_canonicalize`, but keeps the canonical bytes for the functions below, whatever is called in
/// between.
#[wasm_bindgen]
pub fn document_open() -> u32 {
    with(|state| {
        state.document = Vec::new();
        match json::canonicalize(&state.input) {
            Ok((form, canonical)) => {
                state.document = canonical.unwrap_or_else(|| core::mem::take(&mut state.input));
                state.input = Vec::new();
                marks(form)
            }
            Err(error) => refuse(error, &mut state.offset),
        }
    })
}

/// Forgets the open document; its memory serves the next input.
#[wasm_bindgen]
pub fn document_close() {
    with(|state| state.input = core::mem::take(&mut state.document));
}

/// Returns the offset of the last error of a function above, in bytes from 0.
#[wasm_bindgen]
pub fn error_offset() -> u32 {
    with(|state| state.offset)
}

/// Returns the address of the open document.
#[wasm_bindgen]
pub fn document() -> u32 {
    with(|state| state.document.as_ptr().addr() as u32)
}

/// Returns the number of bytes in the open document.
#[wasm_bindgen]
pub fn document_length() -> u32 {
    with(|state| state.document.len() as u32)
}

/// Input: count of steps, their lengths, their bytes. Returns the offset of the value to which the steps lead, or
/// REFUSED if there is none.
#[wasm_bindgen]
pub fn document_locate() -> u32 {
    with(|state| {
        let mut input = &state.input[..];
        locate(&state.document, &mut input).map_or(REFUSED, |place| place.start as u32)
    })
}

/// Outputs four numbers for each element or member of the array or object at `start`: start and end of the name, of the
/// value. Returns 0, or REFUSED if neither begins there.
#[wasm_bindgen]
pub fn document_members(start: u32) -> u32 {
    with(|state| {
        let Some(members) = json::members(&state.document, start as usize) else {
            return REFUSED;
        };
        state.output = members
            .flat_map(|member| [member.name.start, member.name.end, member.value.start, member.value.end])
            .flat_map(|offset| (offset as u32).to_le_bytes())
            .collect();
        0
    })
}

/// Input: a prefix. Outputs SHA-256 of the prefix and the part of the document from `start` to `end`.
#[wasm_bindgen]
pub fn document_hash(start: u32, end: u32) -> u32 {
    with(|state| {
        let Some(part) = state.document.get(start as usize..end as usize) else {
            return REFUSED;
        };
        state.output = sha256::sha256_prefixed(&state.input, part).to_vec();
        0
    })
}

/// Input: a recipe for `svc_kernel::records::Recipe::parse`, for some elements or members of the array or object at
/// `start`: from its first one on if `from` is 0, and otherwise from the one that begins there. Outputs the offset of
/// the next one, or 0, and then the columns one after the other: the marks of regular records, digests, verdicts,
/// hashes, and literals and names, each of these after its length. Returns the number of records, or REFUSED if neither
/// array nor object begins at `start`, or the recipe is malformed.
#[wasm_bindgen]
pub fn document_records(start: u32, from: u32) -> u32 {
    with(|state| {
        let from = (from > 0).then_some(from as usize);
        let columns = Recipe::parse(&state.input)
            .and_then(|recipe| records::read(&state.document, start as usize, from, &recipe));
        let Some(columns) = columns else { return REFUSED };
        let mut output = (columns.next.unwrap_or_default() as u32).to_le_bytes().to_vec();
        output.extend_from_slice(&columns.regular);
        for column in columns
            .digests
            .into_iter()
            .chain(columns.verdicts)
            .chain(columns.hashes)
        {
            output.extend_from_slice(&column);
        }
        for column in columns.literals.into_iter().chain([columns.names]) {
            output.extend_from_slice(&(column.len() as u32).to_le_bytes());
            output.extend_from_slice(&column);
        }
        state.output = output;
        columns.count as u32
    })
}

/// Returns the value to which the steps of the input lead.
fn locate(document: &[u8], input: &mut &[u8]) -> Option<Span> {
    let count = number(input)?;
    let lengths = lengths(input, count)?;
    let steps = texts(input, lengths)?;
    json::locate(document, steps)
}

fn marks(form: Form) -> u32 {
    let mark = |is_set: bool, mark: u32| if is_set { mark } else { 0 };
    mark(form.canonical, CANONICAL)
        | mark(form.negative_zero, NEGATIVE_ZERO)
        | mark(form.escaped_name, ESCAPED_NAME)
        | (form.depth as u32) << DEPTH_SHIFT
}

/// Keeps the offset and returns the number of an error.
fn refuse(error: Error, offset: &mut u32) -> u32 {
    *offset = error.offset as u32;
    match error.code {
        Code::Malformed => 1,
        Code::DuplicateName => 2,
        Code::LossyNumber => 3,
        Code::InvalidUnicode => 4,
        Code::TooDeep => 5,
        Code::TooLarge => 6,
    }
}
