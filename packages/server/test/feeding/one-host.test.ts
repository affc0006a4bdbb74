/** Witnesses with one host: a silent one does not take the connections of the other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { testSigner } from "@svc/testkit/evidence/signer";
import { loan } from "@svc/testkit/server/loan";
import { until } from "@svc/testkit/until";
import { keysOf, startFed } from "./fed-deployment.ts";
import { lineOf, nameOf, startLiar, status } from "./liar.ts";

/** More than the server sends to one witness at a time. */
const STREAMS = 20;

test("a silent witness holds up no other one of its host", async (t) => {
  let [isSilent, waiting] = [false, 0];
  const quick = await startLiar(t, "quick", async (request, response) => {
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
  isSilent = true;
  const { database } = server.service.context;
  await until("the silent one has all that is sent to it at a time", async () => {
    // A request that was under way is put off only when its answer is there.
    await database.write((writer) =>
      writer.run("UPDATE outbox SET next_attempt_at = created_at WHERE done_at IS NULL"),
    );
    return waiting >= 16 ? true : null;
  });
  await cosigned(2);
});
