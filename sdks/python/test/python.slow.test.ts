/**
 * The slow tests of the Python SDK on the newest Python that is here. `SVC_WHOLE=1` lets the reference kernel, which is
 * slow, verify every fixture and case and not a sample; `SVC_RANDOM_INPUTS=200000` sets the number of random inputs.
 */
import { test } from "node:test";
import { environment, passes, pythons, saysMissing } from "@svc/testkit/python";

const [newest] = await pythons();

if (newest === undefined) test("the Python SDK", (t) => t.skip(saysMissing()));
else
  test("the slow tests of the Python SDK pass", async () => {
    await passes(await environment(newest), "-m", "pytest", "-m", "slow", "-p", "no:cacheprovider");
  });
