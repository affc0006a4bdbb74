/**
 * One trust file, kept by the command `svc` in Go and by the npm `svc`: each writes the same bytes and says the same,
 * reads what the other has written, and waits for the other's lock.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleOf, issueStream, SERVICE, WITNESS, WITNESS_POLICY } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { FOLDER, goSvc, npmSvc, type Program, put } from "./command.ts";
import { goTest } from "./toolchain.ts";

const KEY = SERVICE.publicKeyHex;
const OTHER = testSigner("somebody else").publicKeyHex;
const HASH = `0x${"ab".repeat(32)}`;
const BLOCK = ["--network", "eip155:1", "--number", "7", "--hash"];
const ADDRESS = `0x${"Cd".repeat(20)}`;
const INSTALLATION = `ins_0${"1".repeat(25)}`;
const WITNESS_NAME = WITNESS_POLICY.witnessKeys[0]?.name ?? "";
const WRITERS = 8;
const ROUNDS = 4;

const evidence = await issueStream(10);
const STREAM = evidence.records[0]?.stream_id ?? "";
put("march.bundle.json", await bundleOf(evidence));
put("policy.tlog", "quorum none\n");
put("bad.tlog", "quorum a\n");
put("as-written.json", '{"require":["included"],"signers":[],"expect":{"from_seq_no":1.0e0}}');
put("twice.json", '{"signers": [],\n "signers": []}');

/** Calls of `svc trust`, one after the other on one file. Most change it; those with a code besides 0 must not. */
const CALLS: readonly (readonly [code: number, ...args: string[]])[] = [
  [0, "list"],
  [0, "add", "--name", "acme é 2026", "--public-key-hex", KEY.replace(/(.{4})/g, "$1 ")],
  [0, "add", "--public-key-hex", KEY],
  [64, "add", "--public-key-hex", KEY, "--origin", "acme.example", "--stream", STREAM],
  [0, "add", "--public-key-hex", KEY, "--origin", "acme.example", "--stream", STREAM, "--no-endorse", "--replace"],
  [0, "add", "--public-key-hex", OTHER, "--valid-to", "2026-12-31T23:59:59.999Z"],
  [64, "add", "--public-key-hex", OTHER, "--valid-to", "2026-12-31"],
  [64, "add", "--name", "acme é 2026", "--public-key-hex", OTHER],
  [64, "add"],
  [64, "add", "--origin", "acme.example"],
  [64, "add", "--require", "signed"],
  [64, "add", "--quorum", "02"],
  [64, "add", "--quorum", "1", "--quorum-file", "policy.tlog"],
  [0, "add", "--witness", WITNESS_NAME, "--public-key-hex", WITNESS.publicKeyHex, "--quorum", "2"],
  [0, "add", "--quorum-file", "policy.tlog", "--require", "witnessed", "--require", "included"],
  [66, "add", "--quorum-file", "none.tlog"],
  [0, "pin-block", ...BLOCK, HASH],
  [0, "pin-block", ...BLOCK, HASH],
  [64, "pin-block", ...BLOCK, HASH.replace("ab", "cd")],
  [0, "pin-block", ...BLOCK, HASH.replace("ab", "cd"), "--replace"],
  [64, "pin-block", "--network", "eip155:1"],
  [0, "pin-contract", "--network", "eip155:1", "--address", ADDRESS],
  [64, "pin-contract", "--network", "eip155:1", "--address", ADDRESS, "--code-hash", HASH],
  [0, "pin-vault", "--installation", INSTALLATION, "--public-key-hex", OTHER],
  [64, "pin-vault", "--installation", INSTALLATION, "--public-key-hex", KEY],
  [0, "list"],
  [0, "list", "--json"],
  [0, "show", "acme é 2026"],
  [64, "show", "nobody"],
  [0, "remove", "--require", "witnessed", "--quorum", "--witness", WITNESS_NAME, "--contract", ADDRESS.toLowerCase()],
  [64, "remove", "--require", "witnessed"],
  [64, "remove"],
  [1, "remember", "policy.tlog.bundle.json"],
  [0, "revoke", OTHER],
  [0, "revoke", "acme é 2026"],
  [0, "remove", "--revoked", "acme é 2026"],
  [0, "remove", "--signer", KEY],
  [0, "add", "--public-key-hex", KEY],
  [0, "remember", "march.bundle.json"],
  [0, "remember", "march.bundle.json"],
  [0, "list"],
  [0, "remove", "--known-checkpoint", STREAM],
];
put("policy.tlog.bundle.json", '{"manifest": {"bundle_id": 1}}');

