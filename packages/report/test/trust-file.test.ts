/** A trust policy is distinguished from evidence, even if it holds evidence that its owner has from elsewhere. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@svc/core";
import { sealedStatus, VAULT } from "@svc/testkit/evidence/vaults";
import { isTrustFile } from "../src/index.ts";

test("a policy with known checkpoints and key statuses is a policy; evidence with signers added is not", async () => {
  const status = (await sealedStatus(VAULT)) as unknown as Json;
  const known = [{ stream_id: "str", window_count: 1, checkpoint_root: "00" }];
  for (const more of [{}, { known_checkpoints: known }, { key_status: [status] }, { key_status: "none" }])
    assert.equal(isTrustFile({ signers: [], ...more }), true, JSON.stringify(more));
  for (const more of [status as object, { record: { attestationKind: "none" } }, { key_status: [{ bundle_id: 1 }] }])
    assert.equal(isTrustFile({ signers: [], ...more } as Json), false, JSON.stringify(more));
});
