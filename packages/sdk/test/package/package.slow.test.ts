/**
 * The package that strangers install: its manifest is true, its types hold, and it behaves the same in every runtime.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { built } from "@svc/testkit/built";
import { HAS_CHROMIUM, launchBrowser } from "@svc/testkit/chromium";
import { findBinary, findNode, runtimeTest, TIMEOUT_MS } from "@svc/testkit/runtimes";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import type * as testing from "../../src/entries/testing.ts";
import type { Behaviour, Setting } from "./behaviour.ts";
import type { PageBehaviour } from "./entry.page.ts";
import { ARCHIVE, bundle, INSTALLED, PROJECT } from "./installed.ts";
import { startStage } from "./stage.ts";
import { startWorkerd } from "./workerd.ts";

declare const page: PageBehaviour;

const TSC = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
const manifest = JSON.parse(readFileSync(join(INSTALLED, "package.json"), "utf8"));
const { startTestService } = (await import(
  pathToFileURL(join(INSTALLED, manifest.exports["./testing"].default)).href
)) as typeof testing;
const service = await startTestService();
const stage = await startStage(service.baseUrl);
after(async () => {
  stage.close();
  await service.close();
});

test("publint finds nothing", async () => {
  const { messages } = await publint({ pkgDir: INSTALLED, strict: true, pack: false });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, manifest, { color: false })),
    [],
  );
});

test("are the types wrong? Not where modules are: there is nothing for require, and for resolvers from before exports", async () => {
  const { types, problems, entrypoints } = (await checkPackage(createPackageFromTarballData(ARCHIVE))) as never as {
    types: unknown;
    problems: { kind: string; resolutionKind?: string }[];
    entrypoints: object;
  };
  assert.deepEqual(types, { kind: "included" });
  const paths = [".", "./browser", "./client", "./node", "./package.json", "./testing", "./verify"];
  assert.deepEqual(Object.keys(entrypoints).sort(), paths);
  const ofModules = problems.filter(
    ({ resolutionKind }) => resolutionKind !== "node10" && resolutionKind !== "node16-cjs",
  );
  assert.deepEqual(ofModules, []);
  // Node can require an ES module since 20.19: the missing CommonJS is no fault of the types.
  assert.deepEqual(
    problems.filter(({ kind, resolutionKind }) => resolutionKind === "node16-cjs" && kind !== "CJSResolvesToESM"),
    [],
  );
});

test("the guide begins in an empty folder outside of the clone: its commands, and its ten lines", async () => {
  const guide = readFileSync(new URL("../../../../docs/sdk-guide.md", import.meta.url), "utf8");
  const outer = mkdtempSync(join(tmpdir(), "svc guide "));
  after(() => rmSync(outer, { recursive: true }));
  const [clone, own] = [join(outer, "svc"), join(outer, "first")];
  for (const folder of [join(clone, "packages/sdk"), own]) mkdirSync(folder, { recursive: true });
  cpSync(await built("sdk"), join(clone, "packages/sdk/dist"), { recursive: true });
  const [, commands = ""] = /```sh\n(.*?)```/s.exec(guide) ?? [];
  const [build = "", ...others] = commands.trim().split("\n");
  assert.match(build, /^\(cd \.\.\/svc && npx -y pnpm@12 build\) /, "what was built before is the package");
  const env = { ...process.env, npm_config_offline: "true", npm_config_update_notifier: "false" };
  await promisify(execFile)("sh", ["-ec", others.join("\n")], { cwd: own, env });
  const [, program = ""] = /```ts\n(import [^`]*?client\.receiptVerdict[^`]*?)```/.exec(guide) ?? [];
  writeFileSync(join(own, "program.mts"), program);
  const { baseUrl, apiKey, publicKeyHex, streamId } = service;
  const values = { SVC_URL: baseUrl, SVC_API_KEY: apiKey, SVC_PUBLIC_KEY: publicKeyHex, SVC_STREAM: streamId };
  const words = ["--disable-warning=ExperimentalWarning", "program.mts"];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: own, env: { ...env, ...values } });
  assert.equal(stdout, "1 verified\n");
});

test("a stranger's program of strict types compiles, whichever way modules are resolved", async () => {
  writeFileSync(join(PROJECT, "package.json"), '{"type":"module"}');
  writeFileSync(
    join(PROJECT, "program.ts"),
    `import { type Json, type ReceiptRecord, pinKeys, selectKernel, SvcClient, SvcError, verify, VerificationError } from "@svc/sdk";
import { SvcClient as Client } from "@svc/sdk/client";
import { startTestService, type TestService } from "@svc/sdk/testing";
import { verify as verifyFile, verifyFrom } from "@svc/sdk/verify";

const service: TestService = await startTestService();
const trust = pinKeys(selectKernel(), [service.publicKeyHex]);
const client: Client = new SvcClient({ ...service, trust });
const receipt: ReceiptRecord = await client.stream(service.streamId).append({
  source_ref: "loan-1001",
  event_type: "loan.decided",
  occurred_at: "2026-03-01T09:30:00+01:00",
  payload: { approved: true },
});
const seq: number = receipt.seq_no;
const json: readonly Json[] = [receipt, trust, verify(new Uint8Array(), { trust }).problems];
for await (const { event_hash } of client.stream(service.streamId).events()) console.log(seq, event_hash.length);
const { verdict } = await verifyFile(new Blob([JSON.stringify(receipt)]), { trust });
const sameFunction: boolean = verifyFile === verifyFrom;
const same: typeof verdict = verify(new TextEncoder().encode(JSON.stringify(receipt)), { trust }).verdict;
try {
  await client.health();
} catch (error) {
  if (error instanceof VerificationError) console.log(error.report?.problems[0]?.code);
  else if (error instanceof SvcError && error.code === "rate_limited") console.log(error.retryAfterMs, same, sameFunction, json.length);
}
// @ts-expect-error a payload is an object
await client.stream("").append({ source_ref: "", event_type: "", occurred_at: "", payload: 1 });
// @ts-expect-error no such option
new SvcClient({ ...service, trusts: trust });
`,
  );
  const options = [
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--target",
    "es2022",
    "--lib",
    "es2022,dom,dom.asynciterable,dom.iterable",
  ];
  // All declarations are checked as well, once.
  for (const resolution of [
    ["--module", "nodenext", "--moduleResolution", "nodenext"],
    ["--module", "esnext", "--moduleResolution", "bundler", "--customConditions", "workerd", "--skipLibCheck"],
  ]) {
    const run = promisify(execFile)(process.execPath, [TSC, ...options, ...resolution, "program.ts"], { cwd: PROJECT });
    await assert.doesNotReject(
      run.catch(({ stdout }) => Promise.reject(new Error(stdout))),
      resolution.join(" "),
    );
  }
});

test("types are plain: one file for each entry, without another package, and little to compute", async () => {
  const entries = ["browser", "client", "file-spool", "index", "indexed-db-spool", "testing", "verify"];
  const files = readdirSync(join(INSTALLED, "types"));
  assert.deepEqual(
    files.sort(),
    entries.map((name) => `${name}.d.ts`),
  );
  for (const file of files) {
    const text = readFileSync(join(INSTALLED, "types", file), "utf8");
    assert.doesNotMatch(text, /\bfrom "(?!\.\/index\.js")|\bimport\(|reference types/, file);
    assert.doesNotMatch(text, /[A-Za-z0-9+/]{200}/, `${file} has data in it`);
  }
  // The compiler's own counts, which are the same on each machine: for a program with the import, and for one without.
  const [plain, importing] = [await countsOf("export const n = 1;"), await countsOf('export * from "@svc/sdk";')];
  assert.ok(plain.Types > 0 && importing.Types < 1.5 * plain.Types, JSON.stringify({ plain, importing }));
  assert.ok(importing.Instantiations < 1.5 * plain.Instantiations, JSON.stringify({ plain, importing }));
});

/** Returns the compiler's counts for a program of one file, with its declarations checked, as is the default. */
async function countsOf(source: string): Promise<{ Types: number; Instantiations: number }> {
  writeFileSync(join(PROJECT, "counted.ts"), source);
  const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--extendedDiagnostics"];
  const { stdout } = await promisify(execFile)(process.execPath, [TSC, ...options, "counted.ts"], { cwd: PROJECT });
  const count = (name: string) => Number(new RegExp(`^${name}: +(\\d+)$`, "m").exec(stdout)?.[1]);
  return { Types: count("Types"), Instantiations: count("Instantiations") };
}

