/** Witnesses with one host: a silent one does not take the connections of the other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { testSigner } from "@svc/testkit/evidence/signer";
import { loan } from "@svc/testkit/server/loan";
import { until } from "@svc/testkit/until";
import { feedKindOf } from "../../src/feeding/fed-witness.ts";
import { kernel } from "../../src/kernel.ts";
import { keysOf, startFed } from "./fed-deployment.ts";
import { lineOf, nameOf, startMaliciousServer, status } from "./malicious-witness.ts";

/** More than the server sends to one witness at a time. */
const STREAMS = 20;

test("a silent witness holds up no other one of its host", async (t) => {
  let [isSilent, waiting] = [false, 0];
  const quick = await startMaliciousServer(t, "quick", async (request, response) => {
    if (response.req.url !== "/mute/add-checkpoint") response.end(await lineOf("quick", request.text));
    else if (isSilent) waiting += 1;
    else await status(503)(request, response);
  });
  const mute = { name: nameOf("mute"), publicKeyHex: testSigner("mute").publicKeyHex, url: `${quick.url}/mute` };
  const { client, admin, server, streamOf, stateWhen } = await startFed(t, [mute, quick], { witnessTimeoutMs: 60_000 });
  const witnessKeys = keysOf([mute, quick]);
  const body = { mode: "independent", threshold: 1, witnessKeys };
  assert.equal((await admin.put("/v2/tenant/witness/policies/both", body)).status, 200);
  const streams = await Promise.all(Array.from({ length: STREAMS }, () => streamOf("both")));
  const cosigned = async (number: number) => {
    await Promise.all(streams.map((stream) => client.append(stream, loan(number))));
    for (const stream of streams)
      await stateWhen(
        stream,
        `the quick one cosigns event ${number} of ${stream}`,
        (state) => state.witnessed_to_seq_no === number,
      );
  };
  await cosigned(1);
  // A round sends what is due when it begins, and lasts until the last answer: so that it has them all, they become due
  // together, when none is under way. A claim of one that was read before fails by the number of its attempts.
  const { database, clock } = server.service.context;
  const kind = feedKindOf(kernel, { name: mute.name, public_key_hex: mute.publicKeyHex });
  const later = new Date(clock() + 250_000).toISOString();
  await until("what the silent one has not cosigned is put off", () =>
    database.write(async (writer) => {
      const set = "UPDATE outbox SET next_attempt_at = $1, attempts = attempts + 1";
      return (await writer.run(`${set} WHERE kind = $2 AND lease_owner IS NULL`, later, kind)) === STREAMS
        ? true
        : null;
    }),
  );
  isSilent = true;
  await database.write((writer) => writer.run("UPDATE outbox SET next_attempt_at = created_at WHERE kind = $1", kind));
  await until("the silent one has all that is sent to it at a time", async () => (waiting >= 16 ? true : null));
  await cosigned(2);
});
