/** The Go SDK under its analysers, with races looked for, by both kernels, and held to the conformance kit. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { go, goTest, MODULES, succeed } from "./toolchain.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const FUZZ_TIME = "10s";

for (const module of MODULES) {
  goTest(`go vet finds nothing in ${module}`, () => {
    go(module, ["vet", "./..."]);
  });
  goTest(`staticcheck finds nothing in ${module}`, () => {
    const staticcheck = go("analysis", ["tool", "-n", "staticcheck"], { GOWORK: "off" }).trim();
    succeed([staticcheck, "./..."], module);
  });
  goTest(`the tests of ${module} pass, and find no race`, () => {
    go(module, ["test", "-race", "./..."], { CGO_ENABLED: "1" });
  });
}

for (const module of [".", "wasmkernel"]) {
  goTest(`no fuzz target of ${module} finds anything in ${FUZZ_TIME}`, () => {
    // The names of targets stand before the line of their package.
    const names: string[] = [];
    let count = 0;
    for (const line of go(module, ["test", "-list", "^Fuzz", "./..."]).split("\n")) {
      const [, path] = /^ok\s+(\S+)/.exec(line) ?? [];
      if (line.startsWith("Fuzz")) names.push(line);
      if (path === undefined) continue;
      for (const name of names.splice(0)) {
        go(module, ["test", "-run", "^$", "-fuzz", `^${name}$`, "-fuzztime", FUZZ_TIME, path]);
        count++;
      }
    }
    assert.notEqual(count, 0, "no fuzz target");
  });
}

for (const kernel of ["reference", "wasm"]) {
  goTest(`svc conformance --kernel ${kernel} passes every level of the kit`, () => {
    const folder = mkdtempSync(join(tmpdir(), "svc-go-"));
    try {
      const svc = join(folder, "svc");
      go("cmd/svc", ["build", "-trimpath", "-o", svc, "."], { CGO_ENABLED: "0" });
      const command = `${svc} conformance --kernel ${kernel}`;
      const words = ["conformance/main.ts", "--command", command, "--words"];
      const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: "utf8" });
      assert.equal(status, 0, stdout + stderr);
      assert.match(stdout, /^PASSED: \d{4,} passed, 0 failed/m);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
