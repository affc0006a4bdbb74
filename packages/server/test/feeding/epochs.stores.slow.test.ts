/** Outside witnesses cosign the epochs of the service log. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Anchor, encodeNote, type PublicKeyHex, parseNote, pinKeys, verify } from "@svc/core";
import { MetricsRegistry } from "@svc/host/metrics";
import { testSigner } from "@svc/testkit/evidence/signer";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { serveAgain, startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { diagnoseFeeding } from "../../src/feeding/diagnose.ts";
import { feedingMetrics } from "../../src/feeding/metrics.ts";
import { kernel } from "../../src/kernel.ts";
import { takesLineBy } from "../../src/service-log/fed-epochs.ts";
import { closeServiceLog } from "../../src/service-log/log-store.ts";
import { unaskedWitnesses } from "../../src/service-log/make-epoch.ts";
import { epochOver } from "../service-log/epochs.ts";
import { fedWitnesses, vkeyOf } from "./fed-deployment.ts";
import { lineOf, lines, nameOf, size, startMaliciousServer, status } from "./malicious-witness.ts";

test("an epoch bears the lines of all witnesses that have cosigned it, and evidence that was chosen before stays", async (t) => {
  const asked: { old: number; size: number }[] = [];
  let isHeld = true;
  const witness = await startMaliciousServer(t, "one", async (request, response) => {
    if (isHeld) return status(503)(request, response);
    asked.push({ old: request.old, size: request.size });
    return lines(({ text }) => lineOf("one", text))(request, response);
  });
  const other = await startMaliciousServer(
    t,
    "other",
    lines(({ text }) => lineOf("other", text)),
  );
  const witnesses = fedWitnesses([witness, other]);
  const { client, made, server } = await startServer(t, { witnesses, epochIntervalMs: 20 });
  const { database, clock } = server.service.context;
  const cosigned = (anchorId: string, ...labels: string[]) =>
    until(`${labels.join(", ")} cosign ${anchorId}`, async () => {
      const { body } = await client.get(`/v2/anchors/${anchorId}`);
      const names = parseNote((body as Anchor).note)?.lines.map(({ name }) => name) ?? [];
      return labels.every((label) => names.includes(nameOf(label))) ? (body as Anchor) : null;
    });

  await client.append(made.stream_id, loan(1));
  const { latest_checkpoint_id: checkpointId } = await client.witnessed(made.stream_id, 1);
  const { anchor_epoch_id } = await epochOver(client, checkpointId);
  await cosigned(anchor_epoch_id, "other");
  const request = { stream_id: made.stream_id, from_seq_no: 1, to_seq_no: 1 };
  const pack = () => client.post("/v2/audit/packs", request, { "Idempotency-Key": "before-the-second-line" });
  const before = await pack();
  assert.equal(before.status, 201, before.text);

  isHeld = false;
  await database.write((writer) => writer.run("UPDATE outbox SET next_attempt_at = created_at WHERE done_at IS NULL"));
  const anchor = await cosigned(anchor_epoch_id, "other", "one");
  assert.equal(parseNote(anchor.note)?.lines.length, 3, "each line is there once");
  assert.equal((await pack()).text, before.text);
  const trust = {
    ...pinKeys(kernel, [made.public_key_hex as PublicKeyHex]),
    witnesses: [{ name: witness.name, public_key_hex: witness.publicKeyHex }],
  };
  const report = verify(kernel.canonicalize(anchor), { kind: "anchor", trust, kernel });
  assert.deepEqual([report.verdict, report.assurance.published], ["verified", "witnessed"]);

  await client.append(made.stream_id, loan(2));
  const { latest_checkpoint_id: second } = await client.witnessed(made.stream_id, 2);
  await cosigned((await epochOver(client, second)).anchor_epoch_id, "other", "one");
  assert.deepEqual(asked, [
    { old: 0, size: 1 },
    { old: 1, size: 2 },
  ]);

  // Where epochs have ended, none is sent any more.
  isHeld = true;
  await client.append(made.stream_id, loan(3));
  const { latest_checkpoint_id: third } = await client.witnessed(made.stream_id, 3);
  await epochOver(client, third);
  await database.write(async (writer) => {
    await closeServiceLog(writer, new Date(clock()).toISOString());
    await writer.run("UPDATE outbox SET next_attempt_at = created_at WHERE done_at IS NULL");
  });
  await until("no message is left", async () => {
    const rows = await database.read((reader) => reader.all("SELECT 1 FROM outbox WHERE done_at IS NULL"));
    return rows.length === 0 ? true : null;
  });
  assert.equal(asked.length, 2);
});

test("a witness that is named after the newest epoch was made cosigns it, once", async (t) => {
  const asked: number[] = [];
  const witness = await startMaliciousServer(t, "later", async (request, response) => {
    asked.push(request.size);
    return lines(({ text }) => lineOf("later", text))(request, response);
  });
  const deployment = await startServer(t);
  const { client, made } = deployment;
  await client.append(made.stream_id, loan(1));
  const { latest_checkpoint_id: checkpointId } = await client.witnessed(made.stream_id, 1);
  const { anchor_epoch_id } = await epochOver(client, checkpointId);
  // One that was started without it goes on beside the one that has it.
  const SVC_WITNESSES = `${vkeyOf(witness)} ${witness.url}`;
  const { service, url } = await serveAgain(t, deployment, { SVC_WITNESSES });
  await until("it has cosigned the epoch", async () => {
    const { text } = await new Client(url, "").get(`/v2/anchors/${anchor_epoch_id}/note`);
    return parseNote(text)?.lines.some(({ name }) => name === witness.name) ? true : null;
  });
  assert.deepEqual(asked, [1]);
  const { context } = service;
  assert.deepEqual(await context.database.read((reader) => unaskedWitnesses(context, reader)), []);
});

test("a note with as many lines as anybody reads takes no other", () => {
  const { name, publicKeyHex } = { name: nameOf("one"), publicKeyHex: testSigner("one").publicKeyHex };
  const [witness] = fedWitnesses([{ name, publicKeyHex, url: "http://127.0.0.1:1" }]);
  assert.ok(witness !== undefined);
  const noteOf = (count: number) =>
    encodeNote(
      "log.example\n1\nAAAA\n",
      Array.from({ length: count }, (_, index) => ({
        name: `w${index}.example`,
        keyId: "00000000",
        signature: new Uint8Array(72),
      })),
    );
  assert.equal(takesLineBy(witness, { note: noteOf(63) }), true);
  assert.equal(takesLineBy(witness, { note: noteOf(64) }), false);
});

test(
  "a witness that has cosigned a size that no epoch has is named, and one without an " +
    "address any more is not missed",
  async (t) => {
    const liar = await startMaliciousServer(
      t,
      "sizes",
      size((request) => (request.size === 1 ? 1 : request.size - 1)),
    );
    const witnesses = fedWitnesses([liar]);
    const { client, made, server } = await startServer(t, { witnesses });
    const { context } = server.service;
    await client.append(made.stream_id, loan(1));
    const { latest_checkpoint_id: checkpointId } = await client.witnessed(made.stream_id, 1);
    await epochOver(client, checkpointId);
    const findings = (fed: readonly unknown[]) =>
      diagnoseFeeding({
        now: context.clock(),
        settings: () => ({ witnesses: fed }) as never,
        read: (_check: string, look: never) => context.database.read(look),
      } as never);
    const [finding] = await until("it is asked", async () => {
      const found = await findings(witnesses);
      return found[0]?.state === "warn" ? found : null;
    });
    assert.match(finding?.says ?? "", /1 of 1 origins fail, since .*history_contradicted/);
    const registry = new MetricsRegistry();
    feedingMetrics(registry, { ...context, settings: () => ({ witnesses }) as never });
    assert.match(await registry.text(), new RegExp(`svc_witness_failing_origins\\{witness="${liar.name}"\\} 1`));
    assert.deepEqual(await findings([]), []);
  },
);
