/** The command of the Go SDK, by both kernels, held to the conformance kit. */
import assert from "node:assert/strict";
import { kit } from "./kit.ts";
import { goTest } from "./toolchain.ts";

for (const kernel of ["reference", "wasm"])
  goTest(`svc conformance --kernel ${kernel} passes every level of the kit`, (t) => {
    assert.match(kit(t, kernel, ["--words"]), /^PASSED: \d{4,} passed, 0 failed/m);
  });
