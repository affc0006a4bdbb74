/** The service log of a server that is killed at each step: every checkpoint is in it once, and epochs go on. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Anchor } from "@svc/core";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { openDeployment } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { until } from "@svc/testkit/until";
import { epochOver } from "./epochs.ts";

const CHAOS = new URL("../../../../tools/chaos/hook.mjs", import.meta.url).href;
const OFTEN = { SVC_EPOCH_INTERVAL_MS: "20" };

const STEPS = [
  "service log: leaves inserted",
  "service log: appended",
  "service log: epoch sealed",
  "service log: epoch inserted",
  "service log: epoch made",
  "service log: epoch remembered",
];

test("kill -9 at any step of the service log: each checkpoint is in it once, and each epoch extends the last", async (t) => {
  const { made, database } = await openDeployment(t);
  const folder = made.data_folder;
  const requireWhole = async (client: Client, previous: Anchor | null) => {
    const { latest_checkpoint_id } = (await client.get(`/v2/streams/${made.stream_id}/proof-state`)).body;
    const anchor = await epochOver(client, latest_checkpoint_id);
    const rows = await database.read((reader) =>
      reader.all<{ checkpoint_no: number; leaf_index: number | null }>(
        `SELECT c.checkpoint_no, l.leaf_index FROM checkpoints c
         LEFT JOIN service_log_leaves l ON l.checkpoint_id = c.checkpoint_id
         WHERE c.stream_id = $1 ORDER BY c.checkpoint_no`,
        made.stream_id,
      ),
    );
    const places = rows.map(({ leaf_index }) => leaf_index ?? -1);
    assert.ok(
      places.every((place, index) => place > (places[index - 1] ?? -1)),
      `${places}`,
    );
    if (previous !== null) {
      const path = `/v2/anchors/${anchor.anchor_epoch_id}/consistency?from=${previous.anchor_epoch_id}`;
      assertVerified((await client.get(path)).text, made.public_key_hex, "consistency");
    }
    return anchor;
  };
  let number = 0;
  let previous: Anchor | null = null;
  const killed = async (failpoint: string) => {
    const server = await startChild(t, folder, {
      ...OFTEN,
      SVC_CHAOS: JSON.stringify({ kill: { failpoint, nth: 1 } }),
      NODE_OPTIONS: `--import ${CHAOS}`,
    });
    number += 1;
    // The server may be gone before its answer.
    await new Client(server.url, made.api_key ?? "")
      .append(made.stream_id, loan(number), `event-${number}`)
      .catch(() => undefined);
    let end: { readonly code: number | null } | null = null;
    void server.ended.then((code) => {
      end = { code };
    });
    assert.deepEqual(await until(`the server is killed at ${failpoint}`, async () => end), { code: null });
  };
  const goesOn = async () => {
    const server = await startChild(t, folder, OFTEN);
    const client = new Client(server.url, made.api_key ?? "");
    const { body } = await client.append(made.stream_id, loan(++number), `event-${number}`);
    await client.witnessed(made.stream_id, body.seq_no);
    previous = await requireWhole(client, previous);
    assert.equal(await server.end("SIGTERM"), 0);
  };
  await goesOn();
  for (const failpoint of STEPS) {
    await killed(failpoint);
    await goesOn();
  }

  // An earlier release has left checkpoints, and no log.
  await database.write(async (writer) => {
    for (const table of ["service_log", "service_log_leaves", "unlogged_checkpoints", "epochs"])
      await writer.run(`DELETE FROM ${table}`);
  });
  rmSync(join(folder, "witness.db"));
  previous = null;
  await killed("service log: earlier checkpoints queued");
  await killed("service log: appended");
  await goesOn();
  const { code, out, err } = await command(["fsck", "--data", folder]);
  assert.deepEqual([code, out], [0, "Nothing is wrong.\n"], err);
});
