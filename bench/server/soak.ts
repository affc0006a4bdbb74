/**
 * `pnpm soak [--minutes N] [--attacked] [--json]`: the server under half of its full load, for as long as you like, and
 * its memory meanwhile; with `--attacked` while strangers read no answer and ask for consistency without pause, and a
 * client repeats a large batch. Exits with 1 if an answer is wrong, an event is missing, the database does not verify,
 * or memory grew from the second quarter of the time to the last by more than a tenth.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { median } from "../measure.ts";
import { REPEATED_EVENTS, under } from "./disturbed.ts";
import { loaded, makeOurs, startOurs } from "./programs.ts";
import { pathOf } from "./server-bench.ts";

const SERVER = fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url));
const USAGE = "usage: pnpm soak [--minutes <number, default 10>] [--attacked] [--json]";
const CLIENTS = 64;
const STREAMS = 16;
/** How long the full load is measured. */
const FULL_SECONDS = 10;
const LOOK_MS = 1000;
const MOST_GROWTH = 1.1;

process.exitCode = await main();

async function main(): Promise<number> {
  const call = readCall();
  if (call === null) {
    console.error(USAGE);
    return 64;
  }
  const folder = mkdtempSync(join(tmpdir(), "svc-soak-"));
  try {
    const soaked = await soak(join(folder, "data"), call.minutes * 60, call.attacked);
    const { requests_per_second, p99_ms, rss_mib, growth, recorded, found, fsck } = soaked;
    if (call.json) console.log(JSON.stringify(soaked));
    else
      console.log(`${recorded} events, ${found} found, ${Math.round(requests_per_second)} a second, p99 ${p99_ms.toFixed(1)} ms
memory by quarters of the time, MiB: ${rss_mib.map(Math.round).join(", ")}; grown by ${((growth - 1) * 100).toFixed(1)} %
fsck: ${fsck ? "nothing is wrong" : "the database does not verify"}`);
    return growth <= MOST_GROWTH && found === recorded && fsck ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface SoakCall {
  readonly minutes: number;
  readonly attacked: boolean;
  readonly json: boolean;
}

function readCall(): SoakCall | null {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: "string", default: "10" },
        attacked: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
      },
    });
    return /^[1-9]\d{0,4}$/.test(values.minutes) ? { ...values, minutes: Number(values.minutes) } : null;
  } catch {
    return null;
  }
}

async function soak(dataFolder: string, seconds: number, attacked: boolean) {
  const ours = await startOurs(await makeOurs(dataFolder));
  try {
    const streams = await ours.streams(STREAMS);
    const paths = streams.map(pathOf);
    const load = { port: ours.port, apiKey: ours.apiKey, paths, clients: CLIENTS, batch: 0, file: null };
    const full = await loaded({ ...load, seconds: FULL_SECONDS });
    const perSecond = full.requests / full.seconds / 2;
    let isOver = false;
    const looks: number[] = [];
    const watch = (async () => {
      while (!isOver) {
        looks.push(await ours.residentMib());
        await pause(LOOK_MS);
      }
    })();
    const { port, apiKey } = ours;
    const disturbance = { port, apiKey, streamId: streams[0] ?? "", events: full.requests, what: "three" } as const;
    const loadHalf = () => loaded({ ...load, seconds, perSecond });
    const half = await (attacked ? under(disturbance, loadHalf) : loadHalf()).finally(() => {
      isOver = true;
    });
    await watch;
    let found = 0;
    for (const stream of streams) found += await ours.head(stream);
    const quarter = Math.floor(looks.length / 4);
    const rss_mib = [0, 1, 2, 3].map((number) => median(looks.slice(number * quarter, (number + 1) * quarter)));
    await ours.close();
    const words = [SERVER, "fsck", "--data", dataFolder];
    return {
      seconds,
      requests_per_second: half.requests / half.seconds,
      p99_ms: half.p99_ms,
      recorded: full.requests + half.requests + (attacked ? REPEATED_EVENTS : 0),
      found,
      rss_mib,
      growth: (rss_mib[3] ?? 0) / (rss_mib[1] ?? 1),
      fsck: await promisify(execFile)(process.execPath, words).then(
        () => true,
        () => false,
      ),
    };
  } finally {
    await ours.close();
  }
}
