/** The system calls of a witness: the database and the mark are on the disk before each cosignature leaves. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { witnessProgram } from "@svc/testkit/built";
import { TestLog } from "@svc/testkit/evidence/log";
import { without } from "@svc/testkit/runtimes";
import { environmentOf } from "@svc/testkit/svc-witness";
import { add, madeWitness } from "./running.ts";

const CALLS = "trace=fsync,fdatasync,write,writev,sendto,sendmsg";
const SIZES = 8;

test("each answer comes after the end of two waits for the disk", { skip: without("strace") }, async (t) => {
  const log = new TestLog("log.example/durable");
  const folder = await madeWitness(log.vkey);
  const trace = join(folder, "trace");
  const words = ["-f", "-y", "-s", "64", "-e", CALLS, "-o", trace];
  const started = spawn("strace", [...words, process.execPath, await witnessProgram(), "start", "--json"], {
    env: environmentOf(folder),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(started, "close");
  const [line] = (await once(createInterface({ input: started.stdout }), "line")) as [string];
  const { url, pid } = JSON.parse(line) as { url: string; pid: number };
  // A tracer that is killed leaves its program behind.
  t.after(() => started.exitCode === null && process.kill(pid, "SIGKILL"));
  for (let size = 1; size <= SIZES; size++)
    assert.equal((await add({ url }, await log.growTo(size).body(size - 1))).status, 200);
  process.kill(pid, "SIGTERM");
  await ended;
  const answers = answersOf(readFileSync(trace, "utf8").split("\n"));
  assert.equal(answers.length, SIZES);
  for (const synced of answers) {
    assert.ok(
      synced.some((file) => file.endsWith("/witness.sqlite-wal")),
      synced.join(),
    );
    assert.ok(
      synced.some((file) => /\/high-water\.sqlite(?:-\w+)?$/.test(file)),
      synced.join(),
    );
  }
});

/** Returns, for each answer of 200, the files whose waits for the disk have ended since the answer before. */
function answersOf(lines: readonly string[]): string[][] {
  const answers: string[][] = [];
  const waiting = new Map<string, string>();
  let synced: string[] = [];
  for (const line of lines) {
    const [, thread = "", call = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, file, rest = ""] = /^f(?:data)?sync\(\d+<([^>]*)>(.*)$/.exec(call) ?? [];
    if (file !== undefined && /\) += 0$/.test(rest)) synced.push(file);
    else if (file !== undefined) waiting.set(thread, file);
    else if (/^<\.\.\. f(?:data)?sync resumed>\) += 0$/.test(call)) synced.push(waiting.get(thread) ?? "");
    else if (call.includes('"HTTP/1.1 200 OK')) {
      answers.push(synced);
      synced = [];
    }
  }
  return answers;
}
