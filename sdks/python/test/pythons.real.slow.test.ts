/**
 * The Python SDK's quick tests on an older Python than the newest one that is here: one in turn, by the checked out
 * commit; `SVC_EACH_PYTHON=1` takes all.
 */
import { execFileSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { environment, FOLDER, passes, pythons, saysMissing } from "@svc/testkit/python";

const [newest, ...older] = await pythons();
const turn = Number.parseInt(
  execFileSync("git", ["rev-parse", "HEAD"], { cwd: FOLDER, encoding: "utf8" }).slice(0, 8),
  16,
);
const chosen = process.env.SVC_EACH_PYTHON === "1" ? older : older.filter((_, index) => index === turn % older.length);

if (newest === undefined) test("the Python SDK", (t) => t.skip(saysMissing()));
for (const command of chosen)
  test(`the quick tests of the Python SDK pass on ${command}`, async () => {
    await passes(await environment(command), "-m", "pytest", "-m", "not slow", "-p", "no:cacheprovider");
  });
