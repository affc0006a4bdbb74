/** The SDK's queue on a spool in IndexedDB, in a page that the test drives. */
import { IndexedDbSpool } from "../../../src/browser/index.ts";
import { type AppendQueue, SvcClient } from "../../../src/index.ts";
import type { QueuePage } from "../queue-page.ts";

const told: string[] = [];
let queue: AppendQueue | undefined;

const offered: QueuePage = {
  async open(streamId, spool) {
    const stream = new SvcClient({ baseUrl: location.origin, maxAttempts: 1 }).stream(streamId);
    try {
      queue = await stream.openQueue({
        spool: new IndexedDbSpool({ name: spool }),
        onReceipts: (receipts) => void told.push(...receipts.map(({ source_ref }) => source_ref)),
      });
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  },
  async append(events) {
    await Promise.all(events.map((event) => queue?.append(event)));
  },
  async appendOnce(event, key) {
    try {
      await queue?.append(event, { key });
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  },
  async flush() {
    await queue?.flush();
    return told;
  },
  waiting() {
    const { events = 0, bytes = 0, lastError = null } = queue?.waiting() ?? {};
    return { events, bytes, lastError: lastError?.code ?? null };
  },
};
Object.assign(globalThis, { queuePage: offered });
