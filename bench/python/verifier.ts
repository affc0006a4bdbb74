/**
 * The verifier of the Python SDK beside `plain-verify.py`, what a user would write with PyNaCl and one library. A ratio
 * is that of processor times, but for two threads, whose gain is on the wall clock.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Contender, expectAnswer, interleave, median, type Row, row, type Target } from "../measure.ts";
import { benchKeyHex, writtenReceipts } from "../verify/bundle.ts";
import { writeBundleApart } from "../verify/programs.ts";
import { benchPythonCommand, ownCall, type Program, plainCall, processOf } from "./programs.ts";

/** The common inputs of these groups. */
export interface VerifierBench {
  readonly quick: boolean;
  readonly rounds: number;
  /** The folder for evidence; it is deleted afterwards. */
  readonly folder: string;
}

const KIB = 1024;
/** A process that does nothing: what a start costs anyhow. */
const EMPTY = ["-c", "0"];

/** A bundle, by one thread and by two, and two bundles in which something is wrong. */
export async function bundle(bench: VerifierBench): Promise<Row[]> {
  const count = bench.quick ? 1000 : 100_000;
  const python = await benchPythonCommand();
  const [file, fewer] = [join(bench.folder, "bundle.json"), join(bench.folder, "fewer.json")];
  await writeBundleApart(file, count, "canonical");
  await writeBundleApart(fewer, count / 10, "canonical");
  const [payload, signatures] = [join(bench.folder, "payload.json"), join(bench.folder, "signatures.json")];
  spoil(file, payload, signatures);
  const verified = ownVerifier(python, file, count, "verified", 1);
  const both = ownVerifier(python, file, count, "verified", 2);
  const small = ownVerifier(python, fewer, count / 10, "verified", 1);
  const oneWrong = ownVerifier(python, payload, count, "rejected", 1);
  const allWrong = ownVerifier(python, signatures, count, "rejected", 1);
  const answer = new RegExp(`"ok": true, "receipts": ${count},`);
  const plain = processOf(python, plainCall(file, benchKeyHex()), count, answer);
  const contenders = [verified, both, small, oneWrong, allWrong, plain];
  // The first process writes bytecode.
  await small.lap();
  small.laps.length = 0;
  await interleave(contenders, { rounds: bench.rounds, warmUpMs: 0 }, "ms");
  const limit = (3 * statSync(file).size) / KIB ** 2 + 150;
  for (const one of [file, fewer, payload, signatures]) rmSync(one);
  const rate = (laps: readonly number[]) => (1000 * count) / median(laps);
  const [own, user] = [processorTimes(verified), processorTimes(plain)];
  const [wall, userWall] = [rate(wallTimes(both)), rate(wallTimes(plain))];
  const target = (wanted: Target) => (bench.quick ? null : wanted);
  const what = `verify ${count.toLocaleString("en-US")} receipts`;
  return [
    row(`${what}, one thread`, "receipts/s", rate(own), rate(user), "plain-verify.py", target({ at_least: 5 })),
    row(`${what}, two threads, wall clock`, "receipts/s", wall, userWall, "plain-verify.py", target({ at_least: 8 })),
    row(`${what}, one payload changed`, "ms", median(processorTimes(oneWrong)), median(own), "the good bundle", {
      at_most: 3,
    }),
    row(`${what}, every signature wrong`, "ms", median(processorTimes(allWrong)), median(own), "the good bundle", {
      at_most: 10,
    }),
    row(what, "ms", median(own), median(processorTimes(small)), "a tenth of them", target({ at_most: 10.5 })),
    row("  peak memory, one thread", "MiB", peak(verified), limit, "3 x file + 150 MiB", { at_most: 1 }),
    row("  peak memory, two threads", "MiB", peak(both), limit, "3 x file + 150 MiB", { at_most: 1 }),
  ];
}

/** Signatures alone, in batches of 1,024. */
export async function signatures(bench: VerifierBench): Promise<Row[]> {
  const count = bench.quick ? 2048 : 40_960;
  const program = processOf(await benchPythonCommand(), ownCall("signatures.py", `${count}`), count);
  const figures: { own: number; plain: number }[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    await program.lap();
    const { ok, count: checked, own_ms, plain_ms } = JSON.parse(program.laps.at(-1)?.out ?? "{}");
    expectAnswer("signatures that hold", ok && checked, count);
    figures.push({ own: (1000 * count) / own_ms, plain: (1000 * count) / plain_ms });
  }
  const target = bench.quick ? null : { at_least: 2.7 };
  const [own, plain] = [median(figures.map((one) => one.own)), median(figures.map((one) => one.plain))];
  return [row("signatures in batches of 1,024", "verifies/s", own, plain, "PyNaCl", target)];
}

/** Short processes: an import, and the smallest task. */
export async function start(bench: VerifierBench): Promise<Row[]> {
  const python = await benchPythonCommand();
  const file = join(bench.folder, "one.receipt.json");
  for (const bytes of writtenReceipts(1)) writeFileSync(file, bytes);
  const verify = ["-m", "svc", "verify", file, "--public-key-hex", benchKeyHex()];
  const contenders = [
    processOf(python, ["-c", "import svc"], 1),
    processOf(python, verify, 1, /^VERIFIED /),
    processOf(python, EMPTY, 1),
  ] as const;
  // Short laps are many, because each is as long as a hiccup of the machine. The first one may write bytecode.
  for (const contender of contenders) await contender.lap();
  const rounds = bench.quick ? 1 : 31;
  const [imported, one, empty] = await figures(contenders, rounds);
  const target = (at_most: number) => (bench.quick ? null : { at_most });
  return [
    row("import svc", "ms", imported, empty, "python3 -c 0", target(2)),
    row("python -m svc verify, one receipt", "ms", one, empty, "python3 -c 0", target(3)),
  ];
}

async function figures(contenders: readonly Contender[], rounds: number): Promise<[number, number, number]> {
  const all = await interleave(contenders, { rounds, warmUpMs: 0 }, "ms");
  const [first, second, third] = all.map((figure) => figure ?? Number.NaN);
  return [first ?? Number.NaN, second ?? Number.NaN, third ?? Number.NaN];
}

function ownVerifier(python: string, file: string, count: number, verdict: string, jobs: number): Program {
  const answer = new RegExp(`^{"verdict": "${verdict}", "receipts": ${count}}`);
  return processOf(python, ownCall("verify_file.py", file, benchKeyHex(), `${jobs}`), count, answer);
}

/** Writes the bundle again with one payload changed, and with another first digit in each signature of a receipt. */
function spoil(file: string, payload: string, signatures: string): void {
  const text = readFileSync(file, "latin1");
  const at = text.lastIndexOf('"amount":') + '"amount":'.length;
  writeFileSync(payload, text.slice(0, at) + (text[at] === "1" ? "2" : "1") + text.slice(at + 1), "latin1");
  const end = text.indexOf('"windows.json":[');
  const records = text.slice(0, end).replaceAll(/"signature":"(.)/g, (_, digit: string) => {
    return `"signature":"${digit === "0" ? "1" : "0"}`;
  });
  writeFileSync(signatures, records + text.slice(end), "latin1");
}

function processorTimes({ laps }: Program): number[] {
  return laps.map(({ processor_ms }) => processor_ms);
}

function wallTimes({ laps }: Program): number[] {
  return laps.map(({ wall_ms }) => wall_ms);
}

function peak({ laps }: Program): number {
  return median(laps.map(({ peak_mib }) => peak_mib));
}
