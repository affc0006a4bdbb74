/** The keys that travel with what the service seals. They let it be checked, and make nobody trust it. */
import { keyHint } from "@svc/core";
import type { Foundation } from "../foundation.ts";

export function bundleKeys({ kernel, signer }: Pick<Foundation, "kernel" | "signer">) {
  return { key_hints: [keyHint(kernel, signer.publicKeyHex)], key_endorsements: [] };
}
