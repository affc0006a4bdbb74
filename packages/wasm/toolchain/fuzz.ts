/**
 * `pnpm kernel:fuzz <target> [seconds]`: searches for an input that breaks a property in packages/wasm/fuzz, guided by
 * the code that each input reaches. It starts from the committed corpus, and keeps its new inputs in the cache folder
 * for the next run. It needs a C++ compiler besides the toolchain, because libFuzzer is compiled here.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { CARGO, hasPinnedPackages, hostTriple } from "./install.ts";
import { WORKSPACE } from "./lock.ts";
import { cacheFolder, main, quietEnvironment, read, run, ToolchainError } from "./run.ts";

/**
 * The settings of `cargo fuzz`, as options of a stable compiler: a counter for each branch, a table of the code around
 * it, and the compared values for the fuzzer, which so gets past comparisons with fixed bytes.
 */
const COVERAGE = [
  "-Cpasses=sancov-module",
  "-Cllvm-args=-sanitizer-coverage-level=4",
  "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
  "-Cllvm-args=-sanitizer-coverage-pc-table",
  "-Cllvm-args=-sanitizer-coverage-trace-compares",
  "-Ccodegen-units=1",
  "--cfg=fuzzing",
];
const DEFAULT_SECONDS = "60";
/** An input that takes longer is a finding too. */
const TIMEOUT_SECONDS = 10;
/** Larger inputs reach nothing new and slow the search. */
const MAX_INPUT_BYTES = 2048;

await main(() => {
  const [target, seconds = DEFAULT_SECONDS] = process.argv.slice(2);
  const folder = join(WORKSPACE, "fuzz");
  const targets = readdirSync(join(folder, "fuzz_targets")).map((file) => file.replace(/\.rs$/, ""));
  if (target === undefined || !targets.includes(target) || !/^[1-9]\d{0,6}$/.test(seconds))
    throw new ToolchainError(`usage: pnpm kernel:fuzz <${targets.join(" | ")}> [seconds]`);
  if (!hasPinnedPackages())
    throw new ToolchainError(
      "The pinned compiler is not installed. `pnpm kernel:verify`, as root on Debian 12, installs it.",
    );
  if (read("c++", ["--version"])?.ok !== true)
    throw new ToolchainError(
      "libFuzzer needs a C++ compiler, and there is no `c++`. Install one: apt-get install g++.",
    );

  const host = hostTriple();
  const built = cacheFolder("fuzz-target");
  // With the target named, the flags are not used for build scripts.
  run(CARGO, ["build", "--locked", "--release", "--features", "libfuzzer", "--bin", target, "--target", host], {
    cwd: folder,
    env: { CARGO_ENCODED_RUSTFLAGS: COVERAGE.join("\x1f"), CARGO_TARGET_DIR: built },
  });
  const grown = cacheFolder("fuzz-corpus", target);
  const findings = cacheFolder("fuzz-findings", target);
  for (const path of [grown, findings]) mkdirSync(path, { recursive: true });
  const { status } = spawnSync(
    join(built, host, "release", target),
    [
      `-max_total_time=${seconds}`,
      `-timeout=${TIMEOUT_SECONDS}`,
      `-max_len=${MAX_INPUT_BYTES}`,
      `-artifact_prefix=${findings}/`,
      grown,
      join(folder, "corpus", target),
    ],
    { env: quietEnvironment(), stdio: ["ignore", 2, 2] },
  );
  if (status !== 0)
    throw new ToolchainError(
      `An input breaks what packages/wasm/fuzz/src/${target}.rs says; its file is named above, in ${findings}. ` +
        `Copy it to ` +
        `packages/wasm/fuzz/corpus/${target}/, see \`pnpm kernel:test\` fail, correct the kernel, and commit both.`,
    );
  console.log(`${target}: nothing found in ${seconds} seconds`);
});
