/** A disk that is full: writes are refused with their own code, nothing is recorded, reading goes on, and so does all else once there is room. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "../src/clock.ts";
import { readConfig } from "../src/config.ts";
import { kernel } from "../src/kernel.ts";
import { serve } from "../src/serve.ts";
import { Client, loan, makeDeployment, temporaryFolder, until } from "./running-server.ts";

/** Makes a small disk; null where this user may not. */
function smallDisk(): string | null {
  const folder = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    return null;
  }
}

const disk = smallDisk();
// Before the folder is removed.
if (disk !== null) process.prependOnceListener("exit", () => execFileSync("umount", ["-l", disk]));
const skip = disk === null ? "a small disk cannot be mounted here: a full disk is NOT TESTED" : false;

test("a full disk", { skip }, async (t) => {
  const dataFolder = join(disk ?? "", "data");
  const made = await makeDeployment(dataFolder);
  const environment = { SVC_LOG_LEVEL: "silent", SVC_SEAL_INTERVAL_MS: "20", SVC_PORT: "0", SVC_DATA: dataFolder };
  const server = await serve(readConfig(environment), { kernel, clock: systemClock });
  t.after(() => server.close());
  const client = new Client(server.url, made.api_key ?? "");
  const { stream_id } = made;
  const events = Array.from({ length: 200 }, (_, index) => loan(index, { payload: { text: "x".repeat(10_000) } }));
  assert.equal((await client.append(stream_id, loan(1), "first")).status, 201);
  await client.witnessed(stream_id, 1);

  const filler = join(disk ?? "", "filler");
  assert.throws(() => writeFileSync(filler, Buffer.alloc(16 * 1024 * 1024)), { code: "ENOSPC" });
  for (const _ of [1, 2]) {
    const refused = await client.appendBatch(stream_id, events, "second");
    assert.deepEqual([refused.status, refused.body.detail.code], [503, "store_full"]);
    assert.deepEqual(Object.keys(refused.body.detail), ["code", "message"]);
    assert.doesNotMatch(refused.text, /sqlite|svc\.db|errcode|database or disk/i);
  }
  const head = await client.get(`/v2/streams/${stream_id}/head`);
  assert.deepEqual([head.status, head.body.seq_no], [200, 1]);
  assert.equal((await client.append(stream_id, loan(1), "first")).status, 201, "what repeats needs no room");

  rmSync(filler);
  const done = await until("there is room again", async () => {
    const answer = await client.appendBatch(stream_id, events, "second");
    return answer.status === 201 ? answer : null;
  });
  assert.deepEqual([done.body.receipts.length, done.body.receipts[0].seq_no], [200, 2]);
  await client.witnessed(stream_id, 201);
});