goTest("a tlog-policy that begins with a byte-order mark is malformed, wherever it is given", async () => {
  put("marked.tlog", "\ufeffquorum none\n");
  for (const words of [
    ["trust", "add", "--quorum-file", "marked.tlog", "--trust", "marked.json"],
    ["verify", "march.bundle.json", "--quorum", "marked.tlog"],
  ]) {
    const { code, stdout, stderr } = await goSvc(...words);
    assert.equal(code, 64, `${stdout}${stderr}`);
    assert.match(`${stdout}${stderr}`, /Line 1|line 1/, words.join(" "));
  }
});

/** Makes all calls on one file, by the programs in turn. Resolves to what each said and left in the file. */
async function made(file: string, programs: readonly Program[]) {
  const all: unknown[] = [];
  for (const [index, [code, ...args]] of CALLS.entries()) {
    const program = programs[index % programs.length] ?? assert.fail("no program");
    const before = contentOf(file);
    const ended = await program("trust", ...args, "--trust", file);
    assert.equal(ended.code, code, `${args.join(" ")}\n${ended.stderr}`);
    if (code !== 0) assert.deepEqual(contentOf(file), before, args.join(" "));
    // The verdict's words about a broken file, and the path of the file, are each program's own.
    const said = [ended.stdout, ended.stderr].map((text) => text.replaceAll(/\s+/g, " ").replaceAll(file, "<file>"));
    all.push([args, args[0] === "remember" && code !== 0 ? null : said, contentOf(file)]);
  }
  return all;
}

function contentOf(file: string): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.startsWith(file))
    .sort()
    .flatMap((name) => [name.replace(file, ""), readFileSync(join(FOLDER, name), "utf8")]);
}

goTest(
  "every call has the words, the exit code and the bytes of the npm svc, whichever of them wrote the file before",
  async () => {
    const expected = await made("npm.json", [npmSvc]);
    assert.deepEqual(await made("go.json", [goSvc]), expected);
    assert.deepEqual(await made("both.json", [goSvc, npmSvc]), expected);
  },
);

goTest("a file that a person wrote is changed alike, and a faulty one is refused alike", async () => {
  const text = readFileSync(join(FOLDER, "as-written.json"), "utf8");
  for (const [name, program] of [
    ["n-written.json", npmSvc],
    ["g-written.json", goSvc],
  ] as const)
    assert.equal((await program("trust", "add", "--public-key-hex", KEY, "--trust", put(name, text))).code, 0);
  assert.deepEqual(contentOf("g-written.json"), contentOf("n-written.json"));
  put("named.json", { signers: [] });
  put("named.json.names", { acme: 1 });
  for (const file of ["twice.json", "named.json", "march.bundle.json", "policy.tlog"])
    assert.deepEqual(await goSvc("trust", "list", "--trust", file), await npmSvc("trust", "list", "--trust", file));
});

goTest("of many writers of both kinds at once none loses what another wrote", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const folder = `busy-${round}`;
    mkdirSync(join(FOLDER, folder));
    const keys = Array.from({ length: WRITERS }, (_, index) => testSigner(`writer ${index}`).publicKeyHex);
    const ended = await Promise.all(
      keys.map((key, index) => {
        const name = ["--name", `writer ${index}`, "--public-key-hex", key];
        return (index % 2 === 0 ? goSvc : npmSvc)("trust", "add", ...name, "--trust", `${folder}/trust.json`);
      }),
    );
    assert.deepEqual(
      ended.map(({ code, stderr }) => [code, stderr]),
      keys.map(() => [0, ""]),
    );
    const { signers } = JSON.parse(readFileSync(join(FOLDER, folder, "trust.json"), "utf8"));
    const names = JSON.parse(readFileSync(join(FOLDER, folder, "trust.json.names"), "utf8"));
    assert.deepEqual(signers.map((pin: { public_key_hex: string }) => pin.public_key_hex).sort(), [...keys].sort());
    assert.equal(Object.keys(names).length, WRITERS);
    assert.deepEqual(readdirSync(join(FOLDER, folder)).sort(), ["trust.json", "trust.json.names"]);
  }
});

goTest("the lock of a process that lives is waited for, and that of one that ended is broken", async () => {
  put("held.json", { signers: [] });
  const holder = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  put("held.json.lock", `${holder.pid}\n`);
  const waiting = goSvc("trust", "add", "--public-key-hex", KEY, "--trust", "held.json");
  const early = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 500, "waits"))]);
  assert.equal(early, "waits");
  assert.deepEqual(contentOf("held.json"), ["", '{"signers":[]}', ".lock", `${holder.pid}\n`]);
  holder.kill();
  const { code, stderr } = await waiting;
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(JSON.parse(readFileSync(join(FOLDER, "held.json"), "utf8")).signers.length, 1);
  assert.deepEqual(contentOf("held.json").length, 2);
});
