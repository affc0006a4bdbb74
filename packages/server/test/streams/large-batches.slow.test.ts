/** One client that repeats a large batch without pause, in a real server, and others that append single events. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

const MIB = 1024 * 1024;
const EVENTS = 1000;
const REPEATS = 6;
/** While a large batch takes the threads, hardly one event is recorded; in the rest after it there are dozens. */
const LEAST_BETWEEN = 6;

test("a client that repeats a batch of 15 MiB leaves half of the time to others", async (t) => {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const child = await startChild(t, folder, { logLevel: "silent" });
  const run = async (...words: string[]) => JSON.parse((await command([...words, "--data", folder, "--json"])).out);
  const { system_id } = await run("systems", "create", "--name", "Other");
  const { api_key } = await run("keys", "create", "--system", system_id);
  const other = new Client(child.url, api_key);
  const request = { system_id, use_case: "loans", policy_id: "default", metadata: {} };
  const { stream_id } = (await other.post("/v2/streams", request)).body;
  const payload = { text: "x".repeat((15 * MIB) / EVENTS - 300) };
  // The same bytes each time, and answers that nobody parses: this process has others to serve.
  const batch = Buffer.from(
    JSON.stringify({ events: Array.from({ length: EVENTS }, (_, index) => loan(index, { payload })) }),
  );
  const sendBatch = async () => {
    const answer = await fetch(`${child.url}/v2/streams/${made.stream_id}/events/batch`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${made.api_key}`,
        "content-type": "application/json",
        "Idempotency-Key": "the-same",
        Prefer: "return=minimal",
      },
      body: batch,
    });
    await answer.arrayBuffer();
    assert.equal(answer.status, 201);
  };
  let isOver = false;
  let repeats = 0;
  const repeated = (async () => {
    while (!isOver) {
      await sendBatch();
      repeats += 1;
    }
  })();
  const between: number[] = [];
  for (let number = 0, last = 0; between.length <= REPEATS; number++) {
    assert.equal((await other.append(stream_id, loan(number))).status, 201);
    if (repeats === last) continue;
    between.push(number);
    last = repeats;
  }
  isOver = true;
  await repeated;
  const counts = between.slice(1).map((number, index) => number - (between[index] ?? 0));
  const [median = 0] = counts.toSorted((a, b) => a - b).slice(counts.length / 2);
  t.diagnostic(`events between two batches: ${counts.join(", ")}`);
  assert.ok(median >= LEAST_BETWEEN, `events between two batches: ${counts.join(", ")}`);
  assert.equal(await child.end("SIGTERM"), 0);
});
