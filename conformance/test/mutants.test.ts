/** Mutants: the same by seed, every sort of change among them, and a difference made as small as it goes. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { parseCase } from "../src/cases/case.ts";
import { readCases } from "../src/cases/read.ts";
import { changedMembers } from "../src/mutants/changed-members.ts";
import { changedNotes } from "../src/mutants/changed-notes.ts";
import { changedTrust } from "../src/mutants/changed-trust.ts";
import { textOfTree, treeOf } from "../src/mutants/json-tree.ts";
import { bytesOf, mutate, type Request } from "../src/mutants/mutate.ts";
import { randomOfMutant } from "../src/mutants/random.ts";
import { shrink } from "../src/mutants/shrink.ts";
import { casesFolder, runner } from "./runner.ts";

const OBJECT = {
  id: "evil or not",
  list: [1, { note: "harmless" }, { note: "evil", deep: [[["x"]]] }],
  more: { a: 1 },
};
const request = (object: unknown): Request => ({
  op: "verify",
  bytes: Buffer.from(JSON.stringify(object)).toString("base64"),
  kind: "receipt",
  trust: { keys: ["a", "b"], note: "evil" },
});
const REPORT = {
  ok: false,
  verdict: "rejected",
  kind: null,
  subject: {},
  assurance: {},
  signers: [],
  checks: [],
  problems: [],
  proves: [],
  does_not_prove: [],
};
const CASES = casesFolder({
  "all.jsonl": [
    { name: "4/receipt/evil", level: 4, request: request(OBJECT), answer: { ok: false, report: REPORT } },
    { name: "1/digest/x", level: 1, request: { op: "digest", tag: "x", bytes: "" }, answer: { ok: true } },
  ],
});
const verifier = (...words: readonly string[]) =>
  [process.execPath, fileURLToPath(new URL("programs/verifier.mjs", import.meta.url)), ...words]
    .map((word) => `'${word}'`)
    .join(" ");

test("a mutant depends on its seed and number alone, and mutants differ", () => {
  const of = (seed: number, number: number) => JSON.stringify(mutate(request(OBJECT), randomOfMutant(seed, number)));
  const mutants = Array.from({ length: 2000 }, (_, number) => of(7, number));
  assert.deepEqual(
    mutants,
    Array.from({ length: 2000 }, (_, number) => of(7, number)),
  );
  assert.ok(new Set(mutants).size > 400, `${new Set(mutants).size}`);
  const texts = mutants.map((text) => bytesOf(JSON.parse(text)).toString());
  const names = (text: string) => [...text.matchAll(/"(\w+)":/g)].map(([, name]) => name);
  const original = names(JSON.stringify(OBJECT)).length;
  assert.ok(texts.some((text) => treeOf(text) === null));
  assert.ok(texts.some((text) => names(text).length < original));
  assert.ok(texts.some((text) => names(text).length > original));
  assert.ok(
    texts.some((text) => /"(id|list|more)":.*"\1":/.test(text)),
    "a repeated member",
  );
  for (const member of ["kind", "trust", "bytes"]) {
    const values = mutants.map((text) => JSON.stringify(JSON.parse(text)[member]));
    assert.ok(new Set(values).size > 3, member);
  }
});

test("a request of another operation is changed in each of its members, and stays one", () => {
  const base: Request = { op: "x", note: "a\nb\n", bytes: "AAAA", count: 3, list: ["c"], deep: { hex: "00" } };
  const other: Request = { ...base, bytes: "BBBB", note: "other" };
  const mutants = Array.from({ length: 20_000 }, (_, number) =>
    changedMembers(base, other, randomOfMutant(9, number), () => "CCCC"),
  );
  for (const mutant of mutants) assert.deepEqual(Object.keys(mutant), Object.keys(base));
  const seen = (name: string) => new Set(mutants.map((mutant) => JSON.stringify(mutant[name])));
  assert.deepEqual([...seen("op")], ['"x"']);
  assert.deepEqual([...seen("bytes")].sort(), ['"AAAA"', '"BBBB"', '"CCCC"']);
  for (const text of ["a\nother\nb\n", "a\n", "b\na\n", "", "f\nb\n", "a\nquorumb\n"])
    assert.ok(seen("note").has(JSON.stringify(text)), JSON.stringify(text));
  for (const count of ["2", "4", "-1", '"3"', "9007199254740991"]) assert.ok(seen("count").has(count), count);
  for (const list of ["[]", '["c","c"]']) assert.ok(seen("list").has(list), list);
  assert.ok(seen("deep").size > 5, `${seen("deep").size}`);
});

test("a policy is changed in each of its members, by what the evidence says", () => {
  const hex = "ab".repeat(32);
  const evidence = JSON.stringify({
    kid: "ed25519-0123456789abcdef",
    public_key_hex: hex,
    name: "witness.example/w",
    origin: "test.example/evidence",
    stream_id: `str_${"0".repeat(26)}`,
    installationId: `ins_${"0".repeat(26)}`,
    audience: "court",
    created_at: "2026-03-01T00:00:00.000Z",
    seq_no: 7,
  });
  const said = (number: number) => JSON.stringify(changedTrust({ signers: [] }, evidence, randomOfMutant(7, number)));
  const policies = Array.from({ length: 2000 }, (_, number) => said(number));
  const members = new Set(policies.flatMap((policy) => Object.keys(JSON.parse(policy))));
  const wanted =
    "signers revoked witnesses quorum require known_checkpoints expect vaults vault_time status_not_before";
  for (const name of [...wanted.split(" "), "require_assurance", "allow_software_roots"])
    assert.ok(members.has(name), name);
  assert.ok(policies.some((policy) => policy.includes(`"checkpoint_root":"${hex}"`)));
});

test("a note's lines are changed, and stay lines", () => {
  const line = (name: string) => `— ${name} ${Buffer.alloc(68, 7).toString("base64")}\n`;
  const note = `origin\n1\nroot\n\n${line("a.example/log")}${line("w.example/w")}`;
  const changed = Array.from({ length: 300 }, (_, number) => changedNotes(note, randomOfMutant(7, number)) ?? "");
  assert.ok(new Set(changed).size > 20);
  for (const one of changed) assert.match(one, /^origin\n1\nroot\n\n(?:— \S+ [A-Za-z0-9+/=]+\n)+$/);
  assert.equal(changedNotes("{}", randomOfMutant(7, 1)), null);
});

test("a tree keeps what is in a text: repeated members, the spelling of numbers", () => {
  for (const text of ['{"a":1.0,"a":-0,"b":[1e400,"\\u0000\\""]}', "[]", "{}", "0", '{"a":{"b":[{}]}}'])
    assert.equal(textOfTree(treeOf(text) ?? assert.fail(text)), text);
  for (const text of ["", "[", "[1 2]", '{"a"}', "{1:2}", "[1,]", "1 2", "[".repeat(300)])
    assert.equal(treeOf(text), null);
});

test("a case shrinks until nothing can go", async () => {
  const shows = async (one: Request) => /"note":"evil/.test(bytesOf(one).toString());
  const small = await shrink(request(OBJECT), shows);
  assert.deepEqual(small, { op: "verify", bytes: Buffer.from('{"list":[{"note":"evil"}]}').toString("base64") });
});

test("two programs that differ are found out, with one small case for each way", async () => {
  const write = join(temporaryFolder(), "found");
  const words = ["--cases", CASES, "--mutants", "200", "--seed", "3", "--write", write];
  const call = ["--command", verifier("blind"), "--against", verifier(), ...words];
  const { code, stdout, stderr } = await runner(call);
  assert.equal(code, 1, stderr);
  assert.match(stdout, /^seed 3: 200 mutants, \d+ differ, in 1 ways$/m);
  assert.match(stdout, /with the answer of --against as the right one/);
  const [found = "", ...more] = readdirSync(write);
  assert.deepEqual(more, []);
  const text = readFileSync(join(write, found), "utf8");
  const one = parseCase(JSON.parse(text));
  assert.equal(
    bytesOf(one.request)
      .toString()
      .replace(/evil.*"/, 'evil"'),
    '{"list":[{"note":"evil"}]}',
  );
  assert.ok(text.length < 2048);
  assert.equal(one.answer.ok, false);
  assert.equal(readCases(write).cases.length, 1);
  const again = join(temporaryFolder(), "found");
  const { stdout: second } = await runner(call.with(-1, again));
  assert.equal(second.replaceAll(again, write), stdout);
  assert.equal(readFileSync(join(again, found), "utf8"), text);
});

test("two programs that agree have no difference, and one that does not answer is a wrong call", async () => {
  const words = ["--cases", CASES, "--mutants", "100", "--write", join(temporaryFolder(), "found")];
  const { code, stdout } = await runner(["--command", verifier(), "--against", verifier(), ...words]);
  assert.equal(code, 0);
  assert.match(stdout, /^seed 1: 100 mutants, 0 differ, in 0 ways$/m);
  const wrong = await runner(["--command", verifier(), "--against", "exit 3", ...words]);
  assert.equal(wrong.code, 64);
  assert.match(wrong.stderr, /the program of --against ended with exit code 3/);
});
