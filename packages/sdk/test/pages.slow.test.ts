/**
 * The compiler checks every example of the SDK's pages, and Node runs it unchanged, as a separate program, against a
 * service; it prints what its comments say. The programs of a page share a folder, and those of a section a stream.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { startTestService } from "../src/entries/testing.ts";
import { SvcClient } from "../src/index.ts";
import { programsOf } from "./example-programs.ts";
import { compilerErrors, programFolder, ROOT } from "./program-folder.ts";

/** A port that `fetch` never connects to (Fetch Standard, "bad port"). */
const NOBODY = "http://127.0.0.1:1";
const PROGRAM_ENDS_WITHIN_MS = 60_000;

const run = promisify(execFile);

const folder = programFolder();
const pages = ["packages/sdk/README.md", "docs/sdk-guide.md", "docs/append-queue.md"].map((path) => {
  const programs = programsOf(readFileSync(join(ROOT, path), "utf8"));
  const own = join(folder, basename(path, ".md"));
  mkdirSync(own);
  for (const { fileName, code } of programs) writeFileSync(join(own, fileName), code);
  return { path, programs, folder: own };
});

test("a block that would not be run is refused", () => {
  const block = (info: string) => `\`\`\`${info}\nconsole.log(1); // 1\n\`\`\`\n`;
  const [first, second, ...others] = programsOf(`${block("ts")}${block("ts")}\n## Away\n${block("ts offline")}`);
  assert.deepEqual([first?.prints, second?.prints, others], [["1", "1"], ["1"], []]);
  assert.deepEqual([first?.isOffline, second?.isOffline, second?.fileName], [false, true, "away.ts"]);
  assert.deepEqual(programsOf(`## Installing it\n${block("sh")}`), []);
  for (const info of ["", "js", "sh", "ts skip", "typescript"])
    assert.throws(() => programsOf(block(info)), /a block that nothing runs/);
  assert.throws(() => programsOf(`~~~js\n~~~`), /a block that nothing runs/);
  assert.throws(() => programsOf("```ts\n1;"), /ends within a block/);
  assert.throws(() => programsOf(`## A\n${block("ts")}## A\n${block("ts")}`), /two programs have one name/);
});

test("the examples compile", async () => {
  assert.equal(await compilerErrors(folder), "");
});

for (const page of pages) {
  test(`the examples of ${page.path}`, async (t) => {
    assert.ok(page.programs.some(({ prints }) => prints.length > 0));
    const service = await startTestService();
    t.after(() => service.close());
    const client = new SvcClient(service);
    const streams = new Map<string, string>();
    for (const { section, fileName, isOffline, prints } of page.programs) {
      if (!streams.has(section)) {
        const input = { system_id: service.systemId, use_case: section || "examples", policy_id: "default" };
        streams.set(section, (await client.createStream(input)).stream_id);
      }
      const env = {
        SVC_URL: isOffline ? NOBODY : service.baseUrl,
        SVC_API_KEY: service.apiKey,
        SVC_ERASE_KEY: service.eraseKey,
        SVC_PUBLIC_KEY: service.publicKeyHex,
        SVC_STREAM: streams.get(section),
      };
      await t.test(`${fileName}${isOffline ? ", offline" : ""}`, async () => {
        const isTest = fileName.endsWith(".test.ts");
        const words = isTest ? ["--test", fileName] : [fileName];
        const options = { cwd: page.folder, env, timeout: PROGRAM_ENDS_WITHIN_MS };
        const { stdout } = await run(process.execPath, words, options);
        // The test runner prints its own lines: it ends with an error if a test fails.
        if (!isTest) assert.deepEqual(stdout.split("\n").slice(0, -1), prints);
      });
    }
  });
}
