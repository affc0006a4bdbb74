/**
 * Sealing keys in the environment: SVC_SIGNING_KEY, and for a rotation SVC_NEXT_SIGNING_KEY. The environment of a
 * running process cannot be changed, so a rotation needs the server stopped.
 */
import type { Kernel } from "@svc/core";

import { DataFolderError } from "../data-folder/data-folder.ts";
import { signerOfKey } from "./file-signer.ts";
import type { EnvironmentKeySettings } from "./key-settings.ts";
import type { KeySource } from "./key-source.ts";

/** Returns the source of keys in the environment. */
export function environmentKeys(kernel: Kernel, { current, next }: EnvironmentKeySettings): KeySource {
  const first = signerOfKey(kernel, current);
  const second = next === null ? null : signerOfKey(kernel, next);
  return {
    place: "SVC_SIGNING_KEY",
    isLive: false,
    keys: async () => [first, ...(second === null ? [] : [second])],
    first: async () => first,
    successor: async (known) => {
      if (second !== null && !known.has(second.kid)) return second;
      throw new DataFolderError(
        "The key to follow is missing. Put it into SVC_NEXT_SIGNING_KEY, as PKCS#8 PEM or as the base64 of its " +
          "seed; it must never have sealed here before.",
      );
    },
    settle: () => undefined,
    close: () => undefined,
  };
}
