/**
 * The main job end to end: real records become evidence through the real server, the server and its data go away, and
 * the real `svc` verifies the remaining files, then catches five ways of tampering with them. Exits with 1 if anything
 * fails. With `--postgres` the same on two servers and a PostgreSQL database, one of each is lost on the way. With
 * `--witnesses` three outside witnesses cosign, and catch a service that tells two histories. With `--anchor` the
 * evidence is anchored in a chain, which is deleted with the rest. With `--provenance` the story of content that never
 * leaves its owner (content.ts).
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Bundle, type EventInput, type ReceiptRecord, type StreamClient, SvcClient, SvcError } from "@svc/sdk";
import { buildCli } from "../packages/cli/build.ts";
import { svc, svcReport } from "./auditor.ts";
import { earthquakes } from "./earthquakes.ts";
import { Progress, step } from "./progress.ts";
import { type Mishap, oneServer, type Scene } from "./scene.ts";
import { auditAgain, auditSplit } from "./split-audit.ts";
import { TAMPERINGS } from "./tampering.ts";
import { until } from "./until.ts";

/** The whole story, however it goes, takes no longer. */
const DEADLINE_MS = 5 * 60_000;
/** With growing pauses about a minute: as long as a standby may take to be promoted. */
const MAX_ATTEMPTS = 12;
const ORIGIN = "demo.example/evidence";
const SINGLE_APPENDS = 107;
const BATCH_SIZE = 200;

if (process.argv.includes("--provenance")) {
  install("test-tools");
  // The address is computed: the programs that this story imports are installed only for it.
  const story: typeof import("./content.ts") = await import(new URL("content.ts", import.meta.url).href);
  await story.tellOfContent();
  process.exit(0);
}

const OUT = fileURLToPath(new URL("../demo-out/", import.meta.url));
const DATA = `${OUT}server-data`;
const BUNDLE = `${OUT}earthquakes.bundle.json`;
const RECEIPT = `${OUT}first.receipt.json`;
const KEY = `${OUT}public-key.hex`;

const startedAt = performance.now();
const deadline = setTimeout(() => {
  console.error(`The demo is not done after ${DEADLINE_MS / 1000} s.`);
  process.exit(1);
}, DEADLINE_MS);
console.log("\nFrom records to evidence that outlives the service that made it\n");
rmSync(OUT, { recursive: true, force: true });
mkdirSync(`${OUT}tampered`, { recursive: true });

await buildCli();
step("svc built", "one file, packages/cli/dist/svc.mjs");

const events = earthquakes();
const scene = await sceneOf(process.argv, events.length);
const service = scene.made;
writeFileSync(KEY, `${service.public_key_hex}\n`);
const client = new SvcClient({ baseUrl: scene.url, apiKey: service.api_key, maxAttempts: MAX_ATTEMPTS });
const stream = client.stream(service.stream_id);

const receipts = await appendAll(stream, events, scene.mishaps);
writeFileSync(RECEIPT, JSON.stringify(receipts[0], null, 2));
await waitForEvidence(stream, events.length);
await scene.complete?.(stream, events.length);
const pack = { stream_id: service.stream_id, from_seq_no: 1, to_seq_no: events.length };
writeFileSync(BUNDLE, await client.auditPackBytes(pack));
requireReceipts(JSON.parse(readFileSync(BUNDLE, "utf8")) as Bundle, receipts);
step("bundle saved, with every receipt", `${relative(process.cwd(), BUNDLE)}`);
const split = (await scene.split?.()) ?? null;
await scene.remove();

const pinned = ["--public-key-hex", service.public_key_hex];
const verified = await svc(["verify", BUNDLE, ...pinned]);
assert.equal(verified.exitCode, 0, `the bundle must be verified, and is not:\n${verified.output}`);
step("svc, key pinned", "VERIFIED, exit 0");
const one = await svcReport(["verify", RECEIPT, ...pinned]);
assert.equal(one.exitCode, 0, "the first receipt must be verified alone");
step("svc, one receipt, key pinned", "VERIFIED, exit 0");
const unpinned = await svcReport(["verify", BUNDLE]);
assert.equal(unpinned.exitCode, 2, "without a pinned key the bundle must be untrusted");
assert.equal(unpinned.report.problems[0]?.code, "key_not_pinned");
step("svc, no key pinned", "UNTRUSTED, exit 2: the file's own key proves nothing");
await scene.audit?.(BUNDLE, pinned);
const tamperings = [...TAMPERINGS, ...(scene.tamperings ?? [])];
for (const tampering of tamperings) {
  const file = `${OUT}tampered/${tampering.name}.bundle.json`;
  const bundle = JSON.parse(readFileSync(BUNDLE, "utf8")) as Bundle;
  tampering.apply(bundle);
  writeFileSync(file, JSON.stringify(bundle));
  const { exitCode, report } = await svcReport(["verify", file, ...pinned]);
  const problem = report.problems.find(({ code }) => code === tampering.code);
  assert.equal(exitCode, 1, `${tampering.what} must be rejected`);
  assert.ok(
    problem,
    `${tampering.what} must give ${tampering.code}, and gives ${report.problems.map(({ code }) => code)}`,
  );
  step(`svc, ${tampering.name}`, `REJECTED, exit 1: ${problem.code}`);
  console.log(`      ${tampering.what}\n      at ${problem.path}: ${problem.message}`);
}
tellStory(split === null ? verified.output : await auditSplit(split, BUNDLE, service.public_key_hex));
clearTimeout(deadline);

/** Installs a package of tools/, which the plain demo does not need. */
function install(name: "programs" | "test-tools"): void {
  const installer = fileURLToPath(new URL("../tools/install-tools.mjs", import.meta.url));
  execFileSync(process.execPath, [installer, name], { stdio: "inherit" });
}

