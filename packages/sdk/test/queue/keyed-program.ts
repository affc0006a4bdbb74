/**
 * A program that appends readings under keys, and prints the number of each. It always starts from the beginning, like
 * a program that lost its notes. Arguments: the setting as JSON, and the number of readings in the spool after which it
 * is killed, before it prints the last one; 0 for never.
 */
import process from "node:process";
import { QueueError, SvcClient } from "../../src/index.ts";
import { FileSpool } from "../../src/node/index.ts";

const [setting = "", killAfter = "0"] = process.argv.slice(2);
const { baseUrl, apiKey, streamId, folder, count } = JSON.parse(setting);
const stream = new SvcClient({ baseUrl, apiKey, maxAttempts: 1 }).stream(streamId);
const queue = await stream.openQueue({ spool: new FileSpool({ folder }), maxBatchEvents: 2 });
for (let number = 1; number <= count; number++) {
  const event = { source_ref: `reading-${number}`, event_type: "sensor.read", occurred_at: "2026-03-01T09:30:00Z" };
  const key = `S-17/${number}`;
  const taken = await stream.appendLater({ ...event, payload: { number } }, { key }).then(
    () => false,
    (error) => error instanceof QueueError && error.code === "key_taken",
  );
  if (number === Number(killAfter)) process.kill(process.pid, "SIGKILL");
  console.log(`${number} ${taken}`);
}
await queue.flush();
await queue.close();
