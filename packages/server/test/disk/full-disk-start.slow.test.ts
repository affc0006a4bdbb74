/**
 * An orderly start on a full disk: it comes up for reading, by a file that was kept for that, and says that room is
 * missing.
 */

import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_FILE } from "@svc/testkit/drivers";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { mountSmallDisk, NO_SMALL_DISK } from "@svc/testkit/small-disk";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";

const disk = temporaryFolder();
const skip = ON_FILE.skip || (mountSmallDisk(disk, "12m") ? false : NO_SMALL_DISK);

test("a start on a full disk reads, refuses events, and takes its reserve again", { skip }, async (t) => {
  const data = join(disk, "data");
  const [reserve, filler, log] = [join(data, "reserve"), join(disk, "filler"), join(temporaryFolder(), "log")];
  const made = await makeDeployment(data);
  const first = await startChild(t, data);
  const { text: receipt, body } = await new Client(first.url, made.api_key ?? "").append(
    made.stream_id,
    loan(1),
    "one",
  );
  const { size, mode } = statSync(reserve);
  assert.deepEqual([size, mode & 0o777], [1024 * 1024, 0o600]);
  assert.equal(await first.end("SIGTERM"), 0);
  const fill = () => assert.throws(() => writeFileSync(filler, Buffer.alloc(16 * 1024 * 1024)), { code: "ENOSPC" });
  fill();

  const under = ["sh", "-c", `exec "$@" 2>"${log}"`, "sh"];
  const second = await startChild(t, data, { SVC_LOG_LEVEL: "warn" }, under);
  const client = new Client(second.url, made.api_key ?? "");
  assert.equal((await client.get(`/v2/receipts/${body.stream_event_id}`)).text, receipt);
  const large = loan(2, { payload: { text: "x".repeat(200_000) } });
  await until("the room of the reserve is used up", async () => {
    // Another user of the disk takes the room.
    if (existsSync(filler)) rmSync(filler);
    fill();
    const { status, body: refusal } = await client.append(made.stream_id, large);
    return status === 503 && refusal.detail.code === "store_full" ? true : null;
  });
  rmSync(filler);
  await until("there is room again", async () => {
    const { status } = await client.append(made.stream_id, loan(3), "three");
    return status === 201 ? true : null;
  });
  assert.equal(await second.end("SIGTERM"), 0);
  assert.equal(statSync(reserve).size, size, readFileSync(log, "utf8"));

  rmSync(reserve);
  assert.match((await command(["doctor", "--data", data])).out, /warn +reserve .*is not there/);
  for (const suffix of ["-wal", "-shm"]) rmSync(join(data, `svc.db${suffix}`), { force: true });
  fill();
  for (const words of [
    ["start", "--port", "0"],
    ["keys", "list"],
  ]) {
    const { code, err } = await command([...words, "--data", data]);
    assert.equal(code, 1);
    assert.match(err, /disk is full.*make room/is);
  }
  rmSync(filler);
  assert.equal(await (await startChild(t, data)).end("SIGTERM"), 0);
  assert.ok(existsSync(reserve));
});