test("the package holds what it is for, and nothing of where it was made", () => {
  const files = readdirSync(INSTALLED, { recursive: true, encoding: "utf8" });
  assert.ok(files.includes("README.md") && files.includes("LICENSE"));
  assert.equal(manifest.version, "0.5.0");
  assert.deepEqual([manifest.dependencies, manifest.peerDependencies], [undefined, undefined]);
  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  for (const file of files.filter((name) => /\.(m?js|ts|json)$/.test(name))) {
    const text = readFileSync(join(INSTALLED, file), "utf8");
    assert.ok(!text.includes(root) && !text.includes(PROJECT), `${file} names a folder of this machine`);
    const isOfNode = file.startsWith("testing/") || file === "file-spool.js";
    if (!isOfNode) assert.doesNotMatch(text, /\b(from|import\() ?"node:/, file);
  }
});

const { apiKey, systemId, publicKeyHex } = service;
const setting: Setting = { stageUrl: stage.url, apiKey, systemId, publicKeyHex };
const EXPECTED = {
  receiptVerdict: "verified",
  chained: true,
  lost: 4,
  numbers: [1, 2, 3, 4],
  head: true,
  stored: true,
  streamed: ["verified", "bundle", 4],
  untrusted: "untrusted",
  lie: ["VerificationError", "event_hash_mismatch", null],
  refused: ["SvcError", "timezone_required", null],
  silent: ["SvcError", "no_answer", "TimeoutError"],
  aborted: ["AbortError", null, null],
  abortedLater: ["Error", "enough", null],
  elsewhere: ["SvcError", "unexpected_answer", null],
};

function assertBehaved({ runtime, kernel, answers }: Behaviour, name: RegExp, expectedKernel = "wasm"): void {
  assert.match(runtime, name);
  assert.equal(kernel, expectedKernel);
  assert.deepEqual(answers, EXPECTED);
}

const program = await bundle("process");

runtimeTest("Node, the pinned one", process.execPath, async (node) => {
  assertBehaved(await run(node, []), new RegExp(`^node ${process.versions.node}$`));
});

runtimeTest("Node 20 of this machine, the oldest that is supported", findNode(20), async (node) => {
  assertBehaved(await run(node, []), /^node 20\./);
});

runtimeTest(
  "Deno, which may reach the loopback interface and nothing else",
  findBinary("deno", "deno"),
  async (deno) => {
    const grants = [`--allow-read=${PROJECT}`, "--allow-net=127.0.0.1"];
    const options = ["--no-prompt", "--no-remote", "--no-config", "--node-modules-dir=manual"];
    assertBehaved(await run(deno, ["run", ...options, ...grants]), /^deno \d+\.\d+\.\d+$/);
  },
);

runtimeTest("Bun, which may install nothing", findBinary("bun", "bin/bun"), async (bun) => {
  assertBehaved(await run(bun, ["run", "--no-install"]), /^bun \d+\.\d+\.\d+$/);
});

const workerd = findBinary("workerd", "bin/workerd", import.meta.url);
runtimeTest("workerd, which compiles no WebAssembly at run time: the reference verifies", workerd, async (binary) => {
  const { url, stop } = await startWorkerd(binary, await bundle("worker"));
  try {
    const response = await fetch(url, { method: "POST", body: JSON.stringify(setting) });
    assert.equal(response.status, 200, await response.clone().text());
    assertBehaved((await response.json()) as Behaviour, /Cloudflare-Workers/, "reference");
  } finally {
    await stop();
  }
});

const browser = HAS_CHROMIUM ? await launchBrowser(PROJECT) : null;
after(() => browser?.close());
runtimeTest("a page, whose main entry has no client for it and says why", browser, async (running) => {
  stage.put(
    "/",
    "text/html",
    '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="page.js"></script>',
  );
  stage.put("/page.js", "text/javascript", readFileSync(await bundle("page")));
  const tab = await running.newPage();
  await tab.goto(stage.url);
  assertBehaved(await tab.evaluate((given) => page.behave(given), setting), /Chrome\/\d+/);
  assert.match(
    await tab.evaluate(() => page.refusal()),
    /^TypeError: A system key does not belong into a page: .* @svc\/sdk\/client\.$/,
  );
  await tab.close();
});

async function run(runtime: string, args: readonly string[]): Promise<Behaviour> {
  const { stdout } = await promisify(execFile)(runtime, [...args, program, JSON.stringify(setting)], {
    cwd: PROJECT,
    // The runtime gets no more of the environment than it needs, and its files do not stay.
    env: { PATH: process.env.PATH, HOME: PROJECT, DENO_DIR: PROJECT, DENO_NO_UPDATE_CHECK: "1" },
    maxBuffer: 2 ** 26,
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  assert.match(stdout, /^[^\n]+\n$/, "one line");
  return JSON.parse(stdout) as Behaviour;
}
