/** The environments of the Pythons: two that want the same one at the same time both get it. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { environment, pythons, saysMissing } from "../src/python.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

test("an environment that two make at once is there once", async (t) => {
  const [command] = await pythons();
  if (command === undefined) return t.skip(saysMissing());
  const folder = temporaryFolder();
  const lock = join(folder, "requirements.lock");
  writeFileSync(lock, `# Nothing is required for ${folder}.\n`);
  const [python, same] = await Promise.all([environment(command, lock), environment(command, lock)]);
  const own = dirname(dirname(python));
  t.after(() => rmSync(own, { recursive: true, force: true }));
  assert.equal(python, same);
  assert.ok(existsSync(python));
  assert.deepEqual(
    readdirSync(dirname(own)).filter((name) => name.startsWith(basename(own))),
    [basename(own)],
  );
});