/** Starts the scene that the arguments ask for. The others' programs are loaded only where they are needed. */
async function sceneOf(words: readonly string[], events: number): Promise<Scene> {
  if (words.includes("--postgres")) return onPostgres(events);
  if (words.includes("--anchor")) return onChain();
  if (!words.includes("--witnesses")) return oneServer(DATA, ORIGIN);
  const { threeWitnesses } = await import("./witnesses-scene.ts");
  return threeWitnesses(DATA, ORIGIN, events, OUT);
}

/** Starts the scene past one machine. */
async function onPostgres(events: number): Promise<Scene> {
  install("programs");
  const { twoServers } = await import("./postgres-scene.ts");
  return twoServers(DATA, ORIGIN, events);
}

/** Starts the scene with a chain. */
async function onChain(): Promise<Scene> {
  install("programs");
  const { anchoredServer } = await import("./anchor-scene.ts");
  return anchoredServer(DATA, ORIGIN);
}

/**
 * Appends the first events singly and the rest in batches, with one repeat and one misuse of a key on the way. Mishaps
 * happen meanwhile.
 */
async function appendAll(
  stream: StreamClient,
  events: readonly EventInput[],
  mishaps: readonly Mishap[],
): Promise<ReceiptRecord[]> {
  const progress = new Progress("earthquakes recorded", events.length);
  const receipts: ReceiptRecord[] = [];
  const waiting = [...mishaps];
  const happening: Promise<void>[] = [];
  const received = (...more: ReceiptRecord[]) => {
    receipts.push(...more);
    progress.update(receipts.length);
    if (receipts.length >= (waiting[0]?.afterReceipts ?? Number.POSITIVE_INFINITY))
      happening.push(waiting.shift()?.happen() ?? Promise.resolve());
  };
  for (const event of events.slice(0, SINGLE_APPENDS))
    received(await stream.append(event, { idempotencyKey: `usgs-${event.source_ref}` }));
  for (let from = SINGLE_APPENDS; from < events.length; from += BATCH_SIZE) {
    const idempotencyKey = `usgs-batch-${from}`;
    received(...(await stream.appendBatch(events.slice(from, from + BATCH_SIZE), { idempotencyKey })));
  }
  await Promise.all(happening);
  assert.equal(waiting.length, 0, "every mishap must happen");
  progress.done(`${receipts.length}, ${SINGLE_APPENDS} singly, the rest in batches of ${BATCH_SIZE}`);
  await repeatOne(stream, events, receipts);
  return receipts;
}

async function repeatOne(
  stream: StreamClient,
  [first, second]: readonly EventInput[],
  [receipt]: readonly ReceiptRecord[],
): Promise<void> {
  assert.ok(first !== undefined && second !== undefined);
  const idempotencyKey = `usgs-${first.source_ref}`;
  assert.deepEqual(
    await stream.append(first, { idempotencyKey }),
    receipt,
    "a repeated request must give the same receipt",
  );
  step("one request sent again", "the same receipt came back, nothing was recorded twice");
  const misuse = await stream.append(second, { idempotencyKey }).catch((error: unknown) => error);
  assert.ok(misuse instanceof SvcError && misuse.status === 409, "another body under the same key must be a conflict");
  step("its key reused for another event", `refused: ${misuse.status} ${misuse.code}`);
}

/** Waits until the witnesses have cosigned a checkpoint over every event. */
async function waitForEvidence(stream: StreamClient, events: number): Promise<void> {
  const progress = new Progress("windows, checkpoint, witness", events);
  const reached = await until("a witnessed checkpoint over all events", async () => {
    const { witnessed_to_seq_no } = await stream.proofState();
    progress.update(witnessed_to_seq_no);
    return witnessed_to_seq_no >= events ? witnessed_to_seq_no : null;
  });
  progress.done(`cosigned up to event ${reached}`);
}

/** Throws unless the event of each receipt is in the bundle, in the order in which they were given. */
function requireReceipts(bundle: Bundle, receipts: readonly ReceiptRecord[]): void {
  const hashes = (records: readonly { readonly event_hash: string }[]) => records.map(({ event_hash }) => event_hash);
  assert.deepEqual(
    hashes(bundle.artifacts["receipts.json"]),
    hashes(receipts),
    "the bundle must have each event that has a receipt",
  );
}

function tellStory(auditorOutput: string): void {
  const at = (file: string) => relative(process.cwd(), file);
  const command = `node ${at(fileURLToPath(new URL("../packages/cli/dist/svc.mjs", import.meta.url)))}`;
  const again = [
    ...(scene.again?.(BUNDLE, at) ?? []),
    ...(split === null ? [] : auditAgain(split, BUNDLE, "--public-key-hex $K", at)),
  ];
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`
What the auditor sees, with nothing but the file and the key:

${auditorOutput.trimEnd()}

What happened: ${events.length.toLocaleString("en")} earthquakes were recorded, each answered with a signed receipt. The
${scene.ending}

Everything is in ${at(OUT) || "."}/. Repeat by hand:

  K=$(cat ${at(KEY)})
  ${command} verify ${at(BUNDLE)} --public-key-hex $K
  ${command} verify ${at(RECEIPT)} --public-key-hex $K
  ${command} verify ${at(BUNDLE)}
${tamperings.map(({ name }) => `  ${command} verify ${at(`${OUT}tampered/${name}.bundle.json`)} --public-key-hex $K`).join("\n")}
${again.map((words) => `  ${command} ${words}\n`).join("")}
Done in ${seconds} s.
`);
}
