/**
 * Whole transcripts of calls, compared byte for byte with the files of a folder beside this one. UPDATE_TRANSCRIPTS=1 writes them anew; read
 * the difference before committing it.
 */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { escapeText } from "../src/render/escape.ts";
import { steady, svc } from "./svc.ts";

const isUpdate = process.env.UPDATE_TRANSCRIPTS === "1";

/** A call: its name, the exit code, the arguments. */
export type Case = readonly [name: string, code: number, args: readonly string[]];

/** A test for each call, and one that the folder holds no other transcript. */
export function testTranscripts(folderName: string, cases: readonly Case[]): void {
  const folder = fileURLToPath(new URL(folderName, import.meta.url));
  for (const [name, code, args] of cases) {
    test(`transcript ${name}`, async () => {
      const outcome = await svc(args);
      assert.equal(outcome.stderr, "");
      assert.equal(outcome.code, code);
      const lines = outcome.stdout.split("\n");
      assert.deepEqual(
        lines.filter((line) => [...line].length > 80 && !line.startsWith("    svc ")),
        [],
        "80 columns are enough, but for a command to copy",
      );
      const path = join(folder, `${name}.txt`);
      const transcript = `$ svc ${args.map(escapeText).join(" ")}\n${steady(outcome.stdout)}`;
      if (isUpdate) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(path, transcript);
      }
      assert.equal(transcript, readFileSync(path, "utf8"));
    });
  }
  test(`there is no transcript in ${folderName} without a case`, () => {
    assert.deepEqual(readdirSync(folder).sort(), cases.map(([name]) => `${name}.txt`).sort());
  });
}
