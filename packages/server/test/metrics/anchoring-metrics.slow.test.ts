/** The counters of anchoring in a real process, where it is done on another thread than that which counts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anchored, contractOnChain, environmentFor } from "@svc/testkit/server/anchored";
import { startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { openDeployment } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { nodeBetween } from "../anchoring/node-between.ts";

const TOKEN = "a-token-of-the-metrics";

test("faults and steps of anchoring are counted in a real process, so that their alerts can fire", async (t) => {
  const on = await contractOnChain(t);
  const node = await nodeBetween(t, on.chain.url);
  const { made } = await openDeployment(t);
  const { url } = await startChild(t, made.data_folder, {
    ...environmentFor(on),
    SVC_ANCHOR_RPC: node.url,
    SVC_METRICS_TOKEN: TOKEN,
  });
  const client = new Client(url, made.api_key ?? "");
  const samples = async () => (await client.get("/metrics", { authorization: `Bearer ${TOKEN}` })).text;
  const counted = (sample: string) =>
    until(sample, async () => ((await samples()).includes(`${sample} `) ? true : null));

  node.change = (_call, response) => {
    response.statusCode = 500;
    response.end();
    return null;
  };
  await client.append(made.stream_id, loan(1));
  await counted('svc_anchor_faults_total{code="answer_malformed"}');
  assert.match(await samples(), /^svc_anchor_failing 1$/m);

  node.change = () => undefined;
  await anchored(client, on.chain, made.stream_id);
  for (const step of ["sent", "mined", "confirmed"]) await counted(`svc_anchor_steps_total{step="${step}"}`);
  assert.match(await samples(), /^svc_anchor_failing 0$/m);
});
