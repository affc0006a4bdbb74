/** The adapter of the API, on every case of `verify`. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { serverProgram } from "@svc/testkit/built";
import { caseFiles } from "../../case-set/case-set.ts";
import { allCases } from "../../test/cases.ts";
import { startTestKeyServer } from "../test-key-server.ts";
import { holdApi } from "./api.ts";

const server = await startTestKeyServer(await serverProgram(), { SVC_ADDRESS_REQUESTS_PER_SECOND: "0" });
after(() => server.stop());

test("the server gives the right report wherever its route can say the case", async () => {
  const cases = allCases(caseFiles()).filter(({ request }) => request.op === "verify");
  const { passed, failed, unsupported } = await holdApi(server.url, cases);
  assert.deepEqual(failed, []);
  assert.equal(passed.length + unsupported.length, cases.length);
  assert.ok(passed.length > 350, `only ${passed.length} of ${cases.length}`);
});
