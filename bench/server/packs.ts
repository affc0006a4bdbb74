/** Audit packs of `bench server`: the time of a large one to its last byte, and the server's memory for it. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { median, type Row, row, WrongAnswer } from "../measure.ts";
import { loaded, makeOurs, startOurs } from "./programs.ts";
import { pathOf, type ServerBench, wanted } from "./server-bench.ts";

const BATCH = 1000;

/** A pack of a hundred thousand events, from a server that has just been started: its memory is that of the pack. */
export async function packs(bench: ServerBench): Promise<Row[]> {
  const { folder, quick, rounds } = bench;
  const count = quick ? 2_000 : 100_000;
  const made = await makeOurs(join(folder, "packs"));
  const filling = await startOurs(made);
  const [stream = ""] = await filling.streams(1);
  const requests = count / BATCH;
  const path = `${pathOf(stream)}/batch`;
  const load = { port: filling.port, paths: [path], apiKey: made.apiKey, clients: 1, seconds: 3600 };
  await loaded({ ...load, batch: BATCH, requests, file: null });
  await filling.close();

  const times: number[] = [];
  const ours = await startOurs(made);
  try {
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      const response = await fetch(`http://127.0.0.1:${ours.port}/v2/audit/packs`, {
        method: "POST",
        headers: { authorization: `Bearer ${made.apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ stream_id: stream, from_seq_no: 1, to_seq_no: count }),
      });
      const [hash, size] = [createHash("sha256"), { bytes: 0 }];
      for await (const chunk of response.body ?? []) {
        hash.update(chunk);
        size.bytes += chunk.length;
      }
      times.push(performance.now() - start);
      // Each event has its own payload and receipt.
      if (response.status !== 201 || size.bytes < 1000 * count)
        throw new WrongAnswer(`a pack of ${count} events has ${size.bytes} bytes, status ${response.status}`);
    }
    const what = `audit pack of ${count} events`;
    return [
      row(what, "ms", median(times), 5000, "limit", wanted(bench, { at_most: 1 })),
      row(`${what}, peak memory`, "MiB", ours.peakMib(), 400e6 / 2 ** 20, "limit", wanted(bench, { at_most: 1 })),
    ];
  } finally {
    await ours.close();
  }
}
