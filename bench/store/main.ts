/**
 * `pnpm bench store`: the server on PostgreSQL beside the server on a file, with servers, database and load as separate
 * processes on one machine, in turns.
 */
import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startProxy } from "../../packages/testkit/src/network.ts";
import { startPostgres } from "../../packages/testkit/src/postgres.ts";
import { type Groups, inFolder, measureGroups } from "../groups.ts";
import { median, type Row, row } from "../measure.ts";
import { makeOurs, type OurFolder, type OurServer, startOurs } from "../server/programs.ts";
import { CLIENTS, pathOf } from "../server/server-bench.ts";
import { eventsASecond, onPostgres, type StoreBench, wanted } from "./bench.ts";
import { keys } from "./keys.ts";
import { plans } from "./plans.ts";
import { silent } from "./silent.ts";
import { years } from "./years.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<StoreBench> = {
  singles,
  batches,
  processes,
  network,
  silent,
  years,
  plans,
  keys,
};

const BATCH = 1000;
const BATCH_CLIENTS = 4;
const STREAMS = 100;
const PROCESSES = 3;

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchStore({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const rounds = quick ? 1 : 3;
  const rows = await inFolder(async (folder, lifetime) => {
    const postgres = await startPostgres(lifetime, {
      // The servers of all groups run until the end.
      settings: { shared_buffers: "512MB", max_wal_size: "4GB", max_connections: "400" },
    });
    const after = (work: () => unknown) => lifetime.after(work as () => void);
    return measureGroups(GROUPS, groups, { rounds, quick, seconds: quick ? 1 : 20, folder, postgres, after });
  });
  return { rounds, rows };
}

/** Single appends to one stream, on both stores. */
async function singles(bench: StoreBench): Promise<Row[]> {
  const file = await startOurs(await makeOurs(join(bench.folder, "singles-file")));
  bench.after(() => file.close());
  const server = await onPostgres(bench, "singles");
  const [inFile = "", onServer = ""] = [...(await file.streams(1)), ...(await server.streams(1))];
  const shape = { clients: CLIENTS, seconds: bench.seconds, batch: 0 };
  const [own, other]: [number[], number[]] = [[], []];
  for (let round = 0; round < bench.rounds; round++) {
    other.push(await eventsASecond(file, [pathOf(inFile)], shape));
    own.push(await eventsASecond(server, [pathOf(onServer)], shape));
  }
  const what = `single appends, ${CLIENTS} clients`;
  return [row(what, "receipts/s", median(own), median(other), "on a file", wanted(bench, { at_least: 0.6 }))];
}

/** Batches of a thousand, beside a bare script that inserts as many rows of their size. */
async function batches(bench: StoreBench): Promise<Row[]> {
  const server = await onPostgres(bench, "batches");
  const streams = await server.streams(BATCH_CLIENTS);
  const plain = await bench.postgres.newDatabase();
  const shape = { clients: BATCH_CLIENTS, seconds: bench.seconds, batch: BATCH };
  const [own, other]: [number[], number[]] = [[], []];
  for (let round = 0; round < bench.rounds; round++) {
    other.push(await inserted(plain, bench.seconds));
    own.push(
      await eventsASecond(
        server,
        streams.map((stream) => `${pathOf(stream)}/batch`),
        shape,
      ),
    );
  }
  const what = `batches of ${BATCH}, ${BATCH_CLIENTS} clients`;
  return [row(what, "receipts/s", median(own), median(other), "bare inserts", wanted(bench, { at_least: 0.6 }))];
}

async function inserted(url: string, seconds: number): Promise<number> {
  const program = fileURLToPath(new URL("inserts.ts", import.meta.url));
  const words = [program, JSON.stringify({ url, clients: BATCH_CLIENTS, seconds })];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const made = JSON.parse(stdout) as { rows: number; seconds: number };
  return made.rows / made.seconds;
}

/** Three servers on one database beside one of them, over many streams. */
async function processes(bench: StoreBench): Promise<Row[]> {
  const first = await onPostgres(bench, "processes");
  const others: OurServer[] = [];
  for (let number = 1; number < PROCESSES; number++) {
    const path = join(bench.folder, `processes-${number}`);
    cpSync(first.path, path, { recursive: true, filter: (name) => !name.endsWith("server.lock") });
    others.push(await startOurs({ ...first, path }, { SVC_EXPORTS: join(first.path, "exports") }));
  }
  for (const server of others) bench.after(() => server.close());
  const paths = (await first.streams(STREAMS)).map(pathOf);
  const shape = { clients: CLIENTS, seconds: bench.seconds, batch: 0 };
  const [own, other]: [number[], number[]] = [[], []];
  const all = [first, ...others];
  for (let round = 0; round < bench.rounds; round++) {
    other.push(await eventsASecond(first, paths, shape));
    const share = { ...shape, clients: Math.round(CLIENTS / PROCESSES) };
    const rates = await Promise.all(all.map((server) => eventsASecond(server, paths, share)));
    own.push(rates.reduce((sum, rate) => sum + rate, 0));
  }
  const what = `${PROCESSES} servers, ${STREAMS} streams, ${CLIENTS} clients`;
  return [row(what, "receipts/s", median(own), median(other), "one server", wanted(bench, { at_least: 0.9 }))];
}

/** A millisecond of network between server and database, over many streams. */
async function network(bench: StoreBench): Promise<Row[]> {
  const url = await bench.postgres.newDatabase();
  const proxy = await startProxy({ after: bench.after } as Parameters<typeof startProxy>[0], bench.postgres);
  const folder: OurFolder = await makeOurs(join(bench.folder, "network"), url);
  const near = await startOurs(folder);
  const paths = (await near.streams(STREAMS)).map(pathOf);
  const shape = { clients: CLIENTS, seconds: bench.seconds, batch: 0 };
  const [own, other]: [number[], number[]] = [[], []];
  await near.close();
  for (let round = 0; round < bench.rounds; round++)
    // Both go through the proxy: it is the delay that is measured.
    for (const [delayMs, rates] of [
      [0, other],
      [0.5, own],
    ] as const) {
      proxy.delay(delayMs);
      const server = await startOurs({ ...folder, databaseUrl: proxy.through(url) });
      rates.push(await eventsASecond(server, paths, shape));
      await server.close();
    }
  const what = `1 ms of network, ${STREAMS} streams, ${CLIENTS} clients`;
  return [row(what, "receipts/s", median(own), median(other), "without", wanted(bench, { at_least: 0.7 }))];
}
