/**
 * Every function of the SDK shows its use. The compiler checks each example and Node runs it: it prints what its
 * comments say. Examples of core's own functions run too.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
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
const folder = programFolder();
symlinkSync(join(ROOT, "packages/core"), join(folder, "node_modules/@svc/core"));
/** The values of core that examples use and the SDK does not export. */
const ofCoreAlone = Object.keys(core).filter(
  (name) => !(name in sdk) && examples.some(({ code }) => new RegExp(`\\b${name}\\(`).test(code)),
);

/** One program of all examples: each gets a stream with three events, a pack of these, and an event of the log. */
const program = `import { readFile, writeFile } from "node:fs/promises";
import { format } from "node:util";
import { FileSpool } from "@svc/sdk/node";
import { startTestService } from "@svc/sdk/testing";
import type { Bundle } from "@svc/sdk";
import { ${Object.keys(sdk).join(", ")} } from "@svc/sdk";
import { ${ofCoreAlone.join(", ")} } from "@svc/core";

const service = await startTestService();
const trust = pinKeys(selectKernel(), [service.publicKeyHex]);
const client = new SvcClient({ ...service, trust });
const system_id = service.systemId;
const event = {
  source_ref: "loan-1001",
  event_type: "loan.decided",
  occurred_at: "2026-03-01T09:30:00+01:00",
  payload: { amount: 12500, approved: true },
};
const print = console.log;

async function given() {
  const { stream_id } = await client.createStream({ system_id, use_case: "examples", policy_id: "default" });
  const stream = client.stream(stream_id);
  const [receipt] = await stream.appendBatch([event, event, event]);
  if (receipt === undefined) throw new Error("no receipt");
  const { occurred_at, payload, source_ref } = event;
  const logged = await client.log.append({ type: "loan.decided", status: "approved", occurred_at, source_ref, payload });
  const pack = await client.auditPackBytes({ stream_id, from_seq_no: 1, to_seq_no: 3 });
  const bundle: Bundle = JSON.parse(new TextDecoder().decode(pack));
  Object.assign(process.env, {
    SVC_URL: service.baseUrl,
    SVC_API_KEY: service.apiKey,
    SVC_PUBLIC_KEY: service.publicKeyHex,
    SVC_STREAM: stream_id,
  });
  return { stream, receipt, pack, bundle, logged };
}

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
  const { stream, receipt, pack, bundle, logged } = await given();
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

test("every function and every method of the client has an example", () => {
  const all = { ...sdk, ...testing } as Readonly<Record<string, unknown>>;
  const functions = Object.keys(all).filter(
    (name) => typeof all[name] === "function" && !/^class\b/.test(`${all[name]}`),
  );
  assert.ok(functions.length > 20, functions.join());
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
