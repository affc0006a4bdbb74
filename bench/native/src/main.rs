//! Does works of the kernel in its native build. Each line of standard input names a work, a file of inputs and
//! numbers, separated by tabs; each line of output has the nanoseconds of the work, and the SHA-256 of its answer.
//! Inputs are read before the work, and the caller checks them: any other input ends the program.

use std::error::Error;
use std::hint::black_box;
use std::io::{Write, stdin, stdout};
use std::time::Instant;
use svc_kernel::ed25519::{self, Item};
use svc_kernel::records::{self, Recipe};
use svc_kernel::{json, merkle, sha256};

type Answer<T> = Result<T, Box<dyn Error>>;

fn main() -> Answer<()> {
    let mut open = (String::new(), Vec::new());
    for line in stdin().lines() {
        let line = line?;
        let mut words = line.split('\t');
        let (Some(work), Some(path)) = (words.next(), words.next()) else {
            return Err("a line without a work and a file".into());
        };
        let numbers = words.map(str::parse).collect::<Result<Vec<usize>, _>>()?;
        if open.0 != path {
            open = (path.to_owned(), std::fs::read(path)?);
        }
        let inputs = texts(&open.1).ok_or("not a file of inputs")?;
        let (nanoseconds, answer) = run(work, &inputs, &numbers)?;
        let hex: String = sha256::sha256(&answer)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        writeln!(stdout(), "{nanoseconds}\t{hex}")?;
    }
    Ok(())
}

fn run(work: &str, inputs: &[&[u8]], numbers: &[usize]) -> Answer<(u128, Vec<u8>)> {
    match work {
        // Key, signature and message in turn.
        "verify-each" => {
            let items = items(inputs)?;
            timed(|| Some(items.iter().map(|item| u8::from(ed25519::verify_one(item))).collect()))
        }
        // The same inputs, with the size of a batch and perhaps the index of an item whose message is changed.
        "verify" => {
            let mut items = items(inputs)?;
            let size = *numbers.first().ok_or("no size")?;
            let mut changed = Vec::new();
            if let Some(item) = numbers.get(1).and_then(|&bad| items.get_mut(bad)) {
                changed.extend_from_slice(item.message);
                *changed.first_mut().ok_or("an empty message")? ^= 1;
                item.message = &changed;
            }
            timed(|| Some(items.chunks(size).flat_map(ed25519::verify).map(u8::from).collect()))
        }
        // A text; the answer is one byte, 1 if it is canonical.
        "check" => {
            let text = inputs.first().ok_or("no text")?;
            timed(|| {
                json::canonicalize(text)
                    .ok()
                    .map(|(form, _)| vec![u8::from(form.canonical)])
            })
        }
        // Texts; the answer is the SHA-256 of the canonical bytes of each.
        "digests-of-documents" => timed(|| {
            let mut digests = Vec::with_capacity(32 * inputs.len());
            for text in inputs {
                let (_, canonical) = json::canonicalize(text).ok()?;
                digests.extend(sha256::sha256(canonical.as_deref().unwrap_or(text)));
            }
            Some(digests)
        }),
        // A prefix and messages.
        "hashes" => {
            let (prefix, messages) = inputs.split_first().ok_or("no prefix")?;
            timed(|| {
                let mut digests = Vec::with_capacity(32 * messages.len());
                sha256::hash_many(prefix, messages, &mut digests);
                Some(digests)
            })
        }
        // Leaf hashes as one byte string.
        "root" => {
            let hashes = inputs.first().ok_or("no hashes")?.as_chunks::<32>().0;
            timed(|| merkle::root_from_leaf_hashes(hashes).map(Vec::from))
        }
        // The name of a member with its quotes, a recipe, and a canonical text with records there.
        "records" => {
            let [name, recipe, text] = inputs else {
                return Err("not a name, a recipe and a text".into());
            };
            timed(|| {
                json::canonicalize(text).ok()?;
                let start = json::locate(text, [*name])?.start;
                let recipe = Recipe::parse(recipe)?;
                let mut answer = Vec::new();
                let mut from = None;
                loop {
                    let columns = records::read(text, start, from, &recipe)?;
                    answer.extend(
                        [vec![columns.regular], columns.digests, columns.verdicts]
                            .concat()
                            .concat(),
                    );
                    from = columns.next;
                    if from.is_none() {
                        return Some(answer);
                    }
                }
            })
        }
        _ => Err(format!("no work {work}").into()),
    }
}

fn timed(work: impl FnOnce() -> Option<Vec<u8>>) -> Answer<(u128, Vec<u8>)> {
    let start = Instant::now();
    let answer = black_box(work());
    let nanoseconds = start.elapsed().as_nanos();
    Ok((nanoseconds, answer.ok_or("the kernel refused the input")?))
}

fn items<'a>(inputs: &[&'a [u8]]) -> Answer<Vec<Item<'a>>> {
    let (triples, _) = inputs.as_chunks::<3>();
    triples
        .iter()
        .map(|[public_key, signature, message]| {
            Ok(Item {
                public_key: (*public_key).try_into()?,
                signature: (*signature).try_into()?,
                message,
            })
        })
        .collect()
}

/// Returns the byte strings of a file: their count, their lengths, their bytes; numbers are 32-bit little-endian.
fn texts(mut bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let count = number(&mut bytes)?;
    let (mut lengths, mut rest) = bytes.split_at_checked(4 * count)?;
    (0..count)
        .map(|_| {
            let (text, after) = rest.split_at_checked(number(&mut lengths)?)?;
            rest = after;
            Some(text)
        })
        .collect()
}

fn number(bytes: &mut &[u8]) -> Option<usize> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*number) as usize)
}
