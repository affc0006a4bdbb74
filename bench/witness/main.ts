/**
 * `pnpm bench witness`: svc-witness under the checkpoints of many logs at once, in turns with litewitness under the
 * same ones; witness and load are separate processes on one machine. Every cosignature is verified afterwards.
 */
import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { missingCounterparts } from "@svc/testkit/counterparts";
import { bodyOf, TestLog } from "@svc/testkit/evidence/log";
import type { Lifetime } from "@svc/testkit/lifetime";
import { startLitewitness } from "@svc/testkit/litewitness";
import { command, environmentOf, startWitness } from "@svc/testkit/svc-witness";
import { openNote, parseVerificationKey, selectKernel } from "../../packages/core/src/index.ts";
import { type Groups, inFolder, measureGroups } from "../groups.ts";
import { expectAnswer, median, type Row, row, type Target, WrongAnswer } from "../measure.ts";
import type { Cosigned, Load } from "./load.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<WitnessBench> = { cosignatures };

/** The common inputs of all groups. */
export interface WitnessBench {
  readonly quick: boolean;
  readonly rounds: number;
  readonly folder: string;
  /** Its work is done at the end. */
  readonly lifetime: Lifetime;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ORIGINS = 64;
const PER_SECOND = 1500;
const METRICS_TOKEN = "a-token-for-the-bench";
const kernel = selectKernel("wasm");

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchWitness({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const rounds = quick ? 1 : 3;
  const rows = await inFolder((folder, lifetime) => measureGroups(GROUPS, groups, { quick, rounds, folder, lifetime }));
  return { rounds, rows };
}

/** A witness to load. */
interface Loaded {
  readonly url: string;
  readonly vkey: string;
  readonly served: Cosigned[];
}

/** Checkpoints of 64 logs, one after another of each: the same of both witnesses in one round. */
async function cosignatures({ quick, rounds, folder, lifetime }: WitnessBench): Promise<Row[]> {
  const logs = Array.from({ length: ORIGINS }, (_, number) => new TestLog(`log.example/${number}`));
  const each = quick ? 5 : 100;
  const ours = await startOurs(lifetime, folder, logs);
  const theirs = await startTheirs(lifetime, logs);
  // All logs have the same leaves, whose proofs are made once.
  const tree = new TestLog("tree.example");
  const [warmUp, laps] = [1, Array.from({ length: rounds }, (_, round) => round + 1)];
  const commits: number[] = [];
  for (const lap of [0, ...laps]) {
    const from = lap * each;
    const bodies = join(folder, `bodies-${lap}`);
    const notes = await writeBodies(bodies, logs, tree, from, from + each);
    const turns = [
      async () => {
        const before = await commitsOf(ours.url);
        const served = await loaded(ours, bodies, notes, folder);
        commits.push(((await commitsOf(ours.url)) - before) / served.requests);
      },
      async () => void (theirs === null || (await loaded(theirs, bodies, notes, folder))),
    ];
    for (const turn of lap % 2 === 0 ? turns : turns.toReversed()) await turn();
    rmSync(bodies);
  }
  const measured = (served: readonly Cosigned[], figure: (one: Cosigned) => number) =>
    median(served.slice(warmUp).map(figure));
  const rate = ({ requests, seconds }: Cosigned) => requests / seconds;
  const what = `checkpoints of ${ORIGINS} logs`;
  const own = measured(ours.served, rate);
  const other = theirs === null ? null : measured(theirs.served, rate);
  const missing = missingCounterparts === null ? "litewitness" : `litewitness, not measured: ${missingCounterparts}`;
  const wanted = (target: Target) => (quick ? null : target);
  const p99 = (one: Cosigned) => one.p99_ms;
  return [
    row(what, "cosignatures/s", own, PER_SECOND, "limit", wanted({ at_least: 1 })),
    row(what, "cosignatures/s", own, other, missing, null),
    row(`${what}, p99`, "ms", measured(ours.served, p99), theirs && measured(theirs.served, p99), missing, null),
    row(`${what}, for each cosignature`, "syncs", median(commits.slice(warmUp)), 1, "one for each", null),
  ];
}

async function startOurs(lifetime: Lifetime, folder: string, logs: readonly TestLog[]): Promise<Loaded> {
  const environment = {
    ...environmentOf(folder),
    SVC_WITNESS_ORIGIN_RATE: "0",
    SVC_WITNESS_ADDRESS_RATE: "0",
    SVC_WITNESS_METRICS_TOKEN: METRICS_TOKEN,
  };
  const list = join(folder, "logs");
  writeFileSync(list, `logs/v0\n${logs.map(({ vkey }) => `vkey ${vkey}\n`).join("")}`);
  for (const words of [
    ["init", "--name", "witness.example/bench"],
    ["origins", "pull", "--list", list],
  ]) {
    const { code, err } = await command(words, environment);
    if (code !== 0) throw new Error(err);
  }
  return { ...(await startWitness(lifetime, environment)), served: [] };
}

async function startTheirs(lifetime: Lifetime, logs: readonly TestLog[]): Promise<Loaded | null> {
  if (missingCounterparts !== null) return null;
  const { url, vkey, addOrigin } = await startLitewitness(lifetime);
  await addOrigin(...logs.map((log) => log.vkey));
  return { url, vkey, served: [] };
}

/** Writes the requests of all logs for the sizes above `from`, and resolves to their notes. */
async function writeBodies(
  file: string,
  logs: readonly TestLog[],
  tree: TestLog,
  from: number,
  to: number,
): Promise<string[][]> {
  const notes = logs.map((): string[] => []);
  const bodies = logs.map((): string[] => []);
  for (let size = from + 1; size <= to; size++) {
    const root = tree.growTo(size).root();
    const proof = tree.proof(size - 1);
    for (const [index, log] of logs.entries()) {
      const note = await log.note(size, { root });
      notes[index]?.push(note);
      bodies[index]?.push(bodyOf(size - 1, proof, note));
    }
  }
  writeFileSync(file, JSON.stringify(bodies));
  return notes;
}

/** Loads a witness once, from another process, and verifies each cosignature. */
async function loaded({ url, vkey, served }: Loaded, bodies: string, notes: readonly string[][], folder: string) {
  const load: Load = { port: Number(new URL(url).port), bodies, answers: join(folder, "answers") };
  const program = fileURLToPath(new URL("load.ts", import.meta.url));
  const words = [program, JSON.stringify(load)];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: ROOT });
  const result = JSON.parse(stdout) as Cosigned;
  served.push(result);
  const key = parseVerificationKey(kernel, vkey);
  if (!key.ok) throw new WrongAnswer(`${vkey} is no key`);
  const answers = JSON.parse(readFileSync(load.answers, "utf8")) as string[][];
  for (const [index, own] of notes.entries())
    for (const [place, note] of own.entries()) {
      const opened = openNote(kernel, `${note}${answers[index]?.[place]}`, [key.key]);
      if (!opened.ok) throw new WrongAnswer(`a cosignature does not verify: ${opened.code}`);
    }
  expectAnswer("cosignatures", result.requests, notes.length * (notes[0]?.length ?? 0));
  return result;
}

async function commitsOf(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const [, value] = /^svc_database_commits (\S+)$/m.exec(await response.text()) ?? [];
  if (value === undefined) throw new Error("there is no metric svc_database_commits");
  return Number(value);
}
