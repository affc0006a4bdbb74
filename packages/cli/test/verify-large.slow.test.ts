/** Several threads check a large bundle: the report is the same, and there is a report even if a thread ends. */
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tooLongBundle } from "@svc/testkit/evidence/bad-vaults";
import { bundleOf, issueStream } from "@svc/testkit/evidence/service";
import { LARGE_BYTES } from "../src/verify/many/check.ts";
import { changed, FOLDER, PIN, put, receipt, svc } from "./svc.ts";

const large = await bundleOf(await issueStream(9500, { perWindow: 1000, perCheckpoint: 4 }));
put("large.json", large);
put(
  "damaged.json",
  changed(large, ({ artifacts }) => {
    artifacts["receipts.json"][9000].source_ref = "another";
  }),
);
const ends = put(
  "ends.mjs",
  `import { writeSync } from "node:fs";
   import { isMainThread, parentPort } from "node:worker_threads";
   if (!isMainThread) parentPort.once("message", () => { writeSync(2, "ended\\n"); process.exit(0); });`,
);

test("the files are large", () => {
  for (const file of ["large.json", "damaged.json"]) assert.ok(statSync(join(FOLDER, file)).size >= LARGE_BYTES);
});

test("however many threads there are, and whatever becomes of them, the report is the same", async () => {
  for (const [file, code] of [
    ["large.json", 0],
    ["damaged.json", 1],
  ] as const) {
    const expected = await svc(["verify", file, "--json", "--jobs", "1", ...PIN]);
    assert.deepEqual([expected.stderr, expected.code], ["", code]);
    assert.deepEqual(await svc(["verify", file, "--json", "--jobs", "3", ...PIN]), expected);
    const ended = await svc(["verify", file, "--json", "--jobs", "2", ...PIN], {
      env: { NODE_OPTIONS: `--import=./${ends}` },
    });
    assert.deepEqual(ended, { ...expected, stderr: "ended\n" });
  }
});

test("a bundle of envelopes of 256 MiB + 1 is rejected, as a file and on standard input", async () => {
  const bytes = await tooLongBundle();
  put("long.json", bytes);
  for (const [file, stdin] of [
    ["long.json", ""],
    ["-", bytes],
  ] as const) {
    const { stdout, stderr, code } = await svc(["bundles", "provenance-verify", file, "--json", ...PIN], { stdin });
    assert.deepEqual([stderr, code], ["", 1]);
    const { verdict, problems } = JSON.parse(stdout);
    assert.deepEqual(
      [verdict, problems.map((one: { code: string }) => one.code)],
      ["rejected", ["unsupported_object"]],
    );
  }
});

test("among few files too, each large one is checked by several threads", async () => {
  put("small.json", receipt);
  const args = ["verify", "large.json", "small.json", "damaged.json", "--json", ...PIN];
  const expected = await svc([...args, "--jobs", "1"]);
  assert.equal(expected.stdout.trimEnd().split("\n").length, 3);
  assert.deepEqual(await svc([...args, "--jobs", "2"]), expected);
  assert.deepEqual(await svc(args), expected);
});
