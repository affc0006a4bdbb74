/**
 * The checkpoints of many streams in one epoch, anchored in a real chain: one transaction, and paths as long as the
 * logarithm of their number. Every path is verified.
 */
import { type Anchor, type PublicKeyHex, pinKeys, selectKernel, verify } from "@svc/core";
import { contractOnChain, writtenEpochs } from "@svc/testkit/server/anchored";
import type { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { expectAnswer, type Row, row } from "../measure.ts";
import type { AnchorBench } from "./bench.ts";

const DAY_MS = 86_400_000;
const AT_ONCE = 32;

export async function streams({ quick, lifetime }: AnchorBench): Promise<Row[]> {
  const count = quick ? 200 : 10_000;
  let aheadMs = 0;
  const on = await contractOnChain(lifetime);
  const started = await startServer(lifetime, { epochIntervalMs: DAY_MS, ...on.anchoring }, () => Date.now() + aheadMs);
  const { client, made, server } = started;
  const ids: string[] = [];
  const record = async () => {
    const request = { system_id: made.system_id, use_case: "loans", policy_id: "default", metadata: {} };
    const { body } = await client.post("/v2/streams", request);
    ids.push(body.stream_id);
    await client.append(body.stream_id, loan(1), body.stream_id);
  };
  // The first checkpoint makes an epoch at once. The next day has one for all others.
  await record();
  await patiently("there is a first epoch", async () => (await client.get("/v2/anchors/latest")).status === 200);
  await together(count - 1, record);
  const { database } = server.service.context;
  const logged = () =>
    database.read(async (reader) => {
      const row = await reader.first<{ size: number }>("SELECT COUNT(*) AS size FROM service_log_leaves");
      return Number(row?.size ?? 0);
    });
  await patiently("all checkpoints are in the log", async () => (await logged()) >= count);
  const size = await logged();
  aheadMs += DAY_MS;
  const before = performance.now();
  await patiently("one epoch covers all", async () => {
    const { status, body } = await client.get("/v2/anchors/latest");
    return status === 200 && body.log_size === size;
  });
  const publishedMs = performance.now() - before;
  await patiently("it is anchored", async () => {
    await on.chain.mine(1);
    const { status, body } = await client.get("/v2/anchors/latest-anchored");
    return status === 200 && body.log_size === size;
  });
  const epochs = await writtenEpochs(on);
  expectAnswer("transactions for all of them", epochs.filter((epoch) => epoch > 1).length, 1);
  const bare = (await client.get("/v2/anchors?limit=2")).text.length / 2;
  const { bytes, longest } = await checkPaths(client, ids, made.public_key_hex as PublicKeyHex);
  expectAnswer("the longest path", longest, Math.ceil(Math.log2(size)));
  const what = `${count} streams, one epoch`;
  return [
    row(`${what}: transactions`, "transactions", epochs.length - 1, 1, "limit", { at_most: 1 }),
    row(`${what}: published`, "ms", publishedMs, 1000, "a round of the job", null),
    row(`${what}: an anchor with its evidence and one path`, "bytes", bytes, bare, "published alone", null),
  ];
}

/** Verifies the paths of some streams; returns the size of an anchor, and the longest path. */
async function checkPaths(client: Client, ids: readonly string[], key: PublicKeyHex) {
  const kernel = selectKernel();
  const trust = pinKeys(kernel, [key]);
  let [bytes, longest] = [0, 0];
  for (const id of ids.filter((_, index) => index % Math.ceil(ids.length / 100) === 0)) {
    const { latest_checkpoint_id } = (await client.get(`/v2/streams/${id}/proof-state`)).body;
    const { text, body } = await client.get(`/v2/anchors/latest-anchored?checkpoint=${latest_checkpoint_id}`);
    const report = verify(Buffer.from(text), { kind: "anchor", trust, kernel });
    expectAnswer("the anchor", report.verdict, "verified");
    expectAnswer("anchored", report.assurance.anchored, "unpinned");
    bytes = Math.max(bytes, text.length);
    longest = Math.max(longest, (body as Anchor).members[0]?.inclusion_path.length ?? 0);
  }
  return { bytes, longest };
}

/** Does a work so many times, some at a time. */
async function together(count: number, work: () => Promise<void>): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await work();
    }),
  );
}

/** Waits for longer than tests do. */
async function patiently(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return void (await until(what, async () => ((await holds()) ? true : null)));
    } catch (error) {
      if (tries >= 30) throw error;
    }
  }
}
