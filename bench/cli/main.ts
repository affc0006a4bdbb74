/**
 * `pnpm bench cli`: the built `svc.mjs` as people run it, as whole processes, against an empty one and against core
 * without a process.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { built } from "@svc/testkit/built";
import { beside } from "../../packages/cli/build.ts";
import { type Groups, inFolder, measureGroups } from "../groups.ts";
import { type Contender, interleave, type Row, rowOf, type Target } from "../measure.ts";
import { benchKeyHex, writtenReceipts } from "../verify/bundle.ts";
import { buildOurs, ours, PLAIN_CALL, writeBundleApart } from "../verify/programs.ts";
import { processOf } from "./programs.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<CliBench> = { start, small, files, bundle };

/** The common inputs of all groups. */
export interface CliBench {
  readonly quick: boolean;
  readonly rounds: number;
  /** The folder for evidence; it is deleted afterwards. */
  readonly folder: string;
  /** The built file: the whole program. */
  readonly svc: string;
  /** The file that starts an installed program, with only the parts that a call needs. */
  readonly start: string;
}

/** How many files a second two cores must verify, start and table included. */
const FILES_PER_SECOND = 8000;

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchCli({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const rounds = quick ? 1 : 7;
  const rows = await inFolder(async (folder) => {
    const svc = join(await built("cli"), "svc.mjs");
    return measureGroups(GROUPS, groups, { quick, rounds, folder, svc, start: beside(svc, "start") });
  });
  return { rounds, rows };
}

/** One receipt: how long a person waits for the smallest task. */
async function start(bench: CliBench): Promise<Row[]> {
  const file = join(bench.folder, "one.receipt.json");
  for (const bytes of writtenReceipts(1)) writeFileSync(file, bytes);
  const contenders = [
    verifying(bench.start, [file], 1, /^VERIFIED /),
    processOf([bench.start, "--version"]),
    verifying(bench.svc, [file], 1, /^VERIFIED /),
    processOf([bench.svc, "--version"]),
    processOf([bench.start, "explain", "range_incomplete"], 1, /^range_incomplete, /),
    processOf([bench.svc, "explain", "range_incomplete"], 1, /^range_incomplete, /),
    processOf(["-e", "0"]),
  ];
  // Short laps are many, because each is as long as a hiccup of the machine.
  const [one, version, oneAlone, versionAlone, explain, explainAlone, empty] = await figures(
    contenders,
    bench.quick ? 1 : 31,
    "ms",
  );
  const atMost = (at_most: number) => (bench.quick ? null : { at_most });
  return [
    row("svc verify, one receipt", "ms", one, empty, "node -e 0", atMost(2.2)),
    row("svc --version", "ms", version, empty, "node -e 0", atMost(1.5)),
    row("svc explain, one code", "ms", explain, empty, "node -e 0", atMost(1.6)),
    row("svc.mjs verify, one receipt", "ms", oneAlone, empty, "node -e 0", null),
    row("svc.mjs --version", "ms", versionAlone, empty, "node -e 0", null),
    row("svc.mjs explain, one code", "ms", explainAlone, empty, "node -e 0", null),
  ];
}

/** A small bundle, both as whole processes: the start counts as much as the work. */
async function small(bench: CliBench): Promise<Row[]> {
  const count = bench.quick ? 200 : 1000;
  const file = join(bench.folder, "small.bundle.json");
  await writeBundleApart(file, count, "canonical");
  const contenders = [
    verifying(bench.start, [file], count, /^VERIFIED /),
    processOf([...PLAIN_CALL, file, benchKeyHex()], count, new RegExp(`"ok":true,"receipts":${count},`)),
  ];
  const [own, plain] = await figures(contenders, bench.quick ? 1 : 15, "receipts/s");
  rmSync(file);
  const target = bench.quick ? null : { at_least: 2.5 };
  return [row(`svc verify, ${thousands(count)} receipts`, "receipts/s", own, plain, "plain-verify.mjs", target)];
}

/** A folder of receipts. */
async function files(bench: CliBench): Promise<Row[]> {
  const count = bench.quick ? 600 : 10_000;
  const folder = join(bench.folder, "receipts");
  mkdirSync(folder);
  let number = 0;
  for (const bytes of writtenReceipts(count)) writeFileSync(join(folder, `${++number}.json`), bytes);
  const answer = new RegExp(`^${thousands(count)} files: ${thousands(count)} verified\\.`, "m");
  const contenders = ["1", "2"].map((jobs) => verifying(bench.start, [folder, "--jobs", jobs], count, answer));
  const [alone, both] = await figures(contenders, bench.rounds, "files/s");
  const what = `svc verify, ${thousands(count)} files`;
  const target = bench.quick ? null : { at_least: 1 };
  rmSync(folder, { recursive: true });
  return [
    row(`${what}, 2 threads`, "files/s", both, FILES_PER_SECOND, "limit", target),
    row(`${what}, 2 threads`, "files/s", both, alone, "one thread", null),
  ];
}

/** One large bundle, against core in a process that does nothing else and does not count its own start. */
async function bundle(bench: CliBench): Promise<Row[]> {
  const count = bench.quick ? 8000 : 100_000;
  const file = join(bench.folder, "large.bundle.json");
  await writeBundleApart(file, count, "canonical");
  const core = ours(await buildOurs(bench.folder), file, count, benchKeyHex(), "wasm", 1);
  const contenders = ["1", "2"].map((jobs) => verifying(bench.start, [file, "--jobs", jobs], count, /^VERIFIED /));
  const [alone, both, yardstick] = await figures([...contenders, core], bench.rounds, "receipts/s");
  const what = `svc verify, a bundle of ${thousands(count)} receipts`;
  rmSync(file);
  return [
    row(`${what}, one thread`, "receipts/s", alone, yardstick, "core, one thread", null),
    row(`${what}, 2 threads`, "receipts/s", both, yardstick, "core, one thread", null),
  ];
}

/** Returns a call that verifies under the key of the evidence. */
function verifying(svc: string, args: readonly string[], amount: number, answer: RegExp): Contender {
  return processOf([svc, "verify", ...args, "--public-key-hex", benchKeyHex()], amount, answer);
}

async function figures(contenders: readonly Contender[], rounds: number, unit: Row["unit"]): Promise<number[]> {
  const all = await interleave(contenders, { rounds, warmUpMs: 0 }, unit);
  return all.map((figure) => figure ?? Number.NaN);
}

function row(
  work: string,
  unit: Row["unit"],
  wasm = Number.NaN,
  yardstick = Number.NaN,
  yardstick_name: string,
  target: Target | null,
): Row {
  return rowOf({ work, unit, wasm, reference: null, yardstick, yardstick_name, native: null, target });
}

function thousands(count: number): string {
  return count.toLocaleString("en-US");
}
