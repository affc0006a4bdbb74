/** On every way into the service, a value that JSON would change is refused by its place, and nothing is sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventInput } from "../src/index.ts";
import { MemorySpool, SvcClient, type SvcError } from "../src/index.ts";
import { startServer } from "./server.ts";

const server = await startServer();
let sent = 0;
const counting: typeof fetch = (input, init) => {
  sent += 1;
  return fetch(input, init);
};
const client = new SvcClient({ ...server, fetch: counting });
const stream = client.stream(server.streamId);

const scored = (payload: object) => ({
  source_ref: "loan-1001",
  event_type: "loan.decided",
  occurred_at: "2026-03-01T09:30:00+01:00",
  payload: payload as EventInput["payload"],
});
const logged = (payload: object) => {
  const { event_type: type, ...rest } = scored(payload);
  return { ...rest, type, status: "done" };
};
const [good, bad] = [{ score: 0.5 }, { score: Number.NaN }];
const made = { system_id: server.systemId, use_case: "loans", policy_id: "default" };
const other = (value: unknown) => value as never;
const report = {
  ok: true,
  packageSha256: "",
  manifestSha256: null,
  verifiedArtifacts: 1,
  problems: [new Map()],
};

const WAYS: readonly (readonly [string, string, () => Promise<unknown>])[] = [
  ["stream.append", "/payload/score", () => stream.append(scored(bad))],
  ["stream.appendBatch", "/events/1/payload/score", () => stream.appendBatch([scored(good), scored(bad)])],
  ["log.append", "/payload/score", () => client.log.append(logged(bad))],
  ["log.appendBatch", "/events/1/payload/score", () => client.log.appendBatch([logged(good), logged(bad)])],
  ["createStream", "/metadata/region", () => client.createStream({ ...made, metadata: { region: other(undefined) } })],
  ["erase", "/reason", () => stream.erase("sev_0", other(new Map()))],
  ["exports.create", "/streams/1", () => client.exports.create({ streams: [server.streamId, other(undefined)] })],
  [
    "exports.reportVerification",
    "/verificationReport/problems/0",
    () => client.exports.reportVerification("exp_0", other({ verificationReport: report })),
  ],
  [
    "auditPackBytes",
    "/to_seq_no",
    () => client.auditPackBytes({ stream_id: server.streamId, from_seq_no: 1, to_seq_no: Number.NaN }),
  ],
  ["verifyOnline", "/list/0", () => client.verifyOnline({ list: [other(undefined)] })],
  ["log.verifyOnline", "/a", () => client.log.verifyOnline(other({ a: 1n }))],
];

for (const [name, path, way] of WAYS)
  test(`${name} refuses at ${path}`, async () => {
    const before = sent;
    await assert.rejects(way(), ({ name, code, detail }: SvcError) => {
      const [problem] = detail.problems as { path: string }[];
      assert.deepEqual([name, code, problem?.path], ["SvcError", "payload_not_json", path]);
      return true;
    });
    assert.equal(sent, before);
  });

test("appendLater refuses, and what was given before and after is recorded", async () => {
  const queue = await stream.openQueue({ spool: new MemorySpool() });
  const first = stream.appendLater(scored({ n: 1 }));
  await assert.rejects(stream.appendLater(scored(bad)), {
    name: "SvcError",
    code: "payload_not_json",
    message: "payload.score is NaN, which JSON does not have.",
  });
  const second = stream.appendLater(scored({ n: 2 }));
  const receipts = [await (await first).receipt, await (await second).receipt];
  assert.deepEqual(
    receipts.map((receipt) => "payload" in receipt && receipt.payload),
    [{ n: 1 }, { n: 2 }],
  );
  await queue.close();
});

test("a Date is recorded as it reads, and options that are undefined are not sent", async () => {
  const at = new Date("2026-03-01T08:30:00Z");
  const { payload } = await stream.append(scored({ at, list: [at] }));
  assert.deepEqual(payload, { at: "2026-03-01T08:30:00.000Z", list: ["2026-03-01T08:30:00.000Z"] });
  const input = { ...made, metadata: other(undefined) };
  assert.deepEqual((await client.createStream(input)).metadata, {});
  const range = { stream_id: server.streamId, from_seq_no: 1, to_seq_no: 3, payloads: other(undefined) };
  assert.equal((await client.auditPack(range)).manifest.to_seq_no, 3);
});
