/** The anchoring key, and the address of the node, are in no log, error, metric, answer or backup. */
import assert from "node:assert/strict";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { RICH_KEY } from "@svc/testkit/chain";
import { contentsOf } from "@svc/testkit/folder-contents";
import { anchored, contractOnChain, environmentFor } from "@svc/testkit/server/anchored";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { openDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { nodeBetween } from "./node-between.ts";

test("the key and the node's address are nowhere but in their places", async (t) => {
  const on = await contractOnChain(t);
  const { chain, anchoring } = on;
  const between = await nodeBetween(t, chain.url);
  const { made } = await openDeployment(t);
  const settings = {
    ...environmentFor(on),
    SVC_METRICS_TOKEN: "token-of-the-metrics",
    SVC_ANCHOR_RPC: between.url,
  };
  const server = await startChild(t, made.data_folder, settings);
  const client = new Client(server.url, made.api_key ?? "");
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  await anchored(client, chain, made.stream_id);
  between.change = (_call, response) => {
    response.end("<html>");
    return null;
  };
  await client.append(made.stream_id, loan(2));
  await client.witnessed(made.stream_id, 2);
  const said = [(await new Client(server.url, "token-of-the-metrics").get("/metrics")).text];
  assert.match(said[0] ?? "", /svc_anchor_balance_ether 9999\.\d+\n/);
  assert.match(said[0] ?? "", /svc_anchor_newest_epoch\{state="confirmed"\} 1/);
  said.push((await client.get(`/v2/streams/${made.stream_id}/proof-state`)).text);
  await server.end("SIGTERM");
  const environment = { ...settings, SVC_DATA: made.data_folder };
  const doctor = await command(["doctor", "--data", made.data_folder, "--json"], environment);
  said.push(doctor.out, doctor.err);
  assert.ok(!doctor.out.includes("others than its owner"), doctor.out);
  const without = await command(["doctor", "--data", made.data_folder, "--json"], {
    ...environment,
    SVC_ANCHOR_CONTRACT: "",
  });
  assert.match(without.out, /nothing is anchored, since SVC_ANCHOR_CONTRACT is not set/);
  chmodSync(anchoring.anchorKeyFile ?? "", 0o644);
  const open = await command(["doctor", "--data", made.data_folder, "--json"], environment);
  assert.match(open.out, /others than its owner may use \S+, the anchoring key: chmod 600 it/);
  const backup = join(temporaryFolder(), "backup");
  const backedUp = await command(["backup", "--to", backup, "--data", made.data_folder], environment);
  assert.equal(backedUp.code, 0, backedUp.err);
  const files = [...contentsOf(backup), ...contentsOf(made.data_folder)].map((one) => one.toString("latin1"));
  said.push(backedUp.out, backedUp.err, ...files);
  for (const text of said) {
    assert.ok(!text.includes(RICH_KEY) && !text.includes("key-of-the-operator"), text.slice(0, 2000));
  }
  assert.ok(readFileSync(anchoring.anchorKeyFile ?? "", "utf8").includes(RICH_KEY));
});
