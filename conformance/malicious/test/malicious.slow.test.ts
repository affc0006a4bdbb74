/** The cases find out every malicious verifier: at least one case tells each lie from the truth. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LIES } from "../lies.ts";
import { CASES, holdLiar } from "./malicious.ts";

for (const lie of LIES)
  test(`${lie.name} is found out: it ${lie.does}`, async () => {
    const concerned = CASES.filter((one) => lie.concerns(one));
    const { failures } = await holdLiar(lie, concerned);
    // A malicious verifier that breaks down would be found out without its lie.
    const found = failures.filter(
      ({ level, differences }) => level > 0 && !JSON.stringify(differences).includes("internal_error"),
    );
    assert.ok(found.length > 0, `none of ${concerned.length} cases tells it from the truth: one is missing`);
  });
