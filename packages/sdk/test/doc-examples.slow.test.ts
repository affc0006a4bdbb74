/** Every function of the SDK shows how it is used, and each such example is checked by the compiler and run: it prints what its comments say. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import * as testing from "../src/entries/testing.ts";
import * as sdk from "../src/index.ts";
import { docExamples } from "./doc-examples.ts";
import { compilerErrors, programFolder, ROOT } from "./program-folder.ts";

const examples = ["packages/core/src", "packages/sdk/src"].flatMap((folder) => docExamples(join(ROOT, folder)));
const folder = programFolder();

/** One program of all examples: each gets a stream with three events, and a pack of these. */
const program = `import { readFile, writeFile } from "node:fs/promises";
import { format } from "node:util";
import { FileSpool } from "@svc/sdk/node";
import { startTestService } from "@svc/sdk/testing";
import type { Bundle } from "@svc/sdk";
import { ${Object.keys(sdk).join(", ")} } from "@svc/sdk";

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
  const pack = await client.auditPackBytes({ stream_id, from_seq_no: 1, to_seq_no: 3 });
  const bundle: Bundle = JSON.parse(new TextDecoder().decode(pack));
  Object.assign(process.env, {
    SVC_URL: service.baseUrl,
    SVC_API_KEY: service.apiKey,
    SVC_PUBLIC_KEY: service.publicKeyHex,
    SVC_STREAM: stream_id,
  });
  return { stream, receipt, pack, bundle };
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
  const { stream, receipt, pack, bundle } = await given();
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

test("every function has an example, and so have the ways in", () => {
  const all = { ...sdk, ...testing } as Readonly<Record<string, unknown>>;
  const functions = Object.keys(all).filter(
    (name) => typeof all[name] === "function" && !/^class\b/.test(`${all[name]}`),
  );
  assert.ok(functions.length > 20, functions.join());
  const ways = ["append", "appendBatch", "appendLater", "openQueue", "events", "head"].map(
    (name) => `StreamClient.${name}`,
  );
  const named = new Set(examples.map(({ name }) => name));
  const missing = [...functions, ...ways, "SvcClient", "EventLogClient.append"].filter((name) => !named.has(name));
  assert.deepEqual(missing, []);
});

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
