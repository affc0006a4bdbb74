/**
 * The service's own witness in a separate process: a real svc-witness that the operator runs, with its own key and
 * memory. It meets a database that was rolled back, and no report calls it independent.
 */
import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type PublicKeyHex, verificationKey } from "@svc/core";
import { ON_POSTGRES } from "@svc/testkit/drivers";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { makeWitness } from "@svc/testkit/svc-witness";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { kernel } from "../../src/kernel.ts";

const NAME = "own.example/witness";

test("the witness moves to a separate process, which remembers what the data folder forgets, and comes back", async (t) => {
  const witness = await makeWitness(t, NAME);
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const { stream_id } = made;
  const environment = {
    SVC_WITNESSES: `${witness.vkey} ${witness.url}`,
    SVC_SEAL_INTERVAL_MS: "20",
    SVC_EPOCH_INTERVAL_MS: "3600000",
    SVC_LOG_LEVEL: "fatal",
  };
  const start = async () => {
    const child = await startChild(t, folder, environment);
    return { ...child, client: new Client(child.url, made.api_key ?? "") };
  };
  const run = async (...words: string[]) => {
    const { code, out, err } = await command([...words, "--data", folder, "--json"], environment);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  await witness.watch(verificationKey(kernel, made.origin, made.public_key_hex as PublicKeyHex), "streams");
  let server = await start();
  // Each server has a new client, and a key of an earlier one would be a repetition.
  const append = (number: number) => server.client.append(stream_id, loan(number), `event-${number}`);
  await append(1);
  await server.client.witnessed(stream_id, 1);
  const unknown = await command(["keys", "rotate-witness", "--to", "other.example", "--data", folder], environment);
  assert.deepEqual([unknown.code, /SVC_WITNESSES names no witness "other\.example"/.test(unknown.err)], [64, true]);

  // Nobody is there, and somebody who is no witness.
  for (const url of ["http://127.0.0.1:1", server.url]) {
    const wrong = { ...environment, SVC_WITNESSES: `${witness.vkey} ${url}` };
    const refused = await command(["keys", "rotate-witness", "--to", NAME, "--data", folder], wrong);
    assert.deepEqual([refused.code, /No witness answers at .*Nothing was changed/.test(refused.err)], [64, true]);
  }

  const moved = await run("keys", "rotate-witness", "--to", NAME);
  assert.deepEqual([moved.name, moved.public_key_hex, moved.key_epoch], [NAME, witness.publicKeyHex, 2]);
  await append(2);
  await server.client.witnessed(stream_id, 2);
  const { body: state } = await server.client.get(`/v2/streams/${stream_id}/proof-state`);
  assert.deepEqual(state.witnesses, [
    { witness_id: "managed", name: NAME, managed: true, state: "cosigned", problem: null },
  ]);
  const pack = async (to_seq_no: number) => {
    const { text } = await server.client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no });
    const report = assertVerified(text, made.public_key_hex, "bundle");
    assert.deepEqual(report.assurance.witnessed, { required: 1, valid: 1, pinned: 0 });
    assert.match(JSON.stringify(report.checks), /only the signer's own witness has cosigned: it is not independent/);
  };
  await pack(2);
  assert.deepEqual((await run("fsck")).faults, []);
  assert.match(JSON.stringify(await run("doctor")), /the service's own witness is a separate process, own\.example/);

  // A second process, killed and started again: what it had to cosign waits for it.
  await witness.end("SIGKILL");
  await append(3);
  await until("the witness is missed", async () => {
    const { body } = await server.client.get(`/v2/streams/${stream_id}/proof-state`);
    return body.witnesses[0].problem?.code === "unreachable";
  });
  await witness.start();
  await append(4);
  await server.client.witnessed(stream_id, 4);

  if (!ON_POSTGRES) {
    // The whole folder is rolled back, with all that it remembers: only the other process knows.
    assert.equal(await server.end("SIGINT"), 0);
    const copy = `${folder}.copy`;
    cpSync(folder, copy, { recursive: true });
    server = await start();
    await append(5);
    await server.client.witnessed(stream_id, 5);
    assert.equal(await server.end("SIGINT"), 0);
    cpSync(folder, `${folder}.newer`, { recursive: true });
    rmSync(folder, { recursive: true });
    cpSync(copy, folder, { recursive: true });
    server = await start();
    await append(6);
    await until("the witness refuses the other history", async () => {
      const { body } = await server.client.get(`/v2/streams/${stream_id}/proof-state`);
      return body.witnesses[0].problem?.code === "history_contradicted";
    });
    const refused = await server.client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 5 });
    assert.deepEqual([refused.status, refused.body.detail.code], [409, "evidence_missing"]);
    const { forks } = (await (await fetch(`${witness.url}/forks`)).json()) as { forks: object[] };
    assert.equal(forks.length, 1);
    assert.equal(await server.end("SIGINT"), 0);
    rmSync(folder, { recursive: true });
    cpSync(`${folder}.newer`, folder, { recursive: true });
    server = await start();
  }

  const back = await run("keys", "rotate-witness");
  assert.deepEqual([back.name, back.replaces, back.key_epoch], [`${made.origin}/witness`, witness.publicKeyHex, 3]);
  const { body } = await append(7);
  await server.client.witnessed(stream_id, body.seq_no);
  await pack(body.seq_no);
  assert.deepEqual((await run("fsck")).faults, []);
});
