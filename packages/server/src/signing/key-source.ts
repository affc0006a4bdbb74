/**
 * The place of a deployment's private sealing key: its folder, the environment, or a PKCS#11 token. A source says which
 * keys it holds; the database says which of them seals (signing-key.ts).
 */
import type { Kernel, Kid } from "@svc/core";

import { environmentKeys } from "./environment-keys.ts";
import { fileKeys } from "./file-keys.ts";
import type { KidSigner } from "./file-signer.ts";
import type { KeySettings } from "./key-settings.ts";
import { tokenKeys } from "./token-keys.ts";

/** A place that holds sealing keys. */
export interface KeySource {
  /** The place in words, such as "signing-key.pem in /var/lib/svc". */
  readonly place: string;
  /** Whether a running server finds a key that was added after its start. */
  readonly isLive: boolean;
  /** Resolves to the keys that it holds now. Rejects if the place cannot be read. */
  keys(): Promise<KidSigner[]>;
  /** Resolves to a key for the deployment that is being made. Rejects without a key, or if the choice is ambiguous. */
  first(): Promise<KidSigner>;
  /**
   * Resolves to a key that is not in `known`, as their successor; the same one until it seals. Rejects without such a
   * key, or if the choice is ambiguous. Call it after settle, in one process at a time.
   */
  successor(known: ReadonlySet<Kid>): Promise<KidSigner>;
  /** Deletes keys that seal no more, because `current` seals now. Call it in one process at a time. */
  settle(current: Kid): void;
  /** Releases the place, such as the sessions of a token. */
  close(): void;
}

/** Returns the source that the configuration names. */
export function openKeySource(settings: KeySettings, kernel: Kernel, dataFolder: string): KeySource {
  switch (settings.kind) {
    case "file":
      return fileKeys(kernel, dataFolder);
    case "environment":
      return environmentKeys(kernel, settings);
    case "pkcs11":
      return tokenKeys(kernel, settings);
  }
}
