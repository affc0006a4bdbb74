/**
 * Names of entries, one by one: those that are refused and in which words, those that are accepted, and those that are
 * taken for the same.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { foldedPath, forbiddenPath } from "../../src/archive/names.ts";

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "is empty": [""],
  "has control characters": ["\u0000", "a\u001f", "\u007f", "a\u0080b", "\u009f", "/\n", "a\\\r"],
  "has a backslash": ["\\", "a\\b", "/a\\b", "C:\\a"],
  "is absolute": ["/", "/a", "//host/a", "/home/a"],
  "is a file: reference": ["file:", "file:a", "FILE:///etc/a"],
  "names a drive": ["c:", "C:a", "z:/a", "a:b"],
  "has a colon": ["events.csv:a", "ab:c", "1:a", ":", "a/b:c"],
  "is inside of somebody's home": [
    ...["~", "~/a", "~root/a", "~a", "home", "home/me/a", "HOME/a", "Users/me", "users", "root/a", "Root"],
    ...["documents and settings", "Documents and Settings/me/a"],
  ],
  "does not name a file by itself": [".", "./a", "a/./b", "a/.", "..", "../a", "a/../b", "a/..", "../", "a//b", "a//"],
  "is metadata of macOS": ["__macosx", "__MACOSX/a", "a/__MACOSX/b", ".ds_store", "a/.DS_Store", "._a", "a/._b"],
  "names a device": [
    ...["con", "CON", "con.txt", "a/con", "con/a", "prn", "aux", "nul", "nul.", "NUL.tar.gz", "com0", "com1", "com9.a"],
    ...["com\u00b9", "com\u00b2", "com\u00b3", "lpt0", "lpt9", "lpt\u00b9", "conin$", "conout$", "CLOCK$", "conin$.a"],
  ],
  "ends in what some systems leave out": ["a.", "a ", "a./b", "a /b", "a/b.", "...", " ", "a. "],
};

const ALLOWED = [
  ...["a", "a.b", ".a", "..a", "a..b", "a b", " a", "a/b", "a/b/", "events.csv", "svc.truth-package.manifest.json"],
  ...[
    "a~",
    "a/~",
    "a/home/b",
    "homes",
    "home.txt",
    "a/users",
    "users2/a",
    "rooted",
    "_",
    "__macosx2",
    "a__macosx",
    "a._b",
  ],
  ...[
    "console",
    "acon",
    "a.con",
    "con1",
    "com",
    "com10",
    "coma",
    "lpt",
    "lpt1a",
    "nulls",
    "auxiliary",
    "conin",
    "con-a",
  ],
  ...["\u00a0", "\u00e9", "\u{1f600}", "x~y", "filer", "file", "a/file"],
];

for (const [why, paths] of Object.entries(REFUSED))
  test(`a path that ${why}`, () => {
    for (const path of paths) assert.equal(forbiddenPath(path), why, JSON.stringify(path));
  });

test("paths that mean the same file everywhere are allowed", () => {
  for (const path of ALLOWED) assert.equal(forbiddenPath(path), null, JSON.stringify(path));
});

test("names that some system takes for one fold to the same, and others do not", () => {
  for (const [one, other] of [
    ["events.csv", "EVENTS.CSV"],
    // Composed and not; a compatible form that has no capital of its own; one whose capital is composed only after it
    // was made.
    ["\u00e9", "e\u0301"],
    ["\u00aa", "A"],
    ["\ufb01", "FI"],
    ["\u0390", "\u03aa\u0301"],
    // A capital that has a small form, which has other capitals; letters whose small form is that of others.
    ["\u1e9e", "ss"],
    ["\u017f", "S"],
    ["\u03c2", "\u03c3"],
    ["\u212a", "k"],
  ] as const)
    assert.equal(foldedPath(one), foldedPath(other), `${one} and ${other}`);
  for (const [one, other] of [
    ["a", "b"],
    ["a", "a/"],
    ["e", "\u00e9"],
    ["a.b", "a b"],
  ] as const)
    assert.notEqual(foldedPath(one), foldedPath(other), `${one} and ${other}`);
});
