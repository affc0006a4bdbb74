/**
 * The demo's further stories as a visitor runs them: each comes to its end, and leaves nothing running. They are in one
 * file, and so one after the other, since each has the folder demo-out to itself.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { RICH_KEY } from "@svc/testkit/chain";
import { HAS_CHROMIUM } from "@svc/testkit/chromium";
import { leavesNothing, NO_PROC } from "@svc/testkit/left-behind";
import { NO_POSTGRES } from "@svc/testkit/postgres";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TIMEOUT_MS = 320_000;
const FILES = ["earthquakes.bundle.json", "first.receipt.json", "public-key.hex", "tampered"];

/** The parts of the output on PostgreSQL, in their order. */
const ON_POSTGRES = [
  /PostgreSQL 18\.\d+ started/,
  /two servers started/,
  /one server killed, SIGKILL/,
  /primary of the database killed/,
  /standby promoted/,
  /earthquakes recorded +1707/,
  /cosigned up to event 1707/,
  /bundle saved, with every receipt/,
  /servers and databases deleted/,
  /svc, key pinned +VERIFIED, exit 0/,
  /svc, 5-witness-signature +REJECTED, exit 1/,
  /VERIFIED {3}bundle_\w+\n.*events 1 to 1,707 .*complete/,
  /Done in [\d.]+ s\.\n\n$/,
];

/** The same with witnesses. */
const WITH_WITNESSES = [
  /witness of the university started +http/,
  /witness of the newspaper started +http/,
  /witness of the regulator started +http/,
  /2 of the 3 witnesses have to cosign/,
  /witness of the university killed +SIGKILL/,
  /earthquakes recorded +1707/,
  /cosigned up to event 1707/,
  /bundle saved, with every receipt/,
  /both copies go on: http/,
  /first copy records event 1708 +cosigned by newspaper and regulator/,
  /second copy records another 1708/,
  /both witnesses refuse the second +history_contradicted/,
  /fork evidence written +by 2 witnesses/,
  /services and witnesses deleted/,
  /svc, key pinned +VERIFIED, exit 0/,
  /svc, 5-witness-signature +REJECTED, exit 1/,
  /svc, bundle, witnesses pinned +VERIFIED, exit 0: 2 of the 3/,
  /svc, first history, same pins +VERIFIED, exit 0: 2 of the 3/,
  /svc, second history, same pins +REJECTED, exit 1: witness_quorum_unmet/,
  /svc, fork evidence, key pinned +VERIFIED, exit 0/,
  /svc, fork evidence, no key pinned +UNTRUSTED, exit 2/,
  /svc, first history with evidence +REJECTED, exit 1: fork_detected/,
  /svc, second history with evidence +REJECTED, exit 1: fork_detected/,
  /VERIFIED {3}frk_\w+/,
  /svc\.mjs forks verify demo-out\/fork\.json --public-key-hex \$K/,
  /Done in [\d.]+ s\.\n\n$/,
];

/** The same with a chain. */
const ON_A_CHAIN = [
  /chain started +eip155:31337/,
  /contract made +0x[0-9a-f]{40}/,
  /its policy requires an anchor/,
  /earthquakes recorded +1707/,
  /cosigned up to event 1707/,
  /chain reorganized +block \d+ is gone/,
  /epoch anchored +block \d+/,
  /bundle saved, with every receipt/,
  /server and chain stopped, all deleted/,
  /svc, key pinned +VERIFIED, exit 0/,
  /svc, block not pinned +VERIFIED, exit 0, anchored: unpinned/,
  /svc, the same, anchor required +REJECTED, exit 1: evidence_missing/,
  /svc, block and contract pinned +VERIFIED, exit 0, anchored: pinned/,
  /svc, 5-witness-signature +REJECTED, exit 1/,
  /svc, 6-older-block +REJECTED, exit 1: anchor_does_not_bind/,
  /Done in [\d.]+ s\.\n\n$/,
];

const READERS = HAS_CHROMIUM ? "svc, the page, the SDK" : "svc, the SDK";

