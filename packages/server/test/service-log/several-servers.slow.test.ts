/** Several servers on one PostgreSQL database: one of them keeps the service log at a time, and none forks it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Anchor } from "@svc/core";
import { ON_NAMED } from "@svc/testkit/drivers";
import { startPostgres } from "@svc/testkit/postgres";
import type { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { assertVerified } from "@svc/testkit/server/verified";
import { until } from "@svc/testkit/until";
import { deploymentOn, serverOf } from "../postgres/several-servers.ts";

test("two servers keep one service log, also while they take it from each other", ON_NAMED, async (t) => {
  const postgres = await startPostgres(t);
  const url = await postgres.newDatabase();
  const made = await deploymentOn(url);
  const often = { SVC_EPOCH_INTERVAL_MS: "20" };
  const [one, other] = [await serverOf(t, made, url, often), await serverOf(t, made, url, often)];
  const { client } = one;
  const request = { system_id: made.system_id, use_case: "loans", policy_id: "default", metadata: {} };
  const streams: string[] = [];
  for (let number = 0; number < 6; number++) streams.push((await client.post("/v2/streams", request)).body.stream_id);
  const name = new URL(url).pathname.slice(1);
  const keepers = new Set<unknown>();
  let number = 0;
  const goOn = async (at: Client) => {
    for (let round = 0; round < 2; round++) {
      number += 1;
      await Promise.all(
        streams.map(async (stream) => {
          await at.append(stream, loan(number), `${stream}-${number}`);
          // A pack has its events sealed at once.
          await at.post("/v2/audit/packs", { stream_id: stream, from_seq_no: number, to_seq_no: number });
        }),
      );
    }
    await until("all is published", async () => {
      const states = await Promise.all(streams.map((stream) => at.get(`/v2/streams/${stream}/proof-state`)));
      return states.every(({ body }) => body.published_to_seq_no === number) ? true : null;
    });
    const job = "WHERE job_name = 'service-log'";
    for (const row of await postgres.run(`SELECT lease_owner FROM jobs ${job}`, name)) keepers.add(row.lease_owner);
  };
  const endLog = ({ server }: typeof one) => server.service.jobs.find((job) => job.name === "service-log")?.stop();
  await goOn(one.client);
  await goOn(other.client);
  await endLog(one);
  await goOn(one.client);
  const third = await serverOf(t, made, url, often);
  await endLog(other);
  await goOn(other.client);
  assert.ok(keepers.size > 1);
  await endLog(third);
  const [counts] = await postgres.run(
    `SELECT (SELECT COUNT(*) FROM checkpoints) AS checkpoints, (SELECT COUNT(*) FROM service_log_leaves) AS leaves,
       (SELECT MAX(leaf_index) + 1 FROM service_log_leaves) AS size, (SELECT COUNT(*) FROM unlogged_checkpoints) AS waiting`,
    name,
  );
  assert.deepEqual(new Set([counts?.leaves, counts?.size]), new Set([counts?.checkpoints]));
  assert.equal(counts?.waiting, "0");
  const { body } = await client.get("/v2/anchors?limit=100");
  const epochs: Anchor[] = body.items;
  assert.ok(epochs.length > 1);
  for (const [index, { anchor_epoch_id: id }] of epochs.slice(1).entries()) {
    const { text } = await client.get(`/v2/anchors/${id}/consistency?from=${epochs[index]?.anchor_epoch_id}`);
    assertVerified(text, made.public_key_hex, "consistency");
  }
});
