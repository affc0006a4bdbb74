/** The types and the style of the Python SDK, as the newest Python that is here sees them. */
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { environment, passes, pythons, saysMissing } from "@svc/testkit/python";

const PYRIGHT = fileURLToPath(import.meta.resolve("pyright"));
const [newest] = await pythons();

if (newest === undefined) test("the style of the Python SDK", (t) => t.skip(saysMissing()));
else
  test("the Python SDK has its types and its style", async () => {
    const python = await environment(newest);
    await passes(python, "-m", "mypy", "--cache-dir", "/dev/null");
    await passes(python, "-m", "ruff", "check", "--no-cache", ".");
    await passes(python, "-m", "ruff", "format", "--check", "--no-cache", ".");
    await passes(process.execPath, PYRIGHT, "--pythonpath", python);
  });
