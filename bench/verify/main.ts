/**
 * `pnpm bench verify`: bundles of growing size and single receipts, against the program that a user would write today.
 */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type PublicKeyHex, pinKeys, selectKernel, verify } from "../../packages/core/src/index.ts";
import { type Groups, inFolder, measureGroups } from "../groups.ts";
import { makeKey } from "../kernel/keys.ts";
import { Random } from "../kernel/random.ts";
import { type Contender, expectAnswer, interleave, median, type Row, row, type Target } from "../measure.ts";
import { benchKeyHex, writtenReceipts } from "./bundle.ts";
import { buildOurs, ours, type Program, plain, writeBundleApart } from "./programs.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<VerifyBench> = { sizes, large, single };

/** The common inputs of all groups. */
export interface VerifyBench {
  readonly quick: boolean;
  readonly rounds: number;
  /** The folder for the bundles; it is deleted afterwards. */
  readonly folder: string;
  /** Our program, built. */
  readonly program: string;
}

/** Longer than the longest string of V8, which has 2^29 - 24 characters. */
const LARGE = 420_000;

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchVerify({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const rounds = quick ? 1 : 5;
  const rows = await inFolder(async (folder) =>
    measureGroups(GROUPS, groups, { quick, rounds, folder, program: await buildOurs(folder) }),
  );
  return { rounds, rows };
}

async function sizes(bench: VerifyBench): Promise<Row[]> {
  const rows: Row[] = [];
  const counts = bench.quick ? [200, 2000] : [1000, 10_000, 100_000];
  const medians: number[] = [];
  for (const count of counts) {
    const isLast = count === counts.at(-1);
    const { rows: own, ms } = await oneSize(bench, count, isLast);
    rows.push(...own);
    medians.push(ms);
  }
  const [small = 0, big = 0] = medians.slice(-2);
  const [fewer, more] = counts.slice(-2).map(thousands);
  rows.push(row(`verify ${more} receipts`, "ms", big, small, `${fewer} receipts`, { at_most: 10.5 }));
  return rows;
}

/** One bundle, by all contenders in turn. */
async function oneSize(bench: VerifyBench, count: number, isLast: boolean): Promise<{ rows: Row[]; ms: number }> {
  const file = join(bench.folder, `${count}.json`);
  await writeBundleApart(file, count, "canonical");
  const madeFile = join(bench.folder, `${count}-as-made.json`);
  await writeBundleApart(madeFile, count, "as made");
  const keyHex = benchKeyHex();
  const one = ours(bench.program, file, count, keyHex, "wasm", 1);
  const two = ours(bench.program, file, count, keyHex, "wasm", 2);
  const asMade = ours(bench.program, madeFile, count, keyHex, "wasm", 1);
  const reference = ours(bench.program, file, count, keyHex, "reference", 1);
  const yardstick = plain(file, count, keyHex);
  const batches = signatureBatches(count);
  // The reference takes minutes for the largest.
  const contenders = [
    one,
    two,
    asMade,
    yardstick,
    batches,
    { ...reference, maxRounds: count > 1000 ? 1 : bench.rounds },
  ];
  const effort = { rounds: bench.rounds, warmUpMs: 0 };
  const figures = await interleave(contenders, effort, "receipts/s");
  const [alone = 0, both = 0, made = 0, user = 0, batch = 0, slow = 0] = figures.map((figure) => figure ?? Number.NaN);
  const what = `verify ${thousands(count)} receipts`;
  const target = (at_least: number): Target | null => (isLast && !bench.quick ? { at_least } : null);
  const signatures = (1000 * count) / median(yardstick.printed.map(({ signature_ms }) => signature_ms ?? Number.NaN));
  const limit = (2.5 * statSync(file).size) / 2 ** 20 + 150;
  const atMost = { at_most: 1 };
  const rows = [
    { ...row(`${what}, one thread`, "receipts/s", alone, user, "plain-verify.mjs", target(5)), reference: slow },
    row(`${what}, 2 workers`, "receipts/s", both, user, "plain-verify.mjs", target(8)),
    row(`${what}, members as made`, "receipts/s", made, user, "plain-verify.mjs", null),
    row(`${what}, one thread`, "receipts/s", alone, signatures, "signatures of plain-verify.mjs alone", null),
    row(`${what}, one thread`, "receipts/s", alone, batch, "signatures alone, in batches", null),
    row("  peak memory, one thread", "MiB", peak(one), limit, "2.5 x file + 150 MiB", atMost),
    row("  peak memory, 2 workers", "MiB", peak(two), limit, "2.5 x file + 150 MiB", atMost),
    row("  peak memory, one thread", "MiB", peak(one), peak(yardstick), "plain-verify.mjs", null),
  ];
  rmSync(file);
  rmSync(madeFile);
  return { rows, ms: (1000 * count) / alone };
}

/** A bundle that no string can hold: the yardstick cannot read it. */
async function large(bench: VerifyBench): Promise<Row[]> {
  const count = bench.quick ? 3000 : LARGE;
  const file = join(bench.folder, "large.json");
  await writeBundleApart(file, count, "canonical");
  const program = ours(bench.program, file, count, benchKeyHex(), "wasm", 1);
  await program.lap();
  const megabytes = statSync(file).size / 2 ** 20;
  const limit = 2.5 * megabytes + 150;
  rmSync(file);
  return [
    row(`  peak memory of ${Math.round(megabytes)} MiB`, "MiB", peak(program), limit, "2.5 x file + 150 MiB", {
      at_most: 1,
    }),
  ];
}

/** Receipts one at a time in one process, as a service or a page would verify them. */
async function single({ quick }: VerifyBench): Promise<Row[]> {
  const kernel = selectKernel("wasm");
  const trust = pinKeys(kernel, [benchKeyHex() as PublicKeyHex]);
  const laps: number[] = [];
  for (const bytes of writtenReceipts(quick ? 200 : 5000)) {
    const start = performance.now();
    const report = verify(bytes, { trust, kernel });
    laps.push(performance.now() - start);
    expectAnswer("a receipt", report.verdict, "verified");
  }
  // The first laps run code that the runtime has not compiled yet.
  const p50 = median(laps.slice(laps.length / 2));
  return [row("verify one receipt, p50", "ms", p50, 0.25, "limit", quick ? null : { at_most: 1 })];
}

/** Returns the limit of the kernel: as many signatures, and nothing else. */
function signatureBatches(count: number): Contender {
  const kernel = selectKernel("wasm");
  const random = new Random(9);
  const key = makeKey(random);
  const some = Array.from({ length: Math.min(count, 8192) }, () => {
    const message = random.bytes(600);
    return { publicKey: key.publicKey, message, signature: key.sign(message) };
  });
  return {
    amount: some.length,
    lap() {
      const start = performance.now();
      const verdicts = kernel.verifyEd25519(some);
      const ms = performance.now() - start;
      expectAnswer("signatures", verdicts.every(Boolean), true);
      return ms;
    },
  };
}

function peak({ printed }: Program): number {
  return Math.max(...printed.map(({ rss_mb }) => rss_mb));
}

function thousands(count: number): string {
  return count.toLocaleString("en-US");
}
