/** fsck finds a fork that nobody has handed in, in what the witness remembers, and shows the proof until it is kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkpointText, ED25519_LINE, encodeNote, noteKeyId } from "@svc/core";
import { command } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { kernel } from "../../src/kernel.ts";
import { epochOver } from "../service-log/epochs.ts";
import { changeMemory } from "../witness-memory/change-memory.ts";

test("a fork that only the witness remembers is shown with its proof, until it is kept", async (t) => {
  const { client, made, server } = await startServer(t);
  const { database, signingKey } = server.service.context;
  const signer = await database.read((reader) => signingKey.current(reader));
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  const forkFaults = async () => {
    const { out } = await command(["fsck", "--data", made.data_folder, "--json"]);
    const { faults } = JSON.parse(out) as { faults: { table: string; row: object; evidence?: unknown }[] };
    return faults.filter(({ table }) => table === "forks");
  };
  assert.deepEqual(await forkFaults(), []);
  // The witness seems to have cosigned another tree of one window, which the service had sealed.
  const origin = `${made.origin}/${made.stream_id}`;
  const text = checkpointText(origin, 1, new Uint8Array(32));
  const signature = await signer.sign(Buffer.from(text));
  const keyId = noteKeyId(kernel, origin, ED25519_LINE, signer.publicKeyHex);
  const note = encodeNote(text, [{ name: origin, keyId, signature }]);
  changeMemory(made.data_folder, "UPDATE signed SET signed_note = ?", note);
  const [fault, ...more] = await forkFaults();
  assert.deepEqual([fault?.row, more], [{ stream_id: made.stream_id }, []]);
  assertVerified(JSON.stringify(fault?.evidence), made.public_key_hex, "fork");
  const { status, body } = await new Client(server.url, "").post("/v2/forks", fault?.evidence);
  assert.deepEqual([status, body.outcome, body.kind], [200, "kept", "note"]);
  assert.deepEqual(await forkFaults(), []);
});

test("two roots of one epoch, one of which only the witness's file remembers, are shown with their proof", async (t) => {
  const { client, made, server } = await startServer(t, { epochIntervalMs: 20 });
  const { database, signingKey, origin } = server.service.context;
  const signer = await database.read((reader) => signingKey.current(reader));
  await client.append(made.stream_id, loan(1));
  const { latest_checkpoint_id } = await client.witnessed(made.stream_id, 1);
  const { log_size } = await epochOver(client, latest_checkpoint_id);
  await Promise.all(server.service.jobs.map((job) => job.stop()));
  const forkFaults = async () => {
    const { out } = await command(["fsck", "--data", made.data_folder, "--json"]);
    const { faults } = JSON.parse(out) as { faults: { table: string; row: object; evidence?: unknown }[] };
    return faults.filter(({ table }) => table === "log_forks");
  };
  assert.deepEqual(await forkFaults(), []);
  const text = checkpointText(origin, log_size, new Uint8Array(32));
  const signature = await signer.sign(Buffer.from(text));
  const keyId = noteKeyId(kernel, origin, ED25519_LINE, signer.publicKeyHex);
  const note = encodeNote(text, [{ name: origin, keyId, signature }]);
  changeMemory(made.data_folder, "UPDATE signed SET signed_note = ? WHERE origin = ?", note, origin);
  const [fault, ...more] = await forkFaults();
  assert.deepEqual([fault?.row, more], [{ origin }, []]);
  const report = assertVerified(JSON.stringify(fault?.evidence), made.public_key_hex, "fork");
  assert.equal(report.subject.stream_id ?? null, null);
  const { status, body } = await new Client(server.url, "").post("/v2/forks", fault?.evidence);
  assert.deepEqual([status, body.outcome, body.kind], [200, "kept", "note"]);
  assert.deepEqual(await forkFaults(), []);
});
