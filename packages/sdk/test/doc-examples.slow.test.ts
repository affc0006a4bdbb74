/**
 * Every public function of core and of the SDK shows its use. The compiler checks each example and Node runs it: it
 * prints what its comments say.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import * as core from "@svc/core";
import * as testing from "../src/entries/testing.ts";
import * as sdk from "../src/index.ts";
import { AppendQueue } from "../src/queue/append-queue.ts";
import { docExamples } from "./doc-examples.ts";
import { compilerErrors, programFolder, ROOT } from "./program-folder.ts";

const examples = ["packages/core/src", "packages/sdk/src"].flatMap((folder) => docExamples(join(ROOT, folder)));
const OBJECTS = join(ROOT, "packages/sdk/test/example-objects.ts");
const GIVEN =
  "stream, receipt, pack, bundle, logged, records, window, checkpoint, witnessPolicy, anchor, input, portable";
const VAULTS = join(ROOT, "packages/sdk/test/example-vaults.ts");
/** The objects of vaults that examples use. */
const OF_VAULTS = [...readFileSync(VAULTS, "utf8").matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
const folder = programFolder();
symlinkSync(join(ROOT, "packages/core"), join(folder, "node_modules/@svc/core"));
/** The values of core that examples use and the SDK does not export. */
const ofCoreAlone = Object.keys(core).filter(
  (name) => !(name in sdk) && examples.some(({ code }) => new RegExp(`\\b${name}\\b`).test(code)),
);

/** One program of all examples. Each gets the objects of example-objects.ts, with its own stream. */
const program = `import { readFile, writeFile } from "node:fs/promises";
import { format } from "node:util";
import { FileSpool } from "@svc/sdk/node";
import { startTestService } from "@svc/sdk/testing";
import type { Helper, SignatureHex } from "@svc/core";
import { ${Object.keys(sdk).join(", ")} } from "@svc/sdk";
import { ${ofCoreAlone.join(", ")} } from "@svc/core";
import { archive, client, event, given, kernel, place, service, signer, system_id, trust } from "${OBJECTS}";
import { ${OF_VAULTS.join(", ")} } from "${VAULTS}";

const print = console.log;

async function run(name: string, example: () => Promise<void>) {
  const lines: string[] = [];
  console.log = (...words: unknown[]) => void lines.push(format(...words));
  await example();
  print(JSON.stringify([name, lines]));
}
${examples
  .map(
    ({ name, code }) => `
await run(${JSON.stringify(name)}, async () => {
  const { ${GIVEN} } = await given();
  {
${code}
  }
});
`,
  )
  .join("")}
await service.close();
`;
writeFileSync(join(folder, "examples.ts"), program);

test("every function, and every method of the client, has an example", () => {
  const all = { ...core, ...sdk, ...testing } as Readonly<Record<string, unknown>>;
  const functions = Object.keys(all).filter(
    (name) => typeof all[name] === "function" && !/^class\b/.test(`${all[name]}`),
  );
  assert.ok(functions.length > 90, functions.join());
  const classes = [sdk.SvcClient, sdk.StreamClient, sdk.EventLogClient, sdk.ExportsClient, AppendQueue];
  const methods = classes.flatMap(({ name, prototype }) => methodsOf(prototype).map((method) => `${name}.${method}`));
  assert.ok(methods.length > 35, methods.join());
  const named = new Set(examples.map(({ name }) => name));
  const missing = [...functions, ...methods, "SvcClient", "SvcError", "List"].filter((name) => !named.has(name));
  assert.deepEqual(missing, []);
});

function methodsOf(prototype: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([name, { value }]) => name !== "constructor" && typeof value === "function")
    .map(([name]) => name);
}

test("the examples compile", async () => {
  assert.equal(await compilerErrors(folder), "");
});

test("the examples print what they say", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["examples.ts"], { cwd: folder });
  const printed = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    printed,
    examples.map(({ name, prints }) => [name, prints]),
  );
});
