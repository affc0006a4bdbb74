/** The examples of the README are run, one after the other, against a service; each prints what its comments say. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { startTestService } from "../src/entries/testing.ts";

const MAIN_ENTRY = new URL("../src/index.ts", import.meta.url).href;
const NODE_ENTRY = new URL("../src/node/index.ts", import.meta.url).href;

test("the README's examples", async (t) => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const example = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code).join("\n");
  const expected = [...example.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, said]) => said);
  assert.equal(expected.length, 4);

  const service = await startTestService();
  const folder = mkdtempSync(join(tmpdir(), "svc-readme-"));
  t.after(async () => {
    rmSync(folder, { recursive: true });
    await service.close();
  });
  const code = example
    .replace('"@svc/sdk"', JSON.stringify(MAIN_ENTRY))
    .replace('"@svc/sdk/node"', JSON.stringify(NODE_ENTRY))
    .replace('"spool"', JSON.stringify(join(folder, "spool")))
    .replace('"http://127.0.0.1:8787"', JSON.stringify(service.baseUrl))
    .replace("process.env.SVC_API_KEY", JSON.stringify(service.apiKey));
  const { publicKeyHex, streamId } = service;
  const given = Object.entries({ publicKeyHex, streamId }).map(([name, value]) => `const ${name} = "${value}";\n`);
  const file = join(folder, "example.mts");
  // Imports come first wherever they stand.
  writeFileSync(file, `${given.join("")}${code}`);
  const printed: string[] = [];
  t.mock.method(console, "log", (...values: unknown[]) =>
    printed.push(values.map((value) => JSON.stringify(value)).join(" ")),
  );
  await import(pathToFileURL(file).href);
  assert.deepEqual(printed, expected);
});
