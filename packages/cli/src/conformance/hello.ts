/** `hello`: what implementation this is, and what it can be asked (docs/conformance.md). */
import { PROTOCOL, VERSION } from "@svc/core";
import type { Operations } from "./operation.ts";

/** Returns the operation. `others`: the names of all other operations. */
export function helloOperations(others: readonly string[]): Operations {
  return {
    hello: {
      required: [],
      run: (_, kernel) => ({
        ok: true,
        implementation: "svc",
        version: VERSION,
        kernel_sha256: kernel.sha256Hex,
        protocol: PROTOCOL,
        ops: ["hello", ...others],
      }),
    },
  };
}
