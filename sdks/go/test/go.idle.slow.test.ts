/** The Go SDK under its analysers, with races looked for, by both kernels, and held to the conformance kit. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { built } from "@svc/testkit/built";
import { GO_SVC } from "./command.ts";
import { folderOf } from "./service.ts";
import { go, goTest, MODULES, packagesOf, SERVED, succeed } from "./toolchain.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PINNED = new URL("../../../tools/pinned-node.mjs", import.meta.url).href;
/** The path of the module in this SDK's folder; every other package's path follows its folder. */
const MODULE = "svc.example/go";
const FUZZ_TIME = "10s";
/** As many as a release is tried with in CI; a million by hand. */
const MUTANTS = Number(process.env.SVC_GO_MUTANTS ?? 20_000);
const SEALED = Number(process.env.SVC_GO_SEALED ?? 4_000);
const SEED = Number(process.env.SVC_GO_SEED ?? 30);
/** Packages whose tests wait for no server; services.slow.test.ts tries the others. */
const SERVERLESS = packagesOf(".").filter((path) => !SERVED.includes(path));
/** Nobody knows when a run in idle time ends. */
const TEST = ["test", "-timeout", "0"];

for (const module of MODULES) {
  goTest(`go vet finds nothing in ${module}`, () => {
    go(module, ["vet", "./..."]);
  });
  goTest(`staticcheck finds nothing in ${module}`, () => {
    const staticcheck = go("analysis", ["tool", "-n", "staticcheck"], { GOWORK: "off" }).trim();
    succeed([staticcheck, "./..."], module);
  });
  goTest(`the tests of ${module} pass, and find no race`, () => {
    const packages = module === "." ? SERVERLESS : ["./..."];
    // Compiled WebAssembly takes minutes between calls that are watched, so there the concurrent ones alone are.
    if (module === "wasmkernel") go(module, [...TEST, ...packages]);
    const run = module === "wasmkernel" ? ["-run", "^TestConcurrent"] : [];
    go(module, [...TEST, "-race", ...run, ...packages], { CGO_ENABLED: "1" });
  });
}

goTest("all is found and refused alike on a processor of 32 bits", () => {
  const env = { GOARCH: "386", CGO_ENABLED: "0" };
  go(".", ["vet", "./..."], env);
  go(".", [...TEST, ...SERVERLESS], env);
});

goTest("one processor and 200 MiB are enough", () => {
  go(".", [...TEST, "-count=1", ...SERVERLESS], { GOMAXPROCS: "1", GOMEMLIMIT: "200MiB" });
});

for (const module of [".", "wasmkernel"]) {
  goTest(`no fuzz target of ${module} finds anything in ${FUZZ_TIME}`, (t) => {
    const program = join(folderOf(t), "fuzz.test");
    const found = join(go(module, ["env", "GOCACHE"]).trim(), "fuzz");
    // The names of targets stand before the line of their package.
    const names: string[] = [];
    let count = 0;
    for (const line of go(module, ["test", "-list", "^Fuzz", "./..."]).split("\n")) {
      const [, path] = /^ok\s+(\S+)/.exec(line) ?? [];
      if (line.startsWith("Fuzz")) names.push(line);
      if (path === undefined || names.length === 0) continue;
      // One program for all targets of a package: `go test` would link it again for each.
      go(module, ["test", "-c", "-fuzz", ".", "-o", program, path]);
      for (const name of names.splice(0)) {
        const words = [
          "run=^$",
          "parallel=1",
          `fuzz=^${name}$`,
          `fuzztime=${FUZZ_TIME}`,
          `fuzzcachedir=${join(found, path)}`,
        ];
        succeed([program, ...words.map((word) => `-test.${word}`)], path.slice(MODULE.length));
        count++;
      }
    }
    assert.notEqual(count, 0, "no fuzz target");
  });
}

for (const kernel of ["reference", "wasm"])
  goTest(`svc conformance --kernel ${kernel} passes every level of the kit`, (t) => {
    assert.match(kit(t, kernel, ["--words"]), /^PASSED: \d{4,} passed, 0 failed/m);
  });

goTest(`of ${MUTANTS} mutants core gives the same report`, async (t) => {
  const against = `${process.execPath} ${join(await built("cli"), "svc.mjs")} conformance`;
  const words = ["--mutants", `${MUTANTS}`, "--seed", `${SEED}`, "--against", against];
  assert.match(kit(t, "reference", words), new RegExp(`^seed ${SEED}: ${MUTANTS} mutants, 0 differ`, "m"));
});

goTest(`of ${SEALED} mutants that are sealed again core gives the same report`, () => {
  const call = [
    "--import",
    PINNED,
    join(ROOT, "conformance/sealed/main.ts"),
    "--count",
    `${SEALED}`,
    "--seed",
    `${SEED}`,
  ];
  const command = `${GO_SVC} conformance --kernel reference`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...call, "--command", command], { encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, / 0 differ/);
});

/** Runs the conformance kit over the command, and returns what it prints. Its finds go with the test. */
function kit(t: TestContext, kernel: string, words: readonly string[]): string {
  const command = `${GO_SVC} conformance --kernel ${kernel}`;
  const call = ["--import", PINNED, join(ROOT, "conformance/main.ts"), "--command", command, ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, call, { cwd: folderOf(t), encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}
