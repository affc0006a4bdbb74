/**
 * `pnpm bench go`: the Go SDK as programs use it, against the plain verifier in Go that a user would write. Ratios are
 * of processor time, of all threads, so that other work on the machine disturbs them little; those of two goroutines,
 * and of processes that a person waits for, are of the clock.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Groups, inFolder, measureGroups } from "../groups.ts";
import { type Contender, interleave, type Row, row, type Target } from "../measure.ts";
import { queueRate } from "../sdk/queue.ts";
import { benchKeyHex, writtenReceipts } from "../verify/bundle.ts";
import { writeBundleApart } from "../verify/programs.ts";
import { buildPrograms, type Clock, type Programs, processOf, workOf } from "./programs.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<GoBench> = { bundle, wrong, signatures, parse, files, queue, start };

/** The common inputs of all groups. */
export interface GoBench {
  readonly quick: boolean;
  readonly rounds: number;
  /** The folder for evidence; it is deleted afterwards. */
  readonly folder: string;
  readonly programs: Programs;
}

const PLAIN = "plain-verify-go";
const FILES_PER_SECOND = 20_000;
const MIB = 2 ** 20;
/** Megabytes that a verifier may take beside 2.5 times the file. */
const SPARE_MB = 100;
const MAX_START_MS = 12;
const MAX_PROGRAM_BYTES = 10_000_000;

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchGo({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const rounds = quick ? 1 : 5;
  const rows = await inFolder(async (folder) =>
    measureGroups(GROUPS, groups, { quick, rounds, folder, programs: await buildPrograms(folder) }),
  );
  return { rounds, rows };
}

/** One large bundle, with one goroutine and with two. */
async function bundle(bench: GoBench): Promise<Row[]> {
  const { count, file } = await writeBundle(bench);
  const limit = (2.5 * statSync(file).size + SPARE_MB * 1e6) / MIB;
  const ours = (workers: number, clock: Clock) => verifying(bench, file, workers, count, "verified", clock);
  const plain = (clock: Clock) =>
    processOf(bench.programs, [bench.programs.plain, file, benchKeyHex()], {
      amount: count,
      answer: new RegExp(`"ok":true,"receipts":${count},`),
      clock,
    });
  const [one, two, alone, both] = [ours(1, "processor_ms"), ours(2, "ms"), plain("processor_ms"), plain("ms")];
  const [own, together, yardstick, waited] = await figures(bench, [one, two, alone, both], "receipts/s");
  rmSync(file);
  const what = `verify ${thousands(count)} receipts`;
  const most = { at_most: 1 };
  return [
    row(`${what}, one goroutine`, "receipts/s", own, yardstick, PLAIN, wanted(bench, { at_least: 7 })),
    row(`${what}, two, by the clock`, "receipts/s", together, waited, PLAIN, wanted(bench, { at_least: 12 })),
    row("  peak memory, one goroutine", "MiB", one.peakMib(), limit, `2.5 x file + ${SPARE_MB} MB`, most),
    row("  peak memory, two", "MiB", two.peakMib(), limit, `2.5 x file + ${SPARE_MB} MB`, most),
    row("  peak memory, one goroutine", "MiB", one.peakMib(), alone.peakMib(), PLAIN, null),
  ];
}

/** Bundles in which one payload is another, or no signature holds: a search must not cost more than the check. */
async function wrong(bench: GoBench): Promise<Row[]> {
  const { count, file } = await writeBundle(bench);
  const good = readFileSync(file);
  const [onePayload, allSignatures] = [join(bench.folder, "payload.json"), join(bench.folder, "signatures.json")];
  writeFileSync(onePayload, withOtherPayload(good));
  writeFileSync(allSignatures, withWrongSignatures(good));
  const contenders = [
    verifying(bench, file, 1, count, "verified"),
    verifying(bench, onePayload, 1, count, "rejected"),
    verifying(bench, allSignatures, 1, count, "rejected"),
  ] as const;
  const [sound, payload, signatures] = await figures(bench, contenders, "ms");
  for (const path of [file, onePayload, allSignatures]) rmSync(path);
  const what = `reject ${thousands(count)} receipts`;
  return [
    row(`${what}, one payload changed`, "ms", payload, sound, "good bundle", wanted(bench, { at_most: 3 })),
    row(`${what}, all signatures wrong`, "ms", signatures, sound, "good bundle", wanted(bench, { at_most: 10 })),
  ];
}

/** Signatures without evidence around them, each by the same key. */
async function signatures(bench: GoBench): Promise<Row[]> {
  const work = (way: string) => workOf(bench.programs, ["signatures", way], "signatures");
  const contenders = await Promise.all([work("batches"), work("alone"), work("loop")]);
  const [batches, alone, loop] = await figures(bench, contenders, "verifies/s");
  const yardstick = "crypto/ed25519";
  return [
    row("signatures, batches of 1,024", "verifies/s", batches, loop, yardstick, wanted(bench, { at_least: 4 })),
    row("signatures, one by one", "verifies/s", alone, loop, yardstick, wanted(bench, { at_least: 0.9 })),
  ];
}

/** Strict JSON with its canonical bytes, against a parser that checks less. */
async function parse(bench: GoBench): Promise<Row[]> {
  const { file } = await writeBundle({ ...bench, quick: true });
  const work = (way: string) => workOf(bench.programs, ["parse", way, file], "bytes");
  const contenders = await Promise.all([work("ours"), work("plain")]);
  const [own, plain] = await figures(bench, contenders, "MB/s");
  rmSync(file);
  const target = wanted(bench, { at_least: 2.5 });
  return [row("parse strictly, canonical", "MB/s", own / 1e6, plain / 1e6, "encoding/json into any", target)];
}

/** A folder of receipts. */
async function files(bench: GoBench): Promise<Row[]> {
  const count = bench.quick ? 600 : 10_000;
  const folder = join(bench.folder, "receipts");
  mkdirSync(folder);
  let number = 0;
  for (const bytes of writtenReceipts(count)) writeFileSync(join(folder, `${++number}.json`), bytes);
  const { bench: program } = bench.programs;
  const how = { amount: count, answer: new RegExp(`"verified":${count}}`) };
  const work = (workers: string, clock: Clock) =>
    processOf(bench.programs, [program, "folder", folder, benchKeyHex(), workers], { ...how, clock });
  const contenders = [work("2", "ms"), work("1", "processor_ms")] as const;
  const [both, each] = await figures(bench, contenders, "files/s");
  rmSync(folder, { recursive: true });
  const what = `verify ${thousands(count)} files`;
  const target = wanted(bench, { at_least: 1 });
  return [
    row(`${what}, two goroutines, by the clock`, "files/s", both, FILES_PER_SECOND, "limit", target),
    row(`${what}, for each processor`, "files/s", each, FILES_PER_SECOND / 2, "limit", null),
  ];
}

/** Events through an append queue, receipts verified, against batches whose answers are only counted. */
function queue({ quick, rounds, folder, programs }: GoBench): Promise<Row[]> {
  return queueRate({ quick, rounds, folder, command: [programs.bench, "queue"], atLeast: 0.8, flat: "peakMib" });
}

/** The command, as a person waits for it. */
async function start(bench: GoBench): Promise<Row[]> {
  const file = join(bench.folder, "one.receipt.json");
  for (const bytes of writtenReceipts(1)) writeFileSync(file, bytes);
  const { svc, hello: program } = bench.programs;
  const call = [svc, "verify", file, "--public-key-hex", benchKeyHex()];
  const contenders = [
    processOf(bench.programs, call, { answer: /^VERIFIED /, clock: "ms" }),
    processOf(bench.programs, [program], { answer: /^hello$/m, clock: "ms" }),
  ] as const;
  // Short laps are many, because each is as long as a hiccup of the machine.
  const rounds = bench.quick ? 1 : 31;
  const [one, hello] = await figures({ rounds }, contenders, "ms");
  const bytes = statSync(svc).size;
  return [
    row("svc verify, one receipt", "ms", one, hello, "a program that prints a line", wanted(bench, { at_most: 4 })),
    row("svc verify, one receipt", "ms", one, MAX_START_MS, "limit", wanted(bench, { at_most: 1 })),
    row("size of svc", "bytes", bytes, MAX_PROGRAM_BYTES, "limit", { at_most: 1 }),
  ];
}

async function writeBundle({ quick, folder }: GoBench): Promise<{ count: number; file: string }> {
  const count = quick ? 2000 : 100_000;
  const file = join(folder, `${count}.bundle.json`);
  await writeBundleApart(file, count, "canonical");
  return { count, file };
}

function verifying(
  { programs }: GoBench,
  file: string,
  workers: number,
  count: number,
  verdict: string,
  clock: Clock = "processor_ms",
) {
  const words = [programs.bench, "verify", file, benchKeyHex(), `${workers}`];
  const answer = new RegExp(`"receipts":${count},"verdict":"${verdict}"`);
  return processOf(programs, words, { amount: count, answer, clock });
}

/** Returns the bundle with another digit in its last payload. */
function withOtherPayload(bundle: Buffer): Buffer {
  const changed = Buffer.from(bundle);
  const name = '"amount":';
  changeDigit(changed, changed.lastIndexOf(name) + name.length);
  return changed;
}

/** Returns the bundle with another S in each receipt's signature: it stays below L, so that the equation decides. */
function withWrongSignatures(bundle: Buffer): Buffer {
  const changed = Buffer.from(bundle);
  const [name, sBegins] = ['"signature":"', 64];
  for (let at = changed.indexOf(name); at >= 0; at = changed.indexOf(name, at + 1))
    changeDigit(changed, at + name.length + sBegins);
  return changed;
}

function changeDigit(text: Buffer, at: number): void {
  const [one, two] = [0x31, 0x32];
  text[at] = text[at] === one ? two : one;
}

/** Resolves to a figure for each contender, in order. */
async function figures<All extends readonly Contender[]>(
  { rounds }: Pick<GoBench, "rounds">,
  contenders: readonly [...All],
  unit: Row["unit"],
): Promise<{ [Place in keyof All]: number }> {
  return (await interleave(contenders, { rounds, warmUpMs: 0 }, unit)) as { [Place in keyof All]: number };
}

function wanted({ quick }: GoBench, target: Target): Target | null {
  return quick ? null : target;
}

function thousands(count: number): string {
  return count.toLocaleString("en-US");
}
