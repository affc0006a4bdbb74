/** The Python SDK: all of its tests on each Python that is here, its types, and its style. */
import { test } from "node:test";
import { environment, passes, pythons, saysMissing } from "./environment.ts";

const commands = await pythons();

if (commands.length === 0) test("the Python SDK", (t) => t.skip(saysMissing()));

for (const command of commands)
  test(`all tests of the Python SDK pass on ${command}`, async () => {
    await passes(await environment(command), "-m", "pytest", "-p", "no:cacheprovider");
  });

const [newest] = commands;
if (newest !== undefined)
  test("the Python SDK has its types and its style", async () => {
    const python = await environment(newest);
    await passes(python, "-m", "mypy", "--cache-dir", "/dev/null");
    await passes(python, "-m", "ruff", "check", "--no-cache", ".");
    await passes(python, "-m", "ruff", "format", "--check", "--no-cache", ".");
  });
