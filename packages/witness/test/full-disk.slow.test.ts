/** A full disk: no cosignature leaves, by no route, while the mark cannot be written; doctor tells it before. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { parseCheckpointText, parseNote } from "@svc/core";
import { witnessProgram } from "@svc/testkit/built";
import { TestLog } from "@svc/testkit/evidence/log";
import { without } from "@svc/testkit/runtimes";
import { mountSmallDisk, NO_SMALL_DISK } from "@svc/testkit/small-disk";
import { environmentOf } from "@svc/testkit/svc-witness";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { diagnose } from "../src/diagnose.ts";
import { add, configOf, get, kernel, madeWitness } from "./running.ts";

const ORIGIN = "log.example/full";
const LAST = `/${createHash("sha256").update(ORIGIN).digest("hex")}/checkpoint`;
/** A start writes the mark less often. */
const WRITES = 40;
const MOST = 100;

test("no route shows what was signed while the mark cannot be written", { skip: without("strace") }, async (t) => {
  const log = new TestLog(ORIGIN);
  const folder = await madeWitness(log.vkey);
  const fault = ["-e", `inject=pwrite64:error=ENOSPC:when=${WRITES}+`, "-P", join(folder, "keys/high-water.sqlite")];
  const words = ["-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64", ...fault];
  const started = spawn("strace", [...words, process.execPath, await witnessProgram(), "start", "--json"], {
    env: { ...environmentOf(folder), SVC_WITNESS_LOG_LEVEL: "silent" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(started, "close");
  const [line] = (await once(createInterface({ input: started.stdout }), "line")) as [string];
  const { url, pid } = JSON.parse(line) as { url: string; pid: number };
  // A tracer that is killed leaves its program behind.
  t.after(() => started.exitCode === null && process.kill(pid, "SIGKILL"));
  let answer = { status: 200, text: "" };
  for (let old = 0; answer.status === 200 && old < MOST; old++)
    answer = await add({ url }, await log.growTo(old + 1).body(old));
  assert.equal(answer.status, 503, answer.text);
  assert.ok(log.size > 1, "something was cosigned before");
  const last = await get({ url }, LAST);
  const size = last.status === 200 ? parseCheckpointText(parseNote(last.text)?.text ?? "")?.treeSize : null;
  assert.deepEqual([last.status, size], [503, null], `nothing of size ${log.size} may be seen`);
  assert.equal((await get({ url }, "/forks")).status, 503);
  process.kill(pid, "SIGTERM");
  await ended;
});

const disk = join(temporaryFolder(), "disk");
const skip = mountSmallDisk(disk, "1m") ? false : NO_SMALL_DISK;

test("doctor tells a disk without room", { skip }, async () => {
  const folder = await madeWitness();
  const found = async (keysFolder: string) =>
    (await diagnose(kernel, { ...configOf(folder), keysFolder })).find(({ check }) => check === "room")?.state;
  const { keysFolder } = configOf(folder);
  assert.equal(await found(keysFolder), "ok");
  cpSync(keysFolder, join(disk, "keys"), { recursive: true });
  assert.equal(await found(join(disk, "keys")), "fail");
});
