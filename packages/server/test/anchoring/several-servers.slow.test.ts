/** Two servers on one database, and one key: one of them anchors at a time, and each epoch is anchored once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RICH_ADDRESS } from "@svc/testkit/chain";
import { newServerPlace, ON_NAMED } from "@svc/testkit/drivers";
import { anchored, contractOnChain, environmentFor, writtenEpochs } from "@svc/testkit/server/anchored";
import { loan } from "@svc/testkit/server/loan";
import { deploymentOn, serverOf } from "../postgres/several-servers.ts";

test("two servers anchor each epoch once, and one goes on where the other has ended", ON_NAMED, async (t) => {
  const on = await contractOnChain(t);
  const { url } = await newServerPlace(t);
  const made = await deploymentOn(url);
  const servers = await Promise.all([0, 1].map(() => serverOf(t, made, url, environmentFor(on))));
  const [one, other] = servers;
  assert.ok(one !== undefined && other !== undefined);
  let event = 0;
  const round = async ({ client }: typeof one) => {
    event += 1;
    await client.append(made.stream_id, loan(event), `event-${event}`);
    await client.witnessed(made.stream_id, event);
    await anchored(client, on.chain, made.stream_id);
  };
  for (const server of [one, other, one]) await round(server);
  await Promise.all(one.server.service.jobs.map((job) => job.stop()));
  await round(other);
  const epochs = await writtenEpochs(on);
  assert.ok(epochs.length >= event);
  assert.equal(new Set(epochs).size, epochs.length, `${epochs}`);
  // The contract took the first number of the key.
  assert.equal(Number(await on.chain.call("eth_getTransactionCount", RICH_ADDRESS, "latest")), 1 + epochs.length);
});
