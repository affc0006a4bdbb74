/** Fork evidence from outside: what is kept, what is refused and why, and what becomes of the stream's bundles. */
import assert from "node:assert/strict";

import { test } from "node:test";
import { MAX_FORK_BODY_BYTES, MAX_FORK_BYTES_KEPT, MAX_FORKS_KEPT } from "@svc/api/limits";
import {
  type Bundle,
  COSIGNATURE_LINE,
  checkpointText,
  encodeNote,
  type ForkEvidence,
  type HashHex,
  hexToBytes,
  issueWindow,
  issueWitnessStatement,
  type Json,
  noteKeyId,
  parseNote,
  pinKeys,
  verify,
  type Window,
} from "@svc/core";
import { MetricsRegistry } from "@svc/host/metrics";
import { cosignedNote, FORK_TRUST, told } from "@svc/testkit/evidence/forks";
import { bundleOf, id, issueStream, ORIGIN, SERVICE, WITNESS } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { diagnoseForks } from "../../src/forks/diagnose.ts";
import { forkMetrics } from "../../src/forks/metrics.ts";
import { kernel } from "../../src/kernel.ts";
import { insertStatement } from "../../src/sealing/statements-store.ts";
import { download, readyExport, textsOf } from "../exports/export-client.ts";
import { EVIDENCE, evidence, STREAM, startConvicted } from "./equivocating-service.ts";

/** So many leaves fill most of a body. */
const LEAVES = 7_000;

type Started = Awaited<ReturnType<typeof startConvicted>>;

/** Anybody. */
const nobody = ({ server }: Pick<Started, "server">) => new Client(server.url, "");
const handIn = (started: Pick<Started, "server">, fork: unknown) => nobody(started).post("/v2/forks", fork);
const kept = async ({ client }: Started): Promise<ForkEvidence[]> =>
  (await client.get(`/v2/streams/${STREAM}/forks`)).body.items;
const keptOfLog = async (started: Started): Promise<ForkEvidence[]> =>
  (await nobody(started).get("/v2/forks")).body.items;
const refusal = async (started: Pick<Started, "server">, fork: unknown) => {
  const { status, body } = await handIn(started, fork);
  return [status, body.detail?.code] as const;
};

