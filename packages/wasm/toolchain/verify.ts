/**
 * `pnpm kernel:verify`: the committed files agree with each other, and the sources, built again in a fresh folder, give
 * the same bytes. `--no-rebuild` stops after the first half, which needs no compiler. If the pinned compiler can no
 * longer be installed, it says so by name, and does not report a difference.
 */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tellGone } from "./apt.ts";
import { tellDifference } from "./compare.ts";
import { compileKernel } from "./compile.ts";
import { installToolchain } from "./install.ts";
import { committedFaults, KERNEL_FILE, readLock, WORKSPACE } from "./lock.ts";
import { main, ToolchainError } from "./run.ts";

await main(() => {
  const unknown = process.argv.slice(2).filter((argument) => argument !== "--no-rebuild");
  if (unknown.length > 0) throw new ToolchainError(`There is no option ${unknown.join(" ")}; there is --no-rebuild.`);
  const faults = committedFaults();
  if (faults.length > 0) throw new ToolchainError(faults.map((fault) => `packages/wasm: ${fault}`).join("\n"));
  const { sha256 } = readLock();
  console.log(`${KERNEL_FILE}: SHA-256 ${sha256}, as its lock, its inlined copy, Cargo.lock and the sources say`);
  if (process.argv.includes("--no-rebuild")) return;

  const gone = installToolchain();
  if (gone.length > 0) {
    console.log(`not rebuilt: ${tellGone(gone)}`);
    return;
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "svc-kernel-")));
  try {
    const difference = tellDifference(readFileSync(join(WORKSPACE, KERNEL_FILE)), compileKernel(WORKSPACE, folder));
    if (difference !== null) throw new ToolchainError(difference);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`rebuilt in another folder: ${KERNEL_FILE} has the same bytes`);
});
