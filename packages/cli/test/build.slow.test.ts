/** The files beside the built one describe it: its size, its hash, and every package with code in it. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { selectKernel, VERSION } from "@svc/core";
import type { Plugin } from "esbuild";
import { buildCli } from "../build.ts";
import { FOLDER, SVC } from "./svc.ts";

/** An auditor can still attach so much to a mail and read it. */
const MAX_BYTES = 1.3 * 2 ** 20;
const bytes = readFileSync(SVC);
const sha256 = createHash("sha256").update(bytes).digest("hex");
const bom = JSON.parse(readFileSync(`${SVC}.cdx.json`, "utf8"));

test(`the built file has at most ${MAX_BYTES} bytes`, (t) => {
  t.diagnostic(`${bytes.length} bytes`);
  assert.ok(bytes.length <= MAX_BYTES, `${bytes.length}`);
});

test("its hash is beside it as sha256sum reads it", () => {
  assert.equal(readFileSync(`${SVC}.sha256`, "utf8"), `${sha256}  svc.mjs\n`);
});

test("the bill of materials names the file by its hash, and what is in it with versions, licences and hashes", () => {
  const { component } = bom.metadata;
  assert.deepEqual([bom.bomFormat, bom.specVersion], ["CycloneDX", "1.6"]);
  assert.deepEqual(
    [component.name, component.version, component.hashes],
    ["@svc/cli", VERSION, [{ alg: "SHA-256", content: sha256 }]],
  );
  const lockfile = readFileSync(new URL("../../../pnpm-lock.yaml", import.meta.url), "utf8");
  const listed = bom.components.map(({ name }: { name: string }) => name);
  assert.deepEqual(listed, [
    "@noble/ed25519",
    "@noble/hashes",
    "@svc/api",
    "@svc/core",
    "@svc/report",
    "@svc/wasm",
    "canonicalize",
    "chalk",
    "commander",
    "kernel.wasm",
  ]);
  for (const { name, version, licenses, hashes } of bom.components) {
    assert.match(licenses[0].license.id, /^(MIT|Apache-2\.0)$/, name);
    if (name === "kernel.wasm") assert.equal(hashes[0].content, selectKernel("wasm").sha256Hex);
    else if (name.startsWith("@svc/")) assert.equal(version, VERSION);
    else {
      const integrity = Buffer.from(hashes[0].content, "hex").toString("base64");
      assert.ok(lockfile.includes(`${name}@${version}`) && lockfile.includes(`integrity: sha512-${integrity}}`), name);
    }
  }
});

test("a package of which nothing is in the file is not listed, and one that comes in is", async () => {
  const extra = join(FOLDER, "bin", "extra.mjs");
  const more: Plugin = {
    name: "more",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]core[\\/]src[\\/]version\.ts$/ }, ({ path }) => ({
        loader: "ts",
        contents: `import { Type } from "typebox"; console.log(Type);${readFileSync(path, "utf8")}`,
        resolveDir: dirname(path),
      }));
    },
  };
  await buildCli(extra, [more]);
  const { components } = JSON.parse(readFileSync(`${extra}.cdx.json`, "utf8"));
  const has = (list: readonly { name: string }[]) => list.some(({ name }) => name === "typebox");
  assert.deepEqual([has(bom.components), has(components)], [false, true]);
});

test("the same sources give the same bytes", async () => {
  const again = join(FOLDER, "bin", "again.mjs");
  await buildCli(again);
  assert.deepEqual(readFileSync(again), bytes);
  const [one, other] = [bom, JSON.parse(readFileSync(`${again}.cdx.json`, "utf8"))];
  assert.deepEqual(other, one);
});
