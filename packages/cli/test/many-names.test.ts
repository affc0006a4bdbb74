/** The files that arguments mean: patterns, folders, links, and entries among them that cannot be read. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import fc from "fast-check";
import { matches } from "../src/verify/many/glob.ts";
import { isOneFile, namedBy } from "../src/verify/many/names.ts";

const folder = mkdtempSync(join(tmpdir(), "svc-names-"));
const before = process.cwd();
process.chdir(folder);
after(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const FILES = [
  "a/1.json",
  "a/10.json",
  "a/2.json",
  "a/b/3.json",
  "a/b/.4.json",
  "a/b/notes.txt",
  "a/[x].json",
  "top.json",
];
for (const file of FILES) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "{}");
}
mkdirSync("links");
symlinkSync("../a", "links/folder");
symlinkSync("../a/b", "links/same");
symlinkSync("..", "a/b/up");
symlinkSync("self.json", "links/self.json");
symlinkSync("nowhere", "links/dangling");

/** Resolves to the files that arguments mean; a refused one has an exclamation mark. */
async function files(...args: string[]): Promise<string[]> {
  const { named } = await namedBy(args, undefined);
  return named.map(({ file, refused }) => (refused === undefined ? file : `${file}!`));
}

test(
  "a folder means every file in and under it that is named as evidence is, in ascending order, whatever leads back " +
    "to it",
  async () => {
    const all = ["a/1.json", "a/10.json", "a/2.json", "a/[x].json", "a/b/.4.json", "a/b/3.json"];
    assert.deepEqual(await files("a"), all);
    assert.deepEqual(await files("a/"), all);
    assert.deepEqual(await files("a/b/up/b"), [
      "a/b/up/b/.4.json",
      "a/b/up/b/3.json",
      ...all.slice(0, 4).map((name) => name.replace("a/", "a/b/up/b/up/")),
    ]);
  },
);

test("a folder means packages and proofs too, in any case, and what else is in it comes back by name", async () => {
  mkdirSync("kinds/below", { recursive: true });
  for (const name of ["a.truth.zip", "B.ZIP", "c.tlog-proof", "d.Json", "e.zip.part", "below/notes.txt", "below/json"])
    writeFileSync(`kinds/${name}`, "");
  assert.deepEqual(await files("kinds"), ["kinds/B.ZIP", "kinds/a.truth.zip", "kinds/c.tlog-proof", "kinds/d.Json"]);
  const others = async (...args: string[]) => (await namedBy(args, undefined)).notLookedAt;
  assert.deepEqual(await others("kinds"), ["kinds/below/json", "kinds/below/notes.txt", "kinds/e.zip.part"]);
  // A file that another word of the call names is looked at.
  assert.deepEqual(await others("kinds", "./kinds/below/*.txt"), ["kinds/below/json", "kinds/e.zip.part"]);
  assert.deepEqual(await others("k*", "kinds/"), ["kinds/below/json", "kinds/below/notes.txt", "kinds/e.zip.part"]);
  assert.deepEqual(await others("kinds/*.zip", "kinds/**"), [], "a pattern says which files are meant");
  assert.deepEqual(await others("kinds/below"), ["kinds/below/json", "kinds/below/notes.txt"]);
});

test("links are followed, each folder is walked once, and a link in a circle is left to be read", async () => {
  const found = await files("links");
  assert.deepEqual(found, [
    ...["1.json", "10.json", "2.json", "[x].json", "b/.4.json", "b/3.json"].map((name) => `links/folder/${name}`),
    "links/self.json",
  ]);
});

test("patterns", async () => {
  assert.deepEqual(await files("a/*.json"), ["a/1.json", "a/10.json", "a/2.json", "a/[x].json"]);
  assert.deepEqual(await files("?/[1-2].json"), ["a/1.json", "a/2.json"]);
  assert.deepEqual(await files("a/[!1]*.json"), ["a/2.json", "a/[x].json"]);
  assert.deepEqual(await files("**/3.json"), ["a/b/3.json"]);
  assert.deepEqual(await files("a/**"), [
    "a/1.json",
    "a/10.json",
    "a/2.json",
    "a/[x].json",
    "a/b/3.json",
    "a/b/notes.txt",
  ]);
  assert.deepEqual(await files(`${folder}/*.json`), [`${folder}/top.json`]);
  // A folder that a pattern means is walked. Its files are read, even if they are not named as evidence is.
  assert.deepEqual(await files("a/b*"), [
    "a/b/.4.json",
    "a/b/3.json",
    "a/b/up/1.json",
    "a/b/up/10.json",
    "a/b/up/2.json",
    "a/b/up/[x].json",
  ]);
  assert.deepEqual(await files("a/b/*.txt"), ["a/b/notes.txt"]);
  // A file with this very name counts before any pattern.
  assert.deepEqual(await files("a/[x].json"), ["a/[x].json"]);
});

test("what means nothing is an entry, and what is meant twice is one", async () => {
  assert.deepEqual(await files("none", "x*", "links/same/*.md", "top.json", "./top.json", "top.json", "*.json"), [
    "none",
    "x*!",
    "links/same/*.md!",
    "top.json",
    "./top.json",
  ]);
});

test("a pipe among files is refused, and read where it is named by itself", {
  skip: process.platform === "win32",
}, async () => {
  mkdirSync("pipes");
  execFileSync("mkfifo", ["pipes/p.json"]);
  symlinkSync("p.json", "pipes/q.json");
  assert.deepEqual(await files("pipes"), ["pipes/p.json!", "pipes/q.json!"]);
  assert.deepEqual(await files("pipes/p.json"), ["pipes/p.json"]);
});

test("folders in folders as deep as a path can be long are walked", {
  skip: process.platform === "win32",
}, async () => {
  let deep = "deep";
  for (; deep.length < 4000; deep += "/d") mkdirSync(deep);
  mkdirSync(deep);
  writeFileSync(`${deep}/a.json`, "{}");
  for (const args of ["deep", "deep/**", "deep/**/*.json"]) assert.deepEqual(await files(args), [`${deep}/a.json`]);
});

test("one file is what is neither a folder nor a pattern, whatever the folder holds", () => {
  const answers = ["-", "top.json", "none", "a", "*.json", "a/[x].json"].map(isOneFile);
  assert.deepEqual(answers, [true, true, true, false, false, true]);
});

test("a part of a pattern matches as its regular expression does", () => {
  const letter = fc.constantFrom("a", "b", "c", ".", "*", "?");
  const token = fc.constantFrom("a", "b", ".", "*", "?", "**", "[ab]", "[!a]", "[a-b]");
  const expression: Readonly<Record<string, string>> = {
    "*": "[^]*",
    "**": "[^]*",
    "?": "[^]",
    ".": "\\.",
    "[!a]": "[^a]",
  };
  fc.assert(
    fc.property(
      fc.array(token, { maxLength: 8 }),
      fc.array(letter, { minLength: 1, maxLength: 8 }),
      (tokens, letters) => {
        const name = letters.join("");
        const pattern = new RegExp(`^${tokens.map((one) => expression[one] ?? one).join("")}$`, "u");
        const isHidden = name.startsWith(".") && tokens[0] !== ".";
        assert.equal(matches(tokens.join(""), name), !isHidden && pattern.test(name));
      },
    ),
    { numRuns: 3000 },
  );
  assert.ok(matches("[]a]", "]") && !matches("[", "x") && matches("[", "[") && matches("?", "\u{1f600}"));
});

test("a pattern with many stars takes no time that doubles with each", () => {
  assert.equal(matches("*a".repeat(100), "a".repeat(5000).concat("b")), false);
});
