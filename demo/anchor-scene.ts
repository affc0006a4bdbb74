/**
 * The scene with a chain: a real one on this machine, the contract in it, and a policy that requires an anchor. In the
 * end both the service and the chain are gone, and the block's hash is all that an auditor knows of it.
 */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Bundle, StreamClient } from "@svc/sdk";
import { RICH_KEY, startChain, TEST_NETWORK, type TestChain } from "../packages/testkit/src/chain.ts";
import { svc, svcReport } from "./auditor.ts";
import { step } from "./progress.ts";
import type { Scene } from "./scene.ts";
import { initService, runCommand, startService } from "./service.ts";
import type { Tampering } from "./tampering.ts";
import { until } from "./until.ts";

const CONFIRMATIONS = 3;

type ProofState = Awaited<ReturnType<StreamClient["proofState"]>>;

/** Starts the chain, makes the contract, and starts one server that anchors there. */
export async function anchoredServer(dataFolder: string, origin: string): Promise<Scene> {
  const ends: (() => unknown)[] = [];
  const chain = await startChain({ after: (work) => void ends.push(work as () => unknown) }, { blockSeconds: 1 });
  step("chain started", `${TEST_NETWORK}, a block each second, at ${chain.url}`);
  const beside = `${dataFolder}-anchoring`;
  mkdirSync(beside, { recursive: true });
  const [keyFile, policyFile] = [`${beside}/key`, `${beside}/policy.json`];
  writeFileSync(keyFile, `${RICH_KEY}\n`, { mode: 0o600 });
  writeFileSync(policyFile, JSON.stringify({ policy_id: "anchored", anchor: "required" }));
  const settings = { SVC_ANCHOR_NETWORK: TEST_NETWORK, SVC_ANCHOR_RPC: chain.url, SVC_ANCHOR_KEY_FILE: keyFile };
  const deployed = await runCommand<{ contract: string; code_hash: string; cost_gwei: number }>(
    ["anchor", "deploy"],
    settings,
  );
  step("contract made", `${deployed.contract}, for ${deployed.cost_gwei} gwei`);
  const anchoring = {
    ...settings,
    SVC_ANCHOR_CONTRACT: deployed.contract,
    SVC_ANCHOR_CONFIRMATIONS: `${CONFIRMATIONS}`,
    SVC_ANCHOR_POLL_MS: "200",
    SVC_EPOCH_INTERVAL_MS: "500",
  };
  const made = await initService(dataFolder, origin, anchoring);
  await runCommand(["policies", "declare", "--file", policyFile, "--data", dataFolder], anchoring);
  step("service created", `${made.origin}, key ${made.kid}; its policy requires an anchor`);
  const server = await startService(dataFolder, anchoring);
  const stream_id = await makeStream(server.url, made.api_key, made.system_id);
  step("server started", server.url);
  return {
    made: { ...made, stream_id },
    url: server.url,
    mishaps: [],
    ending: `service committed to them in windows and checkpoints, its witness cosigned, and the epoch
over them was anchored in a chain. Then the service and the chain were stopped and
deleted. The bundle still verifies. Who knows the block's hash, from anywhere, knows that
the events are at least as old as that block. No change to the bundle goes unnoticed.`,
    complete: (stream, events) => completeAnchor(chain, stream, events),
    audit: (bundle, pinned) => showAnchor(bundle, pinned, deployed.contract),
    tamperings: [anOlderBlock],
    again: (bundle, at) => [`verify ${at(bundle)} --trust ${at(trustFileBeside(bundle))} --require anchored`],
    async remove() {
      assert.equal(await server.stop(), 0, "the server must drain and end with 0");
      for (const folder of [dataFolder, beside]) rmSync(folder, { recursive: true, force: true });
      for (const end of ends) await end();
      step("server and chain stopped, all deleted", "from here on there is only the file, the key, and a block's hash");
    },
  };
}

