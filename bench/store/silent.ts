/** How long a server records nothing when its primary falls silent and the standby is promoted at once. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startPair } from "../../packages/testkit/src/postgres-pair.ts";
import { median, type Row, row, WrongAnswer } from "../measure.ts";
import { eventOf } from "../server/event.ts";
import { makeOurs, startOurs } from "../server/programs.ts";
import { CLIENTS, pathOf } from "../server/server-bench.ts";
import { type StoreBench, wanted } from "./bench.ts";

/** The documented time, in ms. */
const LIMIT_MS = 20_000;
/** How long a client waits for an answer, and how long all of it may take. */
const ANSWER_MS = 3000;
const MOST_MS = 10 * LIMIT_MS;

/** Each round has its own pair, whose primary is stopped under load as its machine would be. */
export async function silent(bench: StoreBench): Promise<Row[]> {
  const times: number[] = [];
  for (let round = 0; round < bench.rounds; round++) times.push(await silence(bench, round));
  const what = "a primary falls silent, its standby is promoted: until both are served";
  return [row(what, "ms", median(times), LIMIT_MS, "limit", wanted(bench, { at_most: 1 }))];
}

async function silence(bench: StoreBench, round: number): Promise<number> {
  const pair = await startPair({ after: bench.after } as Parameters<typeof startPair>[0]);
  const server = await startOurs(await makeOurs(join(bench.folder, `silent-${round}`), await pair.newDatabase()));
  bench.after(() => server.close());
  const [stream = ""] = await server.streams(1);
  const url = `http://127.0.0.1:${server.port}`;
  const authorization = `Bearer ${server.apiKey}`;
  const ask = async (path: string, request: RequestInit = {}) =>
    fetch(url + path, {
      ...request,
      headers: { authorization, ...request.headers },
      signal: AbortSignal.timeout(ANSWER_MS),
    })
      .then(async (response) => {
        await response.text();
        return response.status;
      })
      .catch(() => 0);
  let sent = 0;
  const append = () => {
    const headers = { "content-type": "application/json", "Idempotency-Key": `silent-${++sent}` };
    return ask(pathOf(stream), { method: "POST", headers, body: JSON.stringify(eventOf(sent)) });
  };
  const head = () => ask(`/v2/streams/${stream}/head`);
  const first = await Promise.all(Array.from({ length: CLIENTS }, append));
  if (first.some((status) => status !== 201)) throw new WrongAnswer(`an append was answered with ${first}`);
  await Promise.all(Array.from({ length: CLIENTS }, head));
  let isOver = false;
  const clients = Array.from({ length: CLIENTS / 4 }, async () => {
    while (!isOver) await append();
  });
  pair.primary.hang();
  await pair.promote();
  const begin = performance.now();
  while ((await append()) !== 201 || (await head()) !== 200) {
    if (performance.now() - begin > MOST_MS) throw new WrongAnswer(`nothing is recorded after ${MOST_MS} ms`);
    await pause(50);
  }
  const ms = performance.now() - begin;
  isOver = true;
  await Promise.all(clients);
  await server.close();
  return ms;
}
