/** The client of the Python SDK: its story with the real service, on one of the Pythons that are here. */
import { test } from "node:test";
import { pythons, saysMissing } from "@svc/testkit/python";
import { passesWith, startService } from "./service.ts";

const [command] = await pythons();

test("a client in Python records, reads, proves and queues", async (t) => {
  if (command === undefined) return t.skip(saysMissing());
  const { told } = await startService(t);
  await passesWith(command, { SVC_TEST_SERVICE: told }, "tests/service/test_story.py");
});
