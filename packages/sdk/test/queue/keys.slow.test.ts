/** A program's own keys: the same event enters a queue once, however often a restarted program appends it. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { MemorySpool, type SpooledEvent } from "../../src/index.ts";
import { FileSpool } from "../../src/node/index.ts";
import { freshStreamId, nobody, opened, reading, recorded, refsOf, server } from "./queue-service.ts";

const root = mkdtempSync(join(tmpdir(), "svc-keys-"));
after(() => rmSync(root, { recursive: true }));
const PROGRAM = fileURLToPath(new URL("keyed-program.ts", import.meta.url));
const taken = {
  name: "QueueError",
  code: "key_taken",
  message: "The event with the key S-1 is in the queue already, or has left it.",
};

test("a second event with a key is refused: while the first waits, when it has left, and by the next queue", async () => {
  const streamId = await freshStreamId();
  const spool = () => new FileSpool({ folder: join(root, "one"), segmentBytes: 1 });
  const away = await opened(streamId, { spool: spool() }, nobody);
  await away.stream.appendLater(reading(1), { key: "S-1" });
  await assert.rejects(away.stream.appendLater(reading(1), { key: "S-1" }), taken);
  await away.queue.close();
  const back = await opened(streamId, { spool: spool() });
  await assert.rejects(back.stream.appendLater(reading(1), { key: "S-1" }), taken);
  await back.stream.appendLater(reading(2), { key: "S-2" });
  await back.queue.flush();
  await assert.rejects(back.stream.appendLater(reading(1), { key: "S-1" }), taken);
  await back.queue.close();
  const later = await opened(streamId, { spool: spool() });
  await assert.rejects(later.stream.appendLater(reading(1), { key: "S-1" }), taken);
  await later.stream.appendLater(reading(3));
  await later.queue.flush();
  await later.queue.close();
  assert.deepEqual(await recorded(streamId), refsOf([reading(1), reading(2), reading(3)]));
});

test("given in one turn, the first of two with a key is taken, and the order stays", async () => {
  const streamId = await freshStreamId();
  const { stream, queue } = await opened(streamId, { spool: new MemorySpool() });
  const given = await Promise.allSettled([
    stream.appendLater(reading(1), { key: "S-1" }),
    stream.appendLater(reading(2)),
    stream.appendLater(reading(3), { key: "S-1" }),
    stream.appendLater(reading(4), { key: "S-4" }),
    stream.appendLater(reading(5), { key: "no key" }),
    stream.appendLater(reading(5), { key: "" }),
  ]);
  assert.deepEqual(
    given.map((each) => (each.status === "fulfilled" ? each.value.position : (each.reason.code ?? each.reason.name))),
    [1, 2, "key_taken", 3, "TypeError", "TypeError"],
  );
  await queue.flush();
  await queue.close();
  assert.deepEqual(await recorded(streamId), refsOf([reading(1), reading(2), reading(4)]));
});

test("where the first of two could not be put into the spool, the second is", async () => {
  class Failing extends MemorySpool {
    failures = 1;
    override async add(events: readonly SpooledEvent[]): Promise<void> {
      if (this.failures-- > 0) throw new Error("the disk is full");
      await super.add(events);
    }
  }
  const streamId = await freshStreamId();
  const { stream, queue } = await opened(streamId, { spool: new Failing() });
  const first = stream.appendLater(reading(1), { key: "S-1" });
  const second = stream.appendLater(reading(1), { key: "S-1" });
  await assert.rejects(first, /the disk is full/);
  assert.equal((await second).position, 1);
  await queue.flush();
  await queue.close();
  assert.deepEqual(await recorded(streamId), ["reading-1"]);
});

test("a program that is killed between an event and its note of it gives it again, and it is recorded once", async () => {
  const streamId = await freshStreamId();
  const { baseUrl, apiKey } = server;
  const setting = JSON.stringify({ baseUrl, apiKey, streamId, folder: join(root, "killed"), count: 8 });
  const run = (killAfter: number) =>
    new Promise<{ readonly signal: string | null; readonly lines: string[] }>((resolve) => {
      const words = [PROGRAM, setting, `${killAfter}`];
      execFile(process.execPath, words, (error, stdout) => {
        resolve({ signal: (error?.signal as string | undefined) ?? null, lines: stdout.trim().split("\n") });
      });
    });
  assert.deepEqual(await run(3), { signal: "SIGKILL", lines: ["1 false", "2 false"] });
  assert.deepEqual(await run(6), { signal: "SIGKILL", lines: ["1 true", "2 true", "3 true", "4 false", "5 false"] });
  const { signal, lines } = await run(0);
  assert.deepEqual([signal, lines.filter((line) => line.endsWith("false"))], [null, ["7 false", "8 false"]]);
  assert.deepEqual(await recorded(streamId), refsOf([1, 2, 3, 4, 5, 6, 7, 8].map((number) => reading(number))));
});
