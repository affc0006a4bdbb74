/** The fuzz targets of the Go SDK, a few seconds each. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { folderOf } from "./service.ts";
import { go, goTest, succeed } from "./toolchain.ts";

/** The path of the module in this SDK's folder; every other package's path follows its folder. */
const MODULE = "svc.example/go";
const FUZZ_TIME = "10s";

for (const module of [".", "wasmkernel"]) {
  goTest(`no fuzz target of ${module} finds anything in ${FUZZ_TIME}`, (t) => {
    const program = join(folderOf(t), "fuzz.test");
    const found = join(go(module, ["env", "GOCACHE"]).trim(), "fuzz");
    // The names of targets are before the line of their package.
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
