/**
 * A server that anchors in a real chain, killed at a failpoint of anchoring. After the next start the newest epoch must
 * be anchored for good, each epoch must be in the contract once, and nothing else may have been sent.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RICH_ADDRESS, RICH_KEY, startChain, TEST_NETWORK, type TestChain } from "@svc/testkit/chain";
import { until } from "@svc/testkit/until";
import type { Program } from "./program.ts";
import { type Api, read, write } from "./requests.ts";
import { must } from "./violation.ts";

/** Kills a server at a failpoint, in a new folder, and checks what the next one has anchored. Throws Violation. */
export async function anchoringTrial(program: Program, folder: string, failpoint: string): Promise<void> {
  const ends: (() => unknown)[] = [];
  const chain = await startChain({ after: (work) => void ends.push(work as () => unknown) });
  try {
    await trial(program, folder, failpoint, chain);
  } finally {
    // An end may add others to the list.
    for (const end of ends) await end();
  }
}

async function trial(program: Program, folder: string, failpoint: string, chain: TestChain): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const [data, keyFile] = [join(folder, "data"), join(folder, "anchoring-key")];
  writeFileSync(keyFile, RICH_KEY, { mode: 0o600 });
  const init = await program.run(["init", "--origin", "chaos.example/evidence", "--data", data, "--json"]);
  must(init.code === 0, `init ends with ${init.code}: ${init.err}`);
  const { stream_id } = JSON.parse(init.out);
  const key = await program.run(["keys", "create", "--allow", "read,append", "--data", data, "--json"]);
  const apiKey: string = JSON.parse(key.out).api_key;
  const onChain = program
    .setting("SVC_ANCHOR_NETWORK", TEST_NETWORK)
    .setting("SVC_ANCHOR_RPC", chain.url)
    .setting("SVC_ANCHOR_KEY_FILE", keyFile);
  const deployed = await onChain.run(["anchor", "deploy", "--json"]);
  must(deployed.code === 0, `anchor deploy ends with ${deployed.code}: ${deployed.err}`);
  const { contract } = JSON.parse(deployed.out);
  const anchoring = onChain
    .setting("SVC_ANCHOR_CONTRACT", contract)
    .setting("SVC_ANCHOR_CONFIRMATIONS", "2")
    .setting("SVC_ANCHOR_DAY_BUDGET_GWEI", "999999999")
    .setting("SVC_ANCHOR_POLL_MS", "20")
    .setting("SVC_ANCHOR_STUCK_MS", "20")
    .setting("SVC_EPOCH_INTERVAL_MS", "20");

  const first = await anchoring.mustStart(data, { kill: { failpoint, nth: 1 } });
  let isOver = false;
  void first.ended.then(() => {
    isOver = true;
  });
  const isReplacement = failpoint === "anchoring: replaced";
  if (isReplacement) await chain.mineBySelf(false);
  // The server may be gone before its answer.
  await append({ url: first.url, apiKey }, stream_id, "one");
  await until(`the server is killed at ${failpoint}`, async () => {
    if (isOver) return true;
    if (isReplacement && !(await outbid(chain))) return null;
    await chain.mine(1);
    return null;
  });
  const { code, err } = await first.ended;
  must(code === null, `the server was not killed at ${failpoint}, and ended with ${code}: ${err}`);

  await chain.mineBySelf(true);
  const second = await anchoring.mustStart(data);
  const again = { url: second.url, apiKey };
  for (const name of ["one", "two"]) await append(again, stream_id, name);
  await until("the newest epoch is anchored for good", async () => {
    await chain.mine(1);
    const { text = "{}" } = (await read(again, `/v2/streams/${stream_id}/proof-state`)) ?? {};
    const { witnessed_to_seq_no, anchor } = JSON.parse(text);
    return (witnessed_to_seq_no === 2 && anchor?.state === "confirmed") || null;
  });
  const logs: { topics: string[] }[] = await chain.call("eth_getLogs", { address: contract, fromBlock: "0x0" });
  const epochs = logs.map(({ topics }) => Number(topics[1]));
  must(new Set(epochs).size === epochs.length, `an epoch is anchored twice: ${epochs}`);
  const sent = Number(await chain.call("eth_getTransactionCount", RICH_ADDRESS, "latest"));
  must(sent === epochs.length + 1, `${sent} transactions for the contract and the epochs ${epochs}`);
  second.kill("SIGTERM");
  await second.ended;
  const fsck = await program.run(["fsck", "--data", data]);
  must(fsck.code === 0, `fsck finds: ${fsck.out}${fsck.err}`);
}

/** Makes the next block dearer than any fee that was offered, once something waits. Resolves to whether it does. */
async function outbid(chain: TestChain): Promise<boolean> {
  const { pending } = await chain.call("txpool_status");
  // Before that, the transaction itself would be refused as too cheap.
  if (Number(pending) === 0) return false;
  const { baseFeePerGas } = await chain.call("eth_getBlockByNumber", "latest", false);
  await chain.call("anvil_setNextBlockBaseFeePerGas", `0x${(10n * BigInt(baseFeePerGas)).toString(16)}`);
  return true;
}

async function append(api: Api, streamId: string, name: string): Promise<void> {
  const event = {
    source_ref: name,
    event_type: "loan.decided",
    occurred_at: "2026-03-01T10:15:30Z",
    payload: { name },
  };
  const path = `/v2/streams/${streamId}/events`;
  const answer = await write(api, { path, body: JSON.stringify(event), idempotencyKey: name });
  must(answer === null || answer.status === 201, `the event is answered with ${answer?.status}: ${answer?.text}`);
}
