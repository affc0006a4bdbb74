/**
 * The Python SDK: its quick tests on each Python that is here, all tests on the newest one, its types, and its style.
 * `SVC_WHOLE=1` lets the reference kernel, which is slow, verify every fixture and case and not a sample;
 * `SVC_RANDOM_INPUTS=200000` sets the number of random inputs.
 */
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { environment, passes, pythons, saysMissing } from "@svc/testkit/python";

const PYRIGHT = fileURLToPath(import.meta.resolve("pyright"));
const commands = await pythons();

if (commands.length === 0) test("the Python SDK", (t) => t.skip(saysMissing()));

for (const [index, command] of commands.entries())
  test(`the tests of the Python SDK pass on ${command}`, async () => {
    const part = index === 0 ? [] : ["-m", "not slow"];
    await passes(await environment(command), "-m", "pytest", ...part, "-p", "no:cacheprovider");
  });

const [newest] = commands;
if (newest !== undefined)
  test("the Python SDK has its types and its style", async () => {
    const python = await environment(newest);
    await passes(python, "-m", "mypy", "--cache-dir", "/dev/null");
    await passes(python, "-m", "ruff", "check", "--no-cache", ".");
    await passes(python, "-m", "ruff", "format", "--check", "--no-cache", ".");
    await passes(process.execPath, PYRIGHT, "--pythonpath", python);
  });
