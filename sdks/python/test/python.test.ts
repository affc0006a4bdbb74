/** The Python SDK: its quick tests, on one of the Pythons that are here. */
import { test } from "node:test";
import { environment, passes, pythons, saysMissing } from "@svc/testkit/python";

const [command] = await pythons();

test("the Python SDK gives the reports of the fixtures, and answers as its page says", async (t) => {
  if (command === undefined) t.skip(saysMissing());
  else await passes(await environment(command), "-m", "pytest", "-m", "not slow", "-p", "no:cacheprovider");
});
