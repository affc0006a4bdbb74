/** The verifier behind a client, loaded when the first answer comes: the client's own code is small, and most of what it loads is core. */
import type * as verifier from "./verifier.ts";

let loading: Promise<typeof verifier> | null = null;

/** Loads it once. Rejects with what the runtime says where the file cannot be had, and tries again at the next call. */
export function loadVerifier(): Promise<typeof verifier> {
  loading ??= import("./verifier.ts").catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}