async function makeStream(url: string, apiKey: string, system_id: string): Promise<string> {
  const response = await fetch(`${url}/v2/streams`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ system_id, use_case: "earthquakes", policy_id: "anchored", metadata: {} }),
  });
  assert.equal(response.status, 201, "the stream must be made");
  return ((await response.json()) as { stream_id: string }).stream_id;
}

/** Takes the block of the anchor out of the chain, as a reorganization does, and waits until another one is final. */
async function completeAnchor(chain: TestChain, stream: StreamClient, events: number): Promise<void> {
  const isOver = ({ anchored_to_seq_no, anchor }: ProofState) =>
    anchor?.state === "mined" || anchored_to_seq_no >= events ? (anchor?.block_number ?? null) : null;
  const gone = await reached(stream, isOver);
  const head = Number(await chain.call("eth_blockNumber"));
  await chain.call("anvil_reorg", head - gone + 1, []);
  step("chain reorganized", `block ${gone} is gone, and the anchor with it: it is sent again`);
  const block = await reached(stream, ({ anchored_to_seq_no, anchor }) =>
    anchored_to_seq_no >= events && anchor !== null && anchor.block_number !== gone ? anchor.block_number : null,
  );
  step("epoch anchored", `block ${block}, ${CONFIRMATIONS} blocks deep; one transaction for all streams`);
}

/** Waits until a stream's state says something, and resolves to it. */
function reached(stream: StreamClient, says: (state: ProofState) => number | null): Promise<number> {
  return until("the anchor", async () => says(await stream.proofState()));
}

/** The change of somebody who wants the evidence to be older than it is. */
const anOlderBlock: Tampering = {
  name: "6-older-block",
  what: "the block of the anchor, under the number of an older one",
  code: "anchor_does_not_bind",
  apply(bundle) {
    for (const anchor of bundle.artifacts["anchors.json"])
      if (anchor.block_number !== null) Object.assign(anchor, { block_number: anchor.block_number - 1 });
  },
};

function trustFileBeside(bundle: string): string {
  return `${bundle.slice(0, bundle.lastIndexOf("/"))}/trust.json`;
}

/** Verifies the bundle with and without the block's pin. */
async function showAnchor(file: string, pinned: readonly string[], contract: string): Promise<void> {
  const [anchor] = (JSON.parse(readFileSync(file, "utf8")) as Bundle).artifacts["anchors.json"];
  assert.ok(anchor?.block_hash != null, "the bundle must have a mined anchor");
  const verify = ["verify", file];
  const without = await svcReport([...verify, ...pinned]);
  assert.equal(without.report.assurance.anchored, "unpinned");
  step("svc, block not pinned", "VERIFIED, exit 0, anchored: unpinned. Its time is a claim until you know the block");
  const strict = await svcReport([...verify, ...pinned, "--require", "anchored"]);
  assert.deepEqual([strict.exitCode, strict.report.problems[0]?.code], [1, "evidence_missing"]);
  step("svc, the same, anchor required", "REJECTED, exit 1: evidence_missing, as an unknown block shows no time");
  const ours = ["--trust", trustFileBeside(file)];
  const pins = [
    ["trust", "add", ...pinned, ...ours],
    ["trust", "pin-contract", "--network", TEST_NETWORK, "--address", contract, ...ours],
    [
      "trust",
      "pin-block",
      "--network",
      TEST_NETWORK,
      "--number",
      `${anchor.block_number}`,
      "--hash",
      anchor.block_hash,
      ...ours,
    ],
  ];
  for (const words of pins) assert.equal((await svc(words)).exitCode, 0, words.join(" "));
  const report = await svcReport([...verify, ...ours, "--require", "anchored"]);
  assert.deepEqual([report.exitCode, report.report.assurance.anchored], [0, "pinned"]);
  step("svc, block and contract pinned", "VERIFIED, exit 0, anchored: pinned");
}
