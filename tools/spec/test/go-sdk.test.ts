/** Checks of the Go modules: a wrong version and a requirement without its reason are named until they are mended. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { copyFaults } from "../../../packages/wasm/toolchain/go-copy.ts";
import { moduleFaults } from "../../go-sdk.ts";

const root = mkdtempSync(join(tmpdir(), "svc-go-sdk-"));
after(() => rmSync(root, { recursive: true }));

const MODULE = `module svc.example/go/cmd/svc

go 1.26

require svc.example/go v0.4.0

// Runs the compiled kernel.
require example.com/reasoned v1.2.3

require example.com/bare v1.0.0
`;

test("a module of another version and a requirement without a reason are named; writing mends the version alone", () => {
  mkdirSync(join(root, "sdks/go/cmd/svc"), { recursive: true });
  const path = join(root, "sdks/go/cmd/svc/go.mod");
  writeFileSync(path, MODULE);
  const bare = "sdks/go/cmd/svc/go.mod: give a reason for the requirement example.com/bare in the line above it";
  assert.deepEqual(moduleFaults(root, "0.5.0", false), [
    "sdks/go/cmd/svc/go.mod: requires require svc.example/go v0.4.0 and not v0.5.0; run this with --write",
    bare,
  ]);
  assert.deepEqual(moduleFaults(root, "0.5.0", true), [bare]);
  assert.equal(readFileSync(path, "utf8"), MODULE.replace("v0.4.0", "v0.5.0"));
});

test("a copy of the kernel that is missing or other bytes is named", () => {
  const folder = join(root, "wasmkernel");
  mkdirSync(folder);
  const kernel = Buffer.from("kernel");
  assert.equal(copyFaults(folder, kernel).length, 2);
  writeFileSync(join(folder, "kernel.wasm"), kernel);
  assert.deepEqual(copyFaults(folder, kernel), [
    "sdks/go/wasmkernel/sha256_gen.go: not what packages/wasm/kernel.wasm gives; run `pnpm kernel:build`",
  ]);
  writeFileSync(join(folder, "sha256_gen.go"), "");
  assert.equal(copyFaults(folder, kernel).length, 1);
  assert.equal(copyFaults(folder, Buffer.from("another kernel")).length, 2);
});
