/** The program of the thread that moves pages of the write-ahead log into the database file, on request. */
import { parentPort, workerData } from "node:worker_threads";
import type { Checkpointed } from "./sqlite-checkpoints.ts";
import { Connection } from "./sqlite-connection.ts";

/** While pages are moved, others come: so often the rest is moved as well. */
const MAX_ROUNDS = 3;

let connection: Connection | null = null;

/** `most`: as many pages may be left in the log; null ends the thread. */
parentPort?.on("message", (most: number | null) => {
  if (most === null) {
    connection?.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(move(most) satisfies Checkpointed);
});

function move(most: number): Checkpointed {
  try {
    connection ??= open(String(workerData));
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { log, checkpointed } = connection.checkpoint("PASSIVE");
      if (log - checkpointed <= most) break;
    }
    return { fault: null };
  } catch (error) {
    const { errcode, message } = error as { errcode?: unknown; message: string };
    return { fault: { errcode, message } };
  }
}

function open(path: string): Connection {
  const opened = new Connection(path, { timeout: 0, readOnly: false });
  opened.execute("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0");
  return opened;
}
