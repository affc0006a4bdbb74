/**
 * The earliest time at which a cosignature counts is one for the feeder and for verifiers: what is kept and does not
 * count would reject all evidence with it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type PublicKeyHex, pinKeys, verify } from "@svc/core";
import { loan } from "@svc/testkit/server/loan";
import { kernel } from "../../src/kernel.ts";
import { keysOf, startFed } from "./fed-deployment.ts";
import { lineOf, lines, startMaliciousServer } from "./malicious-witness.ts";

const EARLY_S = 300;

test("a cosignature of the earliest whole second counts, and one of a second before is kept nowhere", async (t) => {
  const { promise: isKnown, resolve: know } = Promise.withResolvers<void>();
  let at = 0;
  const good = await startMaliciousServer(
    t,
    "good",
    lines(({ text }) => lineOf("good", text)),
  );
  const edge = await startMaliciousServer(
    t,
    "edge",
    lines(async ({ text }) => {
      await isKnown;
      return lineOf("edge", text, at);
    }),
  );
  const { client, admin, made, server, streamOf, stateWhen } = await startFed(t, [good, edge]);
  const witnessKeys = keysOf([good, edge]).map((key) => ({ ...key, valid_from: "2020-01-01T00:00:00.000Z" }));
  const declared = await admin.put("/v2/tenant/witness/policies/edges", {
    mode: "independent",
    threshold: 1,
    witnessKeys,
  });
  assert.equal(declared.status, 200, declared.text);
  const stream_id = await streamOf("edges");
  await client.append(stream_id, loan(1));
  const { latest_checkpoint_id } = await client.witnessed(stream_id, 1);
  const { created_at } = (await client.get(`/v2/checkpoints/${latest_checkpoint_id}`)).body;
  const earliest = Math.ceil(Date.parse(created_at) / 1000) - EARLY_S;
  const trust = {
    ...pinKeys(kernel, [made.public_key_hex as PublicKeyHex]),
    witnesses: [good, edge].map(({ name, publicKeyHex }) => ({ name, public_key_hex: publicKeyHex })),
  };
  const stateOfEdge = async (name: string) => {
    const isIt = (one: { witness_id: string; state: string }) => one.witness_id === "edge" && one.state !== "waiting";
    const { witnesses } = await stateWhen(stream_id, name, (state) => state.witnesses.some(isIt));
    const { state, problem } = witnesses.find(isIt);
    const { body: bundle, text } = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 1 });
    const { verdict, problems } = verify(kernel.canonicalize(bundle), { kind: "bundle", trust, kernel });
    assert.equal(verdict, "verified", `${name}: ${problems[0]?.code} ${text.slice(0, 200)}`);
    return [state, problem?.code];
  };
  at = earliest - 1;
  know();
  assert.deepEqual(await stateOfEdge("a second before"), ["failing", "cosignature_time_wrong"]);
  at = earliest;
  const { database } = server.service.context;
  await database.write((writer) =>
    writer.run("UPDATE outbox SET next_attempt_at = created_at, last_error = NULL WHERE done_at IS NULL"),
  );
  assert.deepEqual(await stateOfEdge("the earliest second"), ["cosigned", undefined]);
});
