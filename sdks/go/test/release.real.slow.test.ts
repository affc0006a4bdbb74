/**
 * The release of `svc` in Go: a small program for each machine, the files that describe it, and the same bytes wherever
 * it is built. One machine of each system, and one of 32 bits; `SVC_EACH_TARGET=1` takes all, a minute of a processor
 * each.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { VERSION } from "@svc/core";
import { buildProgram, fileName, releaseGo, TARGETS, type Target } from "../release/build.ts";
import { release } from "../release/main.ts";
import { go, goTest } from "./toolchain.ts";

const MODULES = fileURLToPath(new URL("..", import.meta.url));
const MAX_BYTES = 10_000_000;
const HOST = `${process.platform}/${process.arch === "arm64" ? "arm64" : "amd64"}`;
const CHOSEN = [HOST, "linux/amd64", "linux/386", "darwin/arm64", "windows/arm64", "freebsd/amd64"];
const BUILT = TARGETS.filter(({ os, arch }) => process.env.SVC_EACH_TARGET === "1" || CHOSEN.includes(`${os}/${arch}`));
/** Built again from another folder. An empty cache takes minutes of a processor, so one target has it. */
const TWICE: readonly { readonly target: Target; readonly cache: "empty" | "ordinary" }[] = [
  { target: { os: "linux", arch: "386" }, cache: "empty" },
  { target: { os: "windows", arch: "arm64" }, cache: "ordinary" },
];
/** The first bytes of a program of each system, in hex. */
const MAGIC = { linux: "7f454c46", freebsd: "7f454c46", darwin: "cffaedfe", windows: "4d5a" } as const;

const folder = mkdtempSync(join(tmpdir(), "svc-go-release-"));
after(() => rmSync(folder, { recursive: true }));
const OUT = join(folder, "dist");
const sha256 = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
const bom = () => JSON.parse(readFileSync(join(OUT, `svc-${VERSION}.cdx.json`), "utf8"));

goTest(`svc is built for ${BUILT.length} machines, each program in at most ${MAX_BYTES} bytes`, async (t) => {
  assert.ok(BUILT.length >= new Set(CHOSEN).size);
  await release(OUT, BUILT, (line) => t.diagnostic(line));
  for (const target of BUILT) {
    const path = join(OUT, fileName(VERSION, target));
    const bytes = readFileSync(path);
    assert.ok(bytes.length <= MAX_BYTES, `${path}: ${bytes.length}`);
    assert.ok(bytes.toString("hex", 0, 4).startsWith(MAGIC[target.os]), path);
    const said = await releaseGo(".", ["version", "-m", path]);
    assert.match(said, new RegExp(`GOARCH=${target.arch}\\n[\\s\\S]*GOOS=${target.os}\\n`));
    assert.match(said, /CGO_ENABLED=0\n/);
    // Neither the builder's folders nor the state of the repository are in it.
    assert.doesNotMatch(said, /vcs/);
    assert.ok(!bytes.includes(MODULES) && !bytes.includes(folder), path);
  }
});

goTest("the program says the version of the repository", () => {
  const { stdout, status } = spawnSync(join(OUT, fileName(VERSION, hostTarget())), ["--version"], { encoding: "utf8" });
  assert.deepEqual([stdout, status], [`svc ${VERSION}\n`, 0]);
});

goTest("SHA256SUMS has every file of the release, as sha256sum reads it", () => {
  const files = readdirSync(OUT).filter((name) => name !== "SHA256SUMS");
  assert.equal(files.length, BUILT.length + 2);
  const lines = readFileSync(join(OUT, "SHA256SUMS"), "utf8").trimEnd().split("\n");
  assert.deepEqual(lines.sort(), files.map((name) => `${sha256(join(OUT, name))}  ${name}`).sort());
  const { status, stderr } = spawnSync("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: OUT });
  assert.equal(status, 0, `${stderr}`);
});

goTest("LICENSES.txt has the licence of each module of the bill of materials, and ours", () => {
  const texts = readFileSync(join(OUT, "LICENSES.txt"), "utf8");
  for (const { name } of bom().components.filter(({ purl }: { purl?: string }) => purl !== undefined))
    assert.ok(
      name.startsWith("svc.example/") || texts.includes(name === "std" ? "Go's standard library" : `${name} v`),
      name,
    );
  assert.match(texts, /^===\nsvc\n===\n\s+Apache License\n/);
  assert.equal(texts.match(/Redistribution and use in source and binary forms/g)?.length, 2);
  assert.equal(texts.match(/^ *Apache License\n/gm)?.length, 2);
});

goTest("the bill of materials names the programs by their hashes, and the modules in them as go.sum has them", () => {
  const { bomFormat, specVersion, metadata, components } = bom();
  assert.deepEqual([bomFormat, specVersion], ["CycloneDX", "1.6"]);
  assert.deepEqual([metadata.component.name, metadata.component.version], ["svc", VERSION]);
  for (const { name, hashes } of metadata.component.components)
    assert.deepEqual(hashes, [{ alg: "SHA-256", content: sha256(join(OUT, name)) }]);
  const names = components.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, [
    "filippo.io/edwards25519",
    "github.com/tetratelabs/wazero",
    "golang.org/x/sys",
    "std",
    "svc.example/go",
    "svc.example/go/wasmkernel",
    "kernel.wasm",
  ]);
  const sums = readFileSync(join(MODULES, "cmd/svc/go.sum"), "utf8");
  for (const { name, version, hashes, licenses } of components) {
    assert.match(licenses[0].license.id, /^(BSD-3-Clause|Apache-2\.0)$/, name);
    if (name === "std") assert.match(version, /^1\.\d+\.\d+$/);
    else if (name === "kernel.wasm") assert.equal(hashes[0].content, sha256(join(MODULES, "wasmkernel/kernel.wasm")));
    else if (name.startsWith("svc.example/")) assert.equal(version, `v${VERSION}`);
    else
      assert.ok(sums.includes(`${name} ${version} h1:${Buffer.from(hashes[0].content, "hex").toString("base64")}\n`));
  }
});

for (const { target, cache } of TWICE)
  goTest(
    `svc for ${target.os}/${target.arch} has the same bytes from another folder, and an ${cache} cache`,
    async () => {
      const copy = join(folder, "elsewhere", target.os);
      cpSync(MODULES, copy, { recursive: true, filter: (path) => !/[\\/](dist|node_modules|test)$/.test(path) });
      const before = process.env.GOCACHE;
      if (cache === "empty") process.env.GOCACHE = join(folder, "cache");
      try {
        const again = await buildProgram(copy, join(folder, "again"), VERSION, target);
        assert.equal(sha256(again), sha256(join(OUT, fileName(VERSION, target))));
      } finally {
        if (before === undefined) delete process.env.GOCACHE;
        else process.env.GOCACHE = before;
      }
    },
  );

/** Returns the machine that this test runs on. */
function hostTarget(): Target {
  const found = BUILT.find(({ os, arch }) => `${os}/${arch}` === HOST);
  return found ?? assert.fail(`no program for ${HOST}`);
}

for (const [os, arch] of [
  ["js", "wasm"],
  ["wasip1", "wasm"],
  ["plan9", "amd64"],
] as const)
  goTest(`what programs import builds for ${os}, where no file spool can be locked`, () => {
    go(".", ["build", "./..."], { GOOS: os, GOARCH: arch, CGO_ENABLED: "0" });
  });
