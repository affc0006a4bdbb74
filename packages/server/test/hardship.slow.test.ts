/** Conditions that must not end a server: a log that cannot be written, and a pack that does not fit into memory. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { MAX_PACK_PAYLOAD_BYTES } from "@svc/api/limits";
import { runSql } from "@svc/testkit/server/changed-rows";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const skip = existsSync("/dev/full") ? false : "there is no /dev/full: a full disk behind the log is NOT TESTED";

test("a log that cannot be written costs lines, not the server", { skip }, async (t) => {
  const full = openSync("/dev/full", "w");
  const words = ["start", "--json", "--port", "0", "--data", join(temporaryFolder(), "data")];
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { PATH: process.env.PATH ?? "", SVC_LOG_LEVEL: "debug" },
    stdio: ["ignore", "pipe", full],
  });
  t.after(() => child.kill("SIGKILL"));
  closeSync(full);
  const ended = once(child, "exit");
  const [line] = (await once(createInterface({ input: child.stdout ?? process.stdin }), "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  for (const path of ["/health", "/v2/keys", "/nowhere"]) assert.ok((await fetch(url + path)).status < 500);
  child.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
});

test("a pack of more payload than fits is refused before it is read", async (t) => {
  const here = await startServer(t);
  const { client, made } = here;
  const { stream_id } = made;
  await client.appendBatch(
    stream_id,
    Array.from({ length: 300 }, (_, index) => loan(index)),
  );
  await client.witnessed(stream_id, 300);
  await runSql(here, "UPDATE events SET payload = $1", "0".repeat(Math.ceil(MAX_PACK_PAYLOAD_BYTES / 300) + 1));
  const { status, body } = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 300 });
  assert.deepEqual([status, body.detail.code], [422, "range_too_large"]);
  assert.match(body.detail.message, /bytes of payloads.*smaller range/);
});
