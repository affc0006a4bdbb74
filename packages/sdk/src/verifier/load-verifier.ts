/**
 * The verifier behind a client, loaded with the first answer: the client's own code is small, and most of the verifier
 * is core.
 */
import type * as verifier from "./verifier.ts";

let loading: Promise<typeof verifier> | null = null;

/** Loads it once. Rejects with the runtime's error if the file cannot be loaded, and tries again at the next call. */
export function loadVerifier(): Promise<typeof verifier> {
  loading ??= import("./verifier.ts").catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}
