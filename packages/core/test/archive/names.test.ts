/** Names of entries, one by one: those that are refused and in which words, and those that are accepted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { forbiddenPath, isAsciiName } from "../../src/archive/names.ts";

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "is empty": [""],
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
    ...["lpt0", "lpt9", "conin$", "conout$", "CLOCK$", "conin$.a"],
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
  ...["x~y", "filer", "file", "a/file"],
];

for (const [why, paths] of Object.entries(REFUSED))
  test(`a path that ${why}`, () => {
    for (const path of paths) assert.equal(forbiddenPath(path), why, JSON.stringify(path));
  });

test("paths that mean the same file everywhere are allowed", () => {
  for (const path of ALLOWED) assert.equal(forbiddenPath(path), null, JSON.stringify(path));
});

test("a name is printable ASCII, from its first character to its last", () => {
  const all = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at)).join("");
  for (const name of ["", all, ...all, ...ALLOWED]) assert.ok(isAsciiName(name), JSON.stringify(name));
  const others = [
    "\u0000",
    "\t",
    "\n",
    "\r",
    "\u001f",
    "\u007f",
    "\u0080",
    "\u009f",
    "\u00a0",
    "\u00e9",
    "\uff45",
    "\u{1f600}",
  ];
  for (const other of [...others, "\ud800"])
    for (const name of [other, `a${other}`, `${other}a`, `a${other}b`])
      assert.ok(!isAsciiName(name), JSON.stringify(name));
});
