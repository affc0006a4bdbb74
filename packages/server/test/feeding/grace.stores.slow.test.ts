/** After the quorum a pack waits for cosignatures that are on their way, and no longer than the deployment says. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { loan } from "@svc/testkit/server/loan";
import { keysOf, startFed } from "./fed-deployment.ts";
import { lineOf, lines, startMaliciousServer } from "./malicious-witness.ts";

/** Resolves to a stream with a quick witness, which is the quorum, and a slow one, which answers when it is let. */
async function withSlowOne(t: TestContext, witnessGraceMs: number) {
  const { promise: isLet, resolve: letIt } = Promise.withResolvers<void>();
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
  const quick = await startMaliciousServer(
    t,
    "quick",
    lines(({ text }) => lineOf("quick", text)),
  );
  const slow = await startMaliciousServer(
    t,
    "slow",
    lines(async ({ text }) => {
      asked();
      await isLet;
      return lineOf("slow", text);
    }),
  );
  const { client, admin, streamOf } = await startFed(t, [quick, slow], { witnessGraceMs, witnessTimeoutMs: 60_000 });
  const body = { mode: "independent", threshold: 1, witnessKeys: keysOf([quick, slow]) };
  assert.equal((await admin.put("/v2/tenant/witness/policies/both", body)).status, 200);
  const stream_id = await streamOf("both");
  await client.append(stream_id, loan(1));
  const pack = async () => {
    const range = { stream_id, from_seq_no: 1, to_seq_no: 1 };
    const { status, body: bundle, text } = await client.post("/v2/audit/packs", range);
    assert.equal(status, 201, text);
    const { statements } = bundle.artifacts["witnesses.json"];
    return statements.map(({ witness_id }: { witness_id: string }) => witness_id);
  };
  return { client, stream_id, pack, isAsked, letIt };
}

test("a cosignature that is on its way comes into the pack", async (t) => {
  const { client, stream_id, pack, isAsked, letIt } = await withSlowOne(t, 30_000);
  const packing = pack();
  await isAsked;
  await client.witnessed(stream_id, 1);
  letIt();
  assert.deepEqual(await packing, ["quick", "slow"]);
});

test("without a time for it the pack is made with the quorum", async (t) => {
  const { pack, isAsked, letIt } = await withSlowOne(t, 0);
  assert.deepEqual(await pack(), ["quick"]);
  await isAsked;
  letIt();
});
