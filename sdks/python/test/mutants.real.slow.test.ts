/** Mutants of evidence, as it is and sealed again: the Python SDK and core give the same report on each. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { built } from "@svc/testkit/built";
import { environment, passes, pythons, saysMissing } from "@svc/testkit/python";

const PINNED = new URL("../../../tools/pinned-node.mjs", import.meta.url).href;
const SEALED = fileURLToPath(new URL("../../../conformance/sealed/main.ts", import.meta.url));
const KIT = fileURLToPath(new URL("../../../conformance/main.ts", import.meta.url));
/** As many mutants as are tried in CI, of evidence as it is and sealed again. */
const MUTANTS = process.env.SVC_PYTHON_MUTANTS ?? "20000";
const COUNT = process.env.SVC_PYTHON_SEALED ?? "2000";
const SEED = process.env.SVC_PYTHON_SEED ?? "31";
const [newest] = await pythons();

if (newest === undefined) test("the Python SDK", (t) => t.skip(saysMissing()));
else {
  test(`of ${MUTANTS} mutants core gives the same report`, async (t) => {
    const command = `${await environment(newest)} -m svc conformance --kernel wasm`;
    const against = `${process.execPath} ${join(await built("cli"), "svc.mjs")} conformance`;
    const words = ["--command", command, "--mutants", MUTANTS, "--seed", SEED, "--against", against];
    const found = mkdtempSync(join(tmpdir(), "svc-python-"));
    t.after(() => rmSync(found, { recursive: true }));
    await passes(process.execPath, "--import", PINNED, KIT, ...words, "--write", found);
  });

  test(`of ${COUNT} mutants that are sealed again core gives the same report`, async () => {
    const command = `${await environment(newest)} -m svc conformance --kernel wasm`;
    await passes(process.execPath, "--import", PINNED, SEALED, "--count", COUNT, "--seed", SEED, "--command", command);
  });
}
