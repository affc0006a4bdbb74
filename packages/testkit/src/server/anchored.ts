/** A deployment that anchors in a real chain. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Anchor } from "@svc/core";
import { type AnchorStep, anchorStep } from "../../../server/src/anchoring/anchor-step.ts";
import { deploy } from "../../../server/src/chain/deploy.ts";
import { operatorOf } from "../../../server/src/commands/deployment.ts";
import { kernel } from "../../../server/src/kernel.ts";
import { declarePolicy } from "../../../server/src/policies/declare-policy.ts";
import type { Config } from "../../../server/src/settings/config.ts";
import { type ChainOptions, RICH_KEY, startChain, TEST_NETWORK, type TestChain } from "../chain.ts";
import type { Lifetime } from "../lifetime.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../until.ts";
import type { Client } from "./client.ts";
import { startServer, type TestServer } from "./running-server.ts";

/** The settings by which a deployment anchors, as the configuration has them. */
export type Anchoring = Pick<
  Config,
  | "anchorNetwork"
  | "anchorRpc"
  | "anchorContract"
  | "anchorKeyFile"
  | "anchorConfirmations"
  | "anchorDayBudgetGwei"
  | "anchorPollMs"
  | "anchorStuckMs"
  | "anchorTimeoutMs"
>;

/** Writes a key to a new file, and returns its path. */
export function keyFileOf(key = RICH_KEY): string {
  const path = join(temporaryFolder(), "anchoring-key");
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  return path;
}

/** Returns settings without a contract. */
export function settingsFor({ url }: Pick<TestChain, "url">, keyFile = keyFileOf()): Anchoring {
  return {
    anchorNetwork: TEST_NETWORK,
    anchorRpc: [url],
    anchorContract: null,
    anchorKeyFile: keyFile,
    anchorConfirmations: 3,
    anchorDayBudgetGwei: 999_999_999,
    anchorPollMs: 20,
    anchorStuckMs: 60_000,
    anchorTimeoutMs: 5000,
  };
}

/** A chain, the contract in it, and the settings for both. */
export interface ContractOnChain {
  readonly chain: TestChain;
  readonly contract: string;
  readonly anchoring: Anchoring;
}

/** Starts a chain, and makes the contract. */
export async function contractOnChain(t: Lifetime, options: ChainOptions = {}): Promise<ContractOnChain> {
  const chain = await startChain(t, options);
  const without = settingsFor(chain);
  const contract = await newContract(chain, without);
  return { chain, contract, anchoring: { ...without, anchorContract: contract } };
}

/** Returns the settings as the environment of a process has them. */
export function environmentFor({ chain, contract, anchoring }: ContractOnChain): Record<string, string> {
  return {
    SVC_EPOCH_INTERVAL_MS: "20",
    SVC_SEAL_INTERVAL_MS: "20",
    SVC_ANCHOR_NETWORK: TEST_NETWORK,
    SVC_ANCHOR_RPC: chain.url,
    SVC_ANCHOR_CONTRACT: contract,
    SVC_ANCHOR_KEY_FILE: anchoring.anchorKeyFile ?? "",
    SVC_ANCHOR_CONFIRMATIONS: `${anchoring.anchorConfirmations}`,
    SVC_ANCHOR_DAY_BUDGET_GWEI: `${anchoring.anchorDayBudgetGwei}`,
    SVC_ANCHOR_POLL_MS: `${anchoring.anchorPollMs}`,
  };
}

/** Serves a deployment that anchors in a new chain. */
export async function startAnchored(t: Lifetime, changes: Partial<Config> = {}): Promise<TestServer & ContractOnChain> {
  const on = await contractOnChain(t);
  const started = await startServer(t, { epochIntervalMs: 20, ...on.anchoring, ...changes });
  return { ...started, ...on };
}

/**
 * Serves one more deployment that anchors in a chain that is there. Epochs are numbered anew, so it has a new contract
 * unless `changes` names another.
 */
export async function startAnchoredOn(
  t: Lifetime,
  on: ContractOnChain,
  changes: Partial<Config> = {},
): Promise<TestServer & ContractOnChain> {
  const contract = await newContract(on.chain, on.anchoring);
  const started = await startServer(t, { epochIntervalMs: 20, ...on.anchoring, anchorContract: contract, ...changes });
  return { ...started, ...on, contract };
}

