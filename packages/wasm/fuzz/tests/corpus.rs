//! Runs every check over its committed corpus, one file after the other.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use svc_kernel_fuzz::{ed25519, inflate, json, merkle, records, sha256};

/// Fewer files mean that the corpus was lost, not that all is well.
const MIN_FILES: usize = 12;

fn run(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("a folder that can be read").path())
        .collect();
    files.sort();
    assert!(
        files.len() >= MIN_FILES,
        "{} has only {} files",
        folder.display(),
        files.len()
    );
    check(&[]);
    for file in files {
        let data = fs::read(&file).expect("a file that can be read");
        assert!(catch_unwind(|| check(&data)).is_ok(), "{} fails", file.display());
    }
}

#[test]
fn ed25519_corpus() {
    run("ed25519", ed25519::check);
}

#[test]
fn inflate_corpus() {
    run("inflate", inflate::check);
}

#[test]
fn json_corpus() {
    run("json", json::check);
}

#[test]
fn merkle_corpus() {
    run("merkle", merkle::check);
}

#[test]
fn records_corpus() {
    run("records", records::check);
}

#[test]
fn sha256_corpus() {
    run("sha256", sha256::check);
}
