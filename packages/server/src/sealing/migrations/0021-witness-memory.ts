/** The witness remembers what it has signed in a file of its own (witness-memory/), and no longer here. */
import type { Migration } from "@svc/host/store";

/** Schema version 21. */
export const witnessMemory: Migration = {
  version: 21,
  name: "witness-memory",
  sql: "DROP TABLE witness_state",
};
