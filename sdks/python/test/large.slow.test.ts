/** Large bundles in one process of the Python SDK, good ones and others: the memory that they take. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { promisify } from "node:util";
import { environment, FOLDER, pythons, saysMissing } from "@svc/testkit/python";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { benchKeyHex } from "../../../bench/verify/bundle.ts";
import { writeBundleApart } from "../../../bench/verify/programs.ts";

const COUNT = 20_000;
const PROGRAM = `
import json, resource, sys
import svc
trust = svc.pin_keys(sys.argv[1])
reports = [svc.verify(path, trust=trust, kernel="wasm", jobs=2) for path in sys.argv[2:]]
said = [[report.verdict, report.problems[0].code if report.problems else None] for report in reports]
print(json.dumps([said, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024]))
`;

test("the memory for large bundles is three times the file and 150 MB, whatever is wrong with them", async (t) => {
  const [command] = await pythons();
  if (command === undefined) return t.skip(saysMissing());
  const folder = temporaryFolder();
  const [good, payload, signatures] = ["good", "payload", "signatures"].map((name) => join(folder, `${name}.json`)) as [
    string,
    string,
    string,
  ];
  await writeBundleApart(good, COUNT, "canonical");
  const text = readFileSync(good, "latin1");
  writeFileSync(
    payload,
    text.replace(/"amount":\d/, (amount) => `${amount}1`),
    "latin1",
  );
  writeFileSync(signatures, text.replaceAll(/"signature":"(?=[1-9a-f])./g, '"signature":"0'), "latin1");
  const env = { ...process.env, PYTHONPATH: join(FOLDER, "src") };
  const words = ["-c", PROGRAM, benchKeyHex(), good, payload, signatures];
  const { stdout } = await promisify(execFile)(await environment(command), words, { env });
  const [said, peak] = JSON.parse(stdout) as [[string, string | null][], number];
  assert.deepEqual(said.slice(0, 2), [
    ["verified", null],
    ["rejected", "payload_hash_mismatch"],
  ]);
  assert.equal(said[2]?.[0], "rejected");
  const limit = 3 * statSync(good).size + 150_000_000;
  t.diagnostic(`${Math.round(peak / 1e6)} of ${Math.round(limit / 1e6)} MB`);
  assert.ok(peak <= limit, `${peak} bytes`);
});
