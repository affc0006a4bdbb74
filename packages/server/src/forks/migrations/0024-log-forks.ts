/**
 * Evidence that this service has signed two histories of its own log, which is about no single stream. A note is known
 * by its signed text from now on, and no longer by its lines, to which anybody can add.
 */
import type { ForkEvidence } from "@svc/core";
import type { Migration } from "@svc/host/store";
import { kernel } from "../../kernel.ts";
import { contradictionHash } from "../stored-form.ts";

/** Schema version 24. */
export const logForks: Migration = {
  version: 24,
  name: "log forks",
  sql: `
-- Numbered in the order in which it was found. sides_hash: as in forks.
CREATE TABLE log_forks (
  fork_id TEXT PRIMARY KEY,
  fork_no BIGINT NOT NULL UNIQUE,
  sides_hash TEXT NOT NULL UNIQUE,
  detected_at TEXT NOT NULL,
  document TEXT NOT NULL
);
`,
  rewrite: async (writer) => {
    const rows = await writer.all<{ fork_id: string; document: string }>("SELECT fork_id, document FROM forks");
    for (const { fork_id, document } of rows) {
      const fork = JSON.parse(document) as ForkEvidence;
      const hash = fork.kind === "note" ? contradictionHash(kernel, fork) : null;
      if (hash !== null) await writer.run("UPDATE forks SET sides_hash = $1 WHERE fork_id = $2", hash, fork_id);
    }
  },
};
