/**
 * Where the private sealing key of a deployment is: in its folder, in the environment, or on a PKCS#11 token. A source says which keys it holds;
 * which of them seals is the database's to say (signing-key.ts).
 */
import type { Kernel, Kid } from "@svc/core";

import { environmentKeys } from "./environment-keys.ts";
import { fileKeys } from "./file-keys.ts";
import type { KidSigner } from "./file-signer.ts";
import type { KeySettings } from "./key-settings.ts";
import { tokenKeys } from "./token-keys.ts";

export interface KeySource {
  /** Where it looks, in words: "signing-key.pem in /var/lib/svc". */
  readonly place: string;
  /** Whether a running server finds a key that was added after its start. */
  readonly isLive: boolean;
  /** The keys that it holds now. Throws where it cannot be read. */
  keys(): Promise<KidSigner[]>;
  /** A key for the deployment that is being made. Throws where there is none, or where it is not clear which. */
  first(): Promise<KidSigner>;
  /**
   * A key that is none of these, to follow them; the same one until it seals. Throws where there is none, or where it is not clear which. It is asked for
   * after settle, and by one process at a time.
   */
  successor(known: ReadonlySet<Kid>): Promise<KidSigner>;
  /** Lets go of keys that seal no more, now that this one does; by one process at a time. */
  settle(current: Kid): void;
  close(): void;
}

/** The source that the configuration names. */
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