test("evidence of every kind is kept, once, and verifies as it is kept", async (t) => {
  const started = await startConvicted(t);
  const kinds = new Set<string>();
  for (const [name, fork] of EVIDENCE) {
    const { status, body } = await handIn(started, fork);
    assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`);
    assert.deepEqual([body.stream_id, body.kind], [fork.stream_id, fork.kind], name);
    assert.notEqual(body.fork_id, fork.fork_id, "the service names it anew: ids could be taken by strangers");
    kinds.add(fork.kind);
    const again = (await handIn(started, { ...fork, fork_id: id("frk", 9), detected_at: "2026-01-01T00:00:00.000Z" }))
      .body;
    assert.deepEqual([again.outcome, again.fork_id], ["known", body.fork_id], name);
  }
  assert.equal(kinds.size, 9);
  const all = [...(await kept(started)), ...(await keptOfLog(started))];
  assert.deepEqual(new Set(all.map(({ kind }) => kind)), kinds);
  for (const fork of all) {
    const report = verify(kernel.canonicalize(fork as unknown as Json), { trust: FORK_TRUST, kernel });
    assert.equal(report.verdict, "verified", `${fork.kind}: ${JSON.stringify(report.problems)}`);
  }
  assert.ok(!JSON.stringify(all).includes("applicant"), "a payload could not be erased here");
});

test("doctor and metrics show kept evidence for ever, also of a server that was started later", async (t) => {
  const started = await startConvicted(t);
  const { context } = started.server.service;
  const told = async () => {
    // As after a restart: this registry has counted nothing.
    const registry = new MetricsRegistry();
    forkMetrics(registry, context);
    const [finding] = await diagnoseForks({
      read: (_check: string, look: never) => context.database.read(look),
    } as never);
    const [, count] = /^svc_forks (\d+)$/m.exec(await registry.text()) ?? [];
    return [finding?.state, /newest about (the service log|str_\w+)/.exec(finding?.says ?? "")?.[1], count];
  };
  assert.deepEqual(await told(), ["ok", undefined, "0"]);
  for (const [name, about, count] of [
    ["two-receipts", STREAM, "1"],
    ["two-anchors", "the service log", "2"],
  ] as const) {
    assert.equal((await handIn(started, evidence(name))).status, 200, name);
    assert.deepEqual(await told(), ["warn", about, count]);
  }
});

test("what no signature covers makes no new evidence: order, paths, lines of notes, hints", async (t) => {
  const started = await startConvicted(t);
  const stranger = testSigner("stranger").publicKeyHex;
  const line = "— stranger AAAAAAAAAAAAAAAA\n";
  const [head, notes, checkpoints] = ["two-receipts", "two-notes", "two-sizes"].map(evidence) as [
    ForkEvidence,
    ForkEvidence,
    ForkEvidence,
  ];
  const variants: readonly (readonly [ForkEvidence, ForkEvidence])[] = [
    [head, { ...head, left: head.right, right: head.left }],
    [
      head,
      {
        ...head,
        key_hints: pinKeys(kernel, [stranger]).signers.map(({ kid, public_key_hex }) => ({ kid, public_key_hex })),
      },
    ],
    [notes, { ...notes, left: `${notes.left}${line}` }],
    [notes, { ...notes, right: `${notes.right}${line}${line.replace("stranger", ORIGIN)}` }],
    [checkpoints, { ...checkpoints, left: { ...(checkpoints.left as object), frontier: undefined } as never }],
  ];
  for (const [fork, variant] of variants) {
    await handIn(started, fork);
    const { status, body } = await handIn(started, variant);
    assert.deepEqual([status, body.outcome], [200, "known"], JSON.stringify(body));
  }
  assert.equal((await kept(started)).length, 3);
});

test("from then on the stream's packs are rejected by any verifier, also those for which the stream is new", async (t) => {
  const started = await startConvicted(t);
  const { client, made } = started;
  await client.append(STREAM, loan(1));
  await client.witnessed(STREAM, 1);
  const ask = { stream_id: STREAM, from_seq_no: 1, to_seq_no: 1 };
  const trust = pinKeys(kernel, [made.public_key_hex, SERVICE.publicKeyHex]);
  const problemsOf = (text: string) => verify(Buffer.from(text), { trust, kernel }).problems.map(({ code }) => code);
  const before = await client.post("/v2/audit/packs", ask, { "idempotency-key": "before" });
  assert.deepEqual(problemsOf(before.text), []);
  for (const fork of EVIDENCE.values()) await handIn(started, fork);
  // The one witness that is convicted did not cosign here, and nobody needs it.
  const ofService = (await kept(started)).filter(({ kind }) => kind !== "witness");
  const all = ofService.length + (await keptOfLog(started)).length;
  const { text, status } = await client.post("/v2/audit/packs", ask, { "idempotency-key": "after" });
  assert.equal(status, 201);
  const problems = verify(Buffer.from(text), { trust, kernel }).problems;
  assert.deepEqual(
    problems.map(({ code, path }) => [code, path]),
    Array.from({ length: all }, (_, index) => ["fork_detected", `/artifacts/forks.json/${index}`]),
  );
  const again = await client.post("/v2/audit/packs", ask, { "idempotency-key": "before" });
  assert.deepEqual(problemsOf(again.text), [], "the same request has the same answer");
  const other = await client.append(made.stream_id, loan(1));
  assert.equal(other.status, 201);
  await client.witnessed(made.stream_id, 1);
  const pack = await client.post("/v2/audit/packs", { ...ask, stream_id: made.stream_id });
  assert.ok(problemsOf(pack.text).every((code) => code === "fork_detected"));
  assert.equal(problemsOf(pack.text).length, (await keptOfLog(started)).length, "the log is that of every stream");
});

/** Returns two notes that the service never signed, of two trees of one size, both cosigned by a witness that lies. */
async function lie(number: number): Promise<ForkEvidence> {
  const [checkpoint] = told.checkpoints;
  assert.ok(checkpoint !== undefined);
  const notes = [1, 2].map((side) => {
    const checkpoint_root = `${number}${side}`.padStart(64, "0") as HashHex;
    const note = `${checkpointText(checkpoint.origin, checkpoint.window_count, hexToBytes(checkpoint_root))}\n`;
    return cosignedNote({ ...checkpoint, checkpoint_root, note });
  });
  const [left = "", right = ""] = await Promise.all(notes);
  return { ...evidence("cosigned-notes"), left, right };
}

/** Returns the ids of the witnesses whose statements a bundle carries. */
const cosignersOf = ({ artifacts }: Bundle) =>
  artifacts["witnesses.json"].statements.map(({ witness_id }) => witness_id).sort();

/** Lets the witness that lies cosign the stream's checkpoint like any other, and resolves to a pack over it. */
async function cosignedPack({ client, database, made }: Started) {
  await client.append(STREAM, loan(1));
  const [checkpoint] = await until("there is a checkpoint", async () => {
    const { items } = (await client.get(`/v2/streams/${STREAM}/checkpoints`)).body;
    return items.length > 0 ? items : null;
  });
  const key = { witness_id: "told", key_epoch: 1 };
  const statement = await issueWitnessStatement(kernel, WITNESS, key, checkpoint, Math.ceil(Date.now() / 1000));
  await database.write((writer) => insertStatement(writer, made.tenant_id, statement));
  await client.witnessed(STREAM, 1);
  const trust = pinKeys(kernel, [made.public_key_hex, SERVICE.publicKeyHex]);
  return async (name: string) => {
    const ask = { stream_id: STREAM, from_seq_no: 1, to_seq_no: 1 };
    const { text, body } = await client.post("/v2/audit/packs", ask, { "idempotency-key": name });
    return {
      text,
      problems: verify(Buffer.from(text), { trust, kernel }).problems.map(({ code }) => code),
      cosigners: cosignersOf(body),
    };
  };
}

test("a witness that lies convicts itself: what holds without it verifies, and goes without its cosignatures", async (t) => {
  const started = await startConvicted(t);
  const pack = await cosignedPack(started);
  const before = await pack("before");
  assert.deepEqual([before.problems, before.cosigners], [[], ["managed", "told"]]);
  const { body } = await handIn(started, await lie(1));
  assert.equal(body.outcome, "kept", JSON.stringify(body));
  const after = await pack("after");
  assert.deepEqual([after.problems, after.cosigners], [[], ["managed"]]);
  assert.equal((await pack("before")).text, before.text, "the same request has the same answer");
  const { client, made } = started;
  const { bytes } = await download(client, await readyExport(client, { streams: [STREAM] }));
  const trust = pinKeys(kernel, [made.public_key_hex, SERVICE.publicKeyHex]);
  assert.deepEqual(verify(bytes, { trust, kernel }).problems, []);
  const [exported] = JSON.parse(textsOf(bytes)["proofs.json"] ?? "");
  assert.deepEqual(cosignersOf(exported), ["managed"], "an export leaves it out as well");
  assert.deepEqual(
    (await kept(started)).map(({ fork_id, kind }) => [fork_id, kind]),
    [[body.fork_id, "witness"]],
  );
});

test(
  "a line by a witness that is not known here is not kept: it would accuse the witness that is listed by that name " +
    "later",
  async (t) => {
    const started = await startConvicted(t);
    const { left, right, ...claim } = await lie(1);
    const name = "later.example/witness";
    const line = { name, keyId: noteKeyId(kernel, name, COSIGNATURE_LINE, testSigner("later").publicKeyHex) };
    const [forged, other] = [left, right].map((note) => {
      const { text = "", lines = [] } = parseNote(String(note)) ?? {};
      return encodeNote(text, [...lines, { ...line, signature: new Uint8Array(72) }]);
    });
    const { body } = await handIn(started, { ...claim, left: forged ?? "", right: other ?? "" });
    assert.equal(body.outcome, "kept", JSON.stringify(body));
    const [fork] = await kept(started);
    for (const note of [fork?.left, fork?.right])
      assert.doesNotMatch(String(note), /later\.example/, "nobody has checked that line");
  },
);

test("a bundle whose quorum needs a witness that lies carries the evidence, and is rejected", async (t) => {
  const started = await startConvicted(t, 2);
  const pack = await cosignedPack(started);
  assert.deepEqual((await pack("before")).problems, []);
  assert.equal((await handIn(started, await lie(1))).body.outcome, "kept");
  const after = await pack("after");
  assert.deepEqual([after.problems, after.cosigners], [["fork_detected"], ["managed", "told"]]);
});

test("one proof against a witness is enough: it fills no room, and what convicts the service is kept", async (t) => {
  const started = await startConvicted(t);
  const first = (await handIn(started, await lie(0))).body;
  assert.equal(first.outcome, "kept");
  for (let number = 1; number <= MAX_FORKS_KEPT; number++) {
    const { body } = await handIn(started, await lie(number));
    assert.deepEqual([body.outcome, body.fork_id], ["known", first.fork_id]);
    assert.match(body.message, /Evidence that this witness cosigns contradictions was kept before/);
  }
  assert.equal((await handIn(started, evidence("two-receipts"))).body.outcome, "kept");
  assert.deepEqual((await kept(started)).map(({ kind }) => kind).sort(), ["head", "witness"]);
});

test("notes that the service signed too convict it as well, whatever kind somebody calls them", async (t) => {
  const started = await startConvicted(t);
  const pack = await cosignedPack(started);
  assert.equal((await handIn(started, evidence("cosigned-notes"))).body.kind, "witness");
  assert.deepEqual((await kept(started)).map(({ kind }) => kind).sort(), ["note", "witness"]);
  assert.deepEqual((await pack("after")).problems, ["fork_detected"]);
});

test("each reason for which evidence is not kept has its own code", async (t) => {
  const started = await startConvicted(t);
  const head = evidence("two-receipts");
  const strangers = await Promise.all(
    [13, 14].map((events) => issueStream(events, { signer: testSigner("stranger"), forkedAt: events - 10 })),
  );
  const [one, other] = strangers.map(({ records }) => records[5]);
  const elsewhere = await Promise.all(
    [12, 13].map((events) => issueStream(events, { streamNo: 7, forkedAt: events - 10 })),
  );
  const [far, further] = elsewhere.map(({ records }) => records[5]);
  const refused: readonly (readonly [unknown, number, string])[] = [
    [{ ...head, right: head.left }, 422, "fork_not_proved"],
    [{ ...head, right: { ...(head.right as object), event_hash: "ab".repeat(32) } }, 422, "fork_not_proved"],
    [{ ...head, extra: 1 }, 422, "fork_not_proved"],
    [{ ...head, left: one, right: other, key_hints: [] }, 422, "fork_untrusted"],
    [
      {
        ...head,
        left: one,
        right: other,
        key_hints: pinKeys(kernel, [testSigner("stranger").publicKeyHex]).signers,
      },
      422,
      "fork_untrusted",
    ],
    [{ ...head, stream_id: id("str", 7), left: far, right: further }, 422, "fork_foreign"],
    [await bundleOf(told), 422, "wrong_kind"],
    [{ hello: "world" }, 400, "unsupported_object"],
    ["[1,", 400, "json_malformed"],
    [`"${"x".repeat(MAX_FORK_BODY_BYTES)}"`, 413, "body_too_large"],
  ];
  for (const [fork, status, code] of refused) assert.deepEqual(await refusal(started, fork), [status, code]);
  assert.deepEqual([await kept(started), await keptOfLog(started)], [[], []]);
});

test("another service takes none of it", async (t) => {
  const { server } = await startServer(t);
  for (const [name, fork] of EVIDENCE) {
    const [status, code] = await refusal({ server } as never, fork);
    assert.deepEqual([status, code], [422, "fork_foreign"], name);
  }
});

test("so much is kept for a stream, and no more: nobody fills the disk", async (t) => {
  const started = await startConvicted(t);
  const histories = await Promise.all(
    [1, 2].map((forkedAt) => issueStream(MAX_FORKS_KEPT + 5, { forkedAt, perWindow: 100 })),
  );
  const [left = [], right = []] = histories.map(({ records }) => records);
  const pairs = left.slice(3).map((record, index) => [record, right[index + 3]] as const);
  const head = evidence("two-receipts");
  for (const [one, other] of pairs.slice(0, MAX_FORKS_KEPT))
    assert.equal((await handIn(started, { ...head, left: one, right: other })).body.outcome, "kept");
  const [one, other] = pairs.at(-1) ?? [];
  assert.deepEqual(await refusal(started, { ...head, left: one, right: other }), [409, "too_many_forks"]);
  const [first] = pairs;
  assert.equal((await handIn(started, { ...head, left: first?.[0], right: first?.[1] })).body.outcome, "known");
  const page = (await started.client.get(`/v2/streams/${STREAM}/forks?limit=40`)).body;
  const rest = (await started.client.get(`/v2/streams/${STREAM}/forks?limit=40&cursor=${page.next_cursor}`)).body;
  assert.deepEqual([page.items.length, rest.items.length, rest.next_cursor], [40, MAX_FORKS_KEPT - 40, null]);
});

test("so many bytes are kept for a stream, and no more", async (t) => {
  const started = await startConvicted(t);
  const leaf = evidence("receipt-and-leaves");
  const { window_id, stream_id, window_no, policy_digest, witness_policy_digest, closed_at } = told
    .windows[0] as Window;
  const place = { window_id, stream_id, window_no, policy_digest, witness_policy_digest, closed_at };
  const pieceOf = async (number: number): Promise<ForkEvidence> => {
    const leaves = Array.from({ length: LEAVES }, (_, index) => `${number}${index}`.padStart(64, "a") as HashHex);
    const issued = await issueWindow(kernel, SERVICE, { ...place, from_seq_no: 1, event_hashes: leaves });
    return { ...leaf, left: told.records[0] as never, right: { ...issued, leaves } as never };
  };
  const most = Math.floor(MAX_FORK_BYTES_KEPT / JSON.stringify(await pieceOf(0)).length);
  assert.ok(most < MAX_FORKS_KEPT);
  for (let number = 0; number < most; number++) {
    const { body } = await handIn(started, await pieceOf(number));
    assert.equal(body.outcome, "kept", `${number} of ${most}: ${JSON.stringify(body)}`);
  }
  assert.deepEqual(await refusal(started, await pieceOf(most)), [409, "too_many_forks"]);
});
