/**
 * `pnpm kernel:lint` and `pnpm kernel:test`: rustfmt, clippy without warnings, and the kernel's own tests, compiled for
 * this machine. They run on the pinned release if it is installed (`pnpm kernel:verify` installs it), and otherwise on
 * the cargo on the PATH.
 */
import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { CARGO, hasPinnedPackages } from "./install.ts";
import { WORKSPACE } from "./lock.ts";
import { cacheFolder, main, run, ToolchainError } from "./run.ts";

/** Arithmetic of the dependencies is optimized; the kernel itself keeps its overflow checks and debug assertions. */
const OPTIMIZED_DEPENDENCIES = ["--config", 'profile.dev.package."*".opt-level=3'];
const FUZZ = join(WORKSPACE, "fuzz");

const [task] = process.argv.slice(2);

await main(() => {
  const { cargo, path } = findCargo();
  const env = (target: string) => ({ PATH: path, CARGO_TARGET_DIR: cacheFolder(target) });
  if (task === "lint") {
    for (const [cwd, ...packages] of [[WORKSPACE, "--all"], [FUZZ]] as const) {
      run(cargo, ["fmt", ...packages, "--", "--check"], {
        cwd,
        env: env("check"),
        hint: "`cargo fmt --all` in packages/wasm and `cargo fmt` in packages/wasm/fuzz format them.",
      });
      run(cargo, ["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"], {
        cwd,
        env: env("check"),
      });
    }
    console.log(`rustfmt and clippy of ${cargo}: no findings`);
  } else if (task === "test") {
    run(cargo, ["test", "--locked", "--package", "svc-kernel", ...OPTIMIZED_DEPENDENCIES], {
      cwd: WORKSPACE,
      env: env("check"),
    });
    run(cargo, ["test", "--locked", ...OPTIMIZED_DEPENDENCIES], { cwd: FUZZ, env: env("check") });
  } else throw new ToolchainError("usage: check.ts lint|test");
});

function findCargo(): { cargo: string; path: string } {
  if (hasPinnedPackages()) return { cargo: CARGO, path: "/usr/bin:/bin" };
  const path = [process.env.PATH ?? "", join(homedir(), ".cargo/bin")].join(delimiter);
  const has = (...args: string[]) => spawnSync("cargo", args, { env: { ...process.env, PATH: path } }).status === 0;
  if (has("--version") && (task !== "lint" || (has("clippy", "--version") && has("fmt", "--version")))) {
    return { cargo: "cargo", path };
  }
  throw new ToolchainError(
    "There is no cargo with what this needs (rustfmt, clippy). Install the pinned one with `pnpm kernel:verify`, " +
      "as root on " +
      "Debian 12, or any with rustup.",
  );
}
