/**
 * The keys by which the service's own witness cosigns in the server: `witness-key.pem` in the data folder, and after a
 * rotation its successor, `witness-key.next.pem`, until nothing waits for the old one (witness-keys/rotate.ts).
 */
import type { Kernel } from "@svc/core";
import { NEXT_WITNESS_KEY, WITNESS_KEY } from "../data-folder/data-folder.ts";
import { fileKeys } from "./file-keys.ts";
import type { KeySource } from "./key-source.ts";

/** Returns the source of the witness's keys. */
export function witnessKeys(kernel: Kernel, dataFolder: string): KeySource {
  return fileKeys(kernel, dataFolder, { current: WITNESS_KEY, next: NEXT_WITNESS_KEY });
}
