/** `pnpm kernel:build`: installs the toolchain if it is missing, builds the kernel, and writes it with its lock. */
import { tellGone } from "./apt.ts";
import { compileKernel } from "./compile.ts";
import { writeGoCopy } from "./go-copy.ts";
import { installToolchain } from "./install.ts";
import { INLINED_FILE, KERNEL_FILE, LOCK_FILE, WORKSPACE, writeKernel } from "./lock.ts";
import { cacheFolder, main, ToolchainError } from "./run.ts";

await main(() => {
  const gone = installToolchain();
  if (gone.length > 0)
    throw new ToolchainError(
      `${tellGone(gone)}. Pin versions that apt offers in packages/wasm/toolchain/pins.ts, then run this again.`,
    );
  const kernel = compileKernel(WORKSPACE, cacheFolder("build"));
  const { bytes, sha256 } = writeKernel(kernel);
  writeGoCopy(kernel);
  console.log(`wrote ${KERNEL_FILE} (${bytes} bytes, SHA-256 ${sha256}), ${LOCK_FILE} and ${INLINED_FILE}`);
});
