/**
 * `pnpm chaos:timing [--rounds N] [--seed S] [--json]`: whether times tell what answers do not. It asks N times for
 * each kind of secret, interleaved, over one connection, and compares with ids that nobody has, which it also compares
 * with themselves. Exits with 1 if the answers themselves differ, with 64 for a wrong call; it shows the times, and its
 * reader judges them.
 */
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import type { Program } from "../program.ts";
import type { Call } from "../read-call.ts";
import { Seeded } from "../seeded.ts";
import { runTrials, showProgress } from "../trials.ts";
import { must } from "../violation.ts";
import { type Comparison, compare } from "./statistics.ts";
import { type Asked, makeSubjects, type Subject } from "./subjects.ts";

/** Not counted: code is compiled and cached during the first requests. */
const WARM_UP = 300;

/** A kind of request and the comparison of its times. */
type Row = { readonly subject: string; readonly kind: string; readonly status: number } & Comparison;

process.exitCode = await runTrials({
  name: "timing",
  roundsAre: "number of requests of each kind",
  defaultRounds: 10_000,
  run,
  inWords,
});

async function run(program: Program, folder: string, { rounds, seed }: Call) {
  const random = new Seeded(seed);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const { running, subjects } = await makeSubjects(program, join(folder, "data"), random);
    const rows: Row[] = [];
    for (const subject of subjects) {
      showProgress(subject.name);
      rows.push(...(await measure(subject, { url: running.url, agent, rounds, random })));
    }
    return { rounds, seed, rows };
  } finally {
    agent.destroy();
  }
}

async function measure(
  { name, control, kinds }: Subject,
  {
    url,
    agent,
    rounds,
    random,
  }: { readonly url: string; agent: Agent; readonly rounds: number; readonly random: Seeded },
): Promise<Row[]> {
  const all: readonly { readonly kind: string; readonly next: () => Asked; readonly times: number[] }[] = [
    { kind: "control", next: control, times: [] },
    ...Object.entries(kinds).map(([kind, next]) => ({ kind, next, times: [] })),
  ];
  let first: string | null = null;
  let status = 0;
  for (let round = -Math.min(WARM_UP, rounds); round < rounds; round++)
    // The order changes each time, so that none always follows the same one.
    for (const { kind, next, times } of shuffled(all, random)) {
      const answer = await ask(url, agent, next());
      const said = `${answer.status} ${answer.text.replace(/[a-z]+_[0-9a-hjkmnp-tv-z]{26}/g, "ID")}`;
      first ??= said;
      must(said === first, `${name}, ${kind}: ${said}, and another one: ${first}`);
      status = answer.status;
      if (round >= 0) times.push(answer.ms);
    }
  const [own, ...others] = all;
  return others.map(({ kind, times }) => ({ subject: name, kind, status, ...compare(times, own?.times ?? []) }));
}

function ask(
  url: string,
  agent: Agent,
  { path, authorization }: Asked,
): Promise<{ readonly status: number; readonly text: string; readonly ms: number }> {
  return new Promise((resolve, reject) => {
    const headers = authorization === null ? {} : { authorization };
    const startedAt = performance.now();
    const sent = httpRequest(url + path, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        const ms = performance.now() - startedAt;
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), ms });
      });
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end();
  });
}

function shuffled<Value>(values: readonly Value[], random: Seeded): Value[] {
  const left = [...values];
  return values.map(() => left.splice(random.whole(0, left.length - 1), 1)[0] as Value);
}

function inWords({ rows }: { readonly rows: readonly Row[] }): string {
  const us = (ms: number) => (1000 * ms).toFixed(1);
  const lines = rows.map(
    ({ subject, kind, medianMs, controlMedianMs, differenceMs, errorMs, longer, isNotable }) =>
      `${subject.padEnd(12)} ${kind.padEnd(32)} ${us(medianMs).padStart(8)} ${us(controlMedianMs).padStart(8)} ` +
      `${us(differenceMs).padStart(8)} ± ${us(errorMs).padEnd(6)} ${longer.toFixed(4)} ` +
      `${isNotable ? "notable" : ""}`,
  );
  return `${"".padEnd(45)}   median  control     difference (µs)  longer\n${lines.join("\n")}`;
}