/** Makes a contract, and resolves to its address. */
async function newContract({ url }: TestChain, settings: Anchoring): Promise<string> {
  const made = await deploy({
    network: TEST_NETWORK,
    chainId: 31_337,
    rpc: [url],
    keyFile: settings.anchorKeyFile ?? "",
    confirmations: settings.anchorConfirmations,
    dayBudgetGwei: settings.anchorDayBudgetGwei,
    pollMs: settings.anchorPollMs,
    stuckMs: settings.anchorStuckMs,
    timeoutMs: settings.anchorTimeoutMs,
  });
  return made.contract;
}

/** Waits until the newest checkpoint of a stream is in a state of anchoring; resolves to the proof state. */
export function anchorReaches(client: Client, streamId: string, state: string) {
  return until(`the anchor is ${state}`, async () => {
    const { body } = await client.get(`/v2/streams/${streamId}/proof-state`);
    return body.anchor?.state === state ? body : null;
  });
}

/** Waits until the newest checkpoint is anchored for good, and makes blocks meanwhile; resolves to its anchor. */
export async function anchored(client: Client, chain: TestChain, streamId: string): Promise<Anchor> {
  return until("the checkpoint is anchored", async () => {
    const { body } = await client.get(`/v2/streams/${streamId}/proof-state`);
    if (body.anchor?.state !== "confirmed") {
      await chain.mine(1);
      return null;
    }
    const checkpoint = body.latest_checkpoint_id;
    const answer = await client.get(`/v2/anchors/latest-anchored?checkpoint=${checkpoint}`);
    return answer.status === 200 ? (answer.body as Anchor) : null;
  });
}

/** Declares a policy of this name that asks for an anchor so. */
export async function declareAnchored(
  { service }: TestServer["server"],
  tenantId: string,
  anchor: "required" | "optional",
): Promise<void> {
  const { database, clock } = service.context;
  const document = { policy_id: anchor, anchor, window_max_seconds: 1 };
  await database.write((writer) =>
    declarePolicy(writer, kernel, operatorOf(tenantId), document, new Date(clock()).toISOString()),
  );
}

/** Makes a stream under a policy, and resolves to its id. */
export async function streamUnder(client: Client, systemId: string, policyId: string): Promise<string> {
  const request = { system_id: systemId, use_case: "loans", policy_id: policyId, metadata: {} };
  return (await client.post("/v2/streams", request)).body.stream_id;
}

/** Waits until anchoring tells of a fault by this code; resolves to its words. */
export function faultIs(client: Client, streamId: string, code: string): Promise<string> {
  return until(`anchoring tells of ${code}`, async () => {
    const { body } = await client.get(`/v2/streams/${streamId}/proof-state`);
    return body.anchor?.problem?.code === code ? body.anchor.problem.message : null;
  });
}

/** Resolves to the events of a contract: the epochs that were written, in order. */
export async function writtenEpochs({ chain, contract }: Pick<ContractOnChain, "chain" | "contract">) {
  const logs: { topics: string[] }[] = await chain.call("eth_getLogs", { address: contract, fromBlock: "0x0" });
  return logs.map(({ topics }) => Number(topics[1]));
}

/** Collects the steps of a server from now on. */
export function stepsOf({ service }: TestServer["server"]): AnchorStep[] {
  const steps: AnchorStep[] = [];
  service.context.channel.subscribe(anchorStep, (step) => steps.push(step));
  return steps;
}

/** Has a stream sealed up to an event, and waits until an epoch covers it. */
export async function sealedNow(client: Client, streamId: string, seqNo: number): Promise<void> {
  const request = { stream_id: streamId, from_seq_no: seqNo, to_seq_no: seqNo };
  await client.post("/v2/audit/packs", request, { "Idempotency-Key": `${streamId}-${seqNo}` });
  await until(`event ${seqNo} is published`, async () => {
    const { body } = await client.get(`/v2/streams/${streamId}/proof-state`);
    return body.published_to_seq_no >= seqNo ? true : null;
  });
}
