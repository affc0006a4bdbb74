/**
 * The Python SDK on the newest Python that is here: its slow tests, its types, and its style. `SVC_WHOLE=1` lets the
 * reference kernel, which is slow, verify every fixture and case and not a sample; `SVC_RANDOM_INPUTS=200000` sets the
 * number of random inputs.
 */
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { environment, passes, pythons, saysMissing } from "@svc/testkit/python";

const PYRIGHT = fileURLToPath(import.meta.resolve("pyright"));
const [newest] = await pythons();

if (newest === undefined) test("the Python SDK", (t) => t.skip(saysMissing()));
else {
  test("the slow tests of the Python SDK pass", async () => {
    await passes(await environment(newest), "-m", "pytest", "-m", "slow", "-p", "no:cacheprovider");
  });

  test("the Python SDK has its types and its style", async () => {
    const python = await environment(newest);
    await passes(python, "-m", "mypy", "--cache-dir", "/dev/null");
    await passes(python, "-m", "ruff", "check", "--no-cache", ".");
    await passes(python, "-m", "ruff", "format", "--check", "--no-cache", ".");
    await passes(process.execPath, PYRIGHT, "--pythonpath", python);
  });
}
