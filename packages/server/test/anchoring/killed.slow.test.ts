/** A server that is killed at each step of anchoring: every epoch is anchored, and none twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RICH_ADDRESS } from "@svc/testkit/chain";
import { anchored, contractOnChain, environmentFor, writtenEpochs } from "@svc/testkit/server/anchored";
import { startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { openDeployment } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";

const CHAOS = new URL("../../../../tools/chaos/hook.mjs", import.meta.url).href;
const STEPS = ["stored", "sent", "mined", "evidence collected", "confirmed"];

test("kill -9 at any step of anchoring: each epoch is in the contract once, by one transaction", async (t) => {
  const on = await contractOnChain(t);
  const { chain } = on;
  const { made } = await openDeployment(t);
  const settings = environmentFor(on);
  let number = 0;
  for (const step of STEPS) {
    const failpoint = `anchoring: ${step}`;
    const killed = await startChild(t, made.data_folder, {
      ...settings,
      SVC_CHAOS: JSON.stringify({ kill: { failpoint, nth: 1 } }),
      NODE_OPTIONS: `--import ${CHAOS}`,
    });
    number += 1;
    await new Client(killed.url, made.api_key ?? "").append(made.stream_id, loan(number), `event-${number}`);
    let end: { readonly code: number | null } | null = null;
    void killed.ended.then((code) => {
      end = { code };
    });
    const died = until(`the server is killed at ${failpoint}`, async () => {
      await chain.mine(1);
      return end;
    });
    assert.deepEqual(await died, { code: null });
    const server = await startChild(t, made.data_folder, settings);
    const client = new Client(server.url, made.api_key ?? "");
    await client.witnessed(made.stream_id, number);
    const anchor = await anchored(client, chain, made.stream_id);
    const epochs = await writtenEpochs(on);
    assert.equal(epochs.at(-1), anchor.epoch_no);
    assert.equal(new Set(epochs).size, epochs.length, `${failpoint}: ${epochs}`);
    // The contract took the first number of the key; nothing else was sent than the epochs.
    const sent = Number(await chain.call("eth_getTransactionCount", RICH_ADDRESS, "latest"));
    assert.equal(sent, 1 + epochs.length, failpoint);
    assert.equal(await server.end("SIGTERM"), 0);
  }
});