/** The same for content, whose lines are longer than a terminal's. */
const OF_CONTENT = [
  "200 envelopes, each vault's chain complete: VERIFIED, exit 0",
  "none: a commitment hides what is under it",
  `VERIFIED, say ${READERS}`,
  `REJECTED: disclosure_audience_mismatch, say ${READERS}`,
  `REJECTED: commitment_mismatch, say ${READERS}`,
  `REJECTED: content_mismatch, say ${READERS}`,
  `REJECTED: vault_key_revoked, say ${READERS}`,
  "svc, with the document itself",
  "2 of 8 leaves opened: content, author; 6 stay closed",
  "Done in",
].map((words) => new RegExp(words.replaceAll(" ", "\\s+")));

/** Runs the demo to its end, and resolves to all that it said, and to the addresses in it, at which nobody listens. */
async function play(t: TestContext, option: string, story: readonly RegExp[]) {
  const words = ["demo/main.ts", option];
  const demo = spawn(process.execPath, words, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  t.after(() => demo.kill("SIGKILL"));
  const [out, err, [code]] = await Promise.all([text(demo.stdout), text(demo.stderr), once(demo, "close")]);
  assert.equal(code, 0, out + err);
  let from = 0;
  for (const part of story) {
    const found = part.exec(out.slice(from));
    assert.ok(found, `${part} is missing after:\n${out.slice(0, from)}\nin\n${out.slice(from)}`);
    from += found.index + found[0].length;
  }
  const urls = [...out.matchAll(/http:\/\/127\.0\.0\.1:\d+/g)].map(([url]) => url);
  for (const url of urls) await assert.rejects(fetch(url), TypeError, url);
  return { said: out + err, urls, left: readdirSync(new URL("../../demo-out", import.meta.url)).sort() };
}

test("two servers and a database that lose one each leave a bundle that verifies", {
  skip: NO_POSTGRES,
  timeout: TIMEOUT_MS,
}, async (t) => {
  const { said, urls, left } = await play(t, "--postgres", ON_POSTGRES);
  assert.ok(!/postgres(?:ql)?:\/\//.test(said), "the address of the database holds a password");
  assert.deepEqual(left, FILES);
  // Two servers, and their one address.
  assert.equal(urls.length, 3);
});

test("witnesses, one of which is lost, catch a service that tells two histories, and the evidence outlives all", {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const { urls, left } = await play(t, "--witnesses", WITH_WITNESSES);
  const histories = ["first", "second"].flatMap((name) => [`${name}-history-with-fork`, `${name}-history`]);
  const more = ["fork.json", "witnesses.tlog-policy", ...histories.map((name) => `${name}.bundle.json`)];
  assert.deepEqual(left, [...FILES, ...more].sort());
  // Three witnesses, the server, and its two copies.
  assert.equal(urls.length, 6);
});

test("a document is disclosed to its reader and no other, and the commands at the end repeat it", {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const { urls, said } = await play(t, "--provenance", OF_CONTENT);
  assert.deepEqual(urls, []);
  const commands = [...said.matchAll(/^ {2}node (.+)$/gm)].map(([, words = ""]) => words.split(" "));
  const statuses = commands.map((words) => spawnSync(process.execPath, words, { cwd: ROOT }).status);
  assert.deepEqual(statuses, [0, 0, 0, 1, 1, 1, 1]);
});

test("a chain that is deleted leaves a bundle that proves its time", { timeout: TIMEOUT_MS }, async (t) => {
  const { said, left } = await play(t, "--anchor", ON_A_CHAIN);
  assert.ok(!said.includes(RICH_KEY));
  const lasting = left.filter((name) => !name.startsWith("trust.json."));
  assert.deepEqual(lasting, [...FILES, "trust.json"].sort());
});

for (const signal of ["SIGTERM", "SIGKILL"] as const)
  test(`a story that ${signal} ends leaves no process behind`, { skip: NO_PROC, timeout: TIMEOUT_MS }, (t) =>
    leavesNothing(t, ["tools/run.mjs", "demo"], / packages\/server\/src\/main\.ts start /, { signal, to: "script" }),
  );
