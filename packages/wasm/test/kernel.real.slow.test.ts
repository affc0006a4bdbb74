/** The kernel, built again from its sources by the pinned compiler, and its own tests, fuzz corpus and lint rules. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

// In this order: the first installs the compiler that the others use.
for (const [script, what] of [
  ["kernel:verify", "the kernel, built again, has the committed bytes"],
  ["kernel:lint", "the kernel's sources are formatted, and clippy finds nothing"],
  ["kernel:test", "the kernel's own tests pass, and its fuzz corpus finds nothing"],
] as const)
  test(what, async () => {
    const child = spawn(process.execPath, ["tools/run.mjs", script], {
      cwd: ROOT,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const [code] = await once(child, "exit");
    assert.equal(code, 0, `pnpm run ${script}`);
  });
