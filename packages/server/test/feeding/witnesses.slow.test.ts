/** Outside witnesses for real: separate programs, fed by a running server, killed and started again in between. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type PublicKeyHex, pinKeys, verificationKey, verify } from "@svc/core";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment, startServer } from "@svc/testkit/server/running-server";
import { makeWitness } from "@svc/testkit/svc-witness";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";

import { kernel } from "../../src/kernel.ts";
import { epochOver } from "../service-log/epochs.ts";
import { fedWitnesses, keysOf, startFed } from "./fed-deployment.ts";
import { startMaliciousServer } from "./malicious-witness.ts";

test("two of three witnesses have to cosign; one is killed, evidence goes on, and it catches up", async (t) => {
  const witnesses = await Promise.all(["w1", "w2", "w3"].map((name) => makeWitness(t, `${name}.example/witness`)));
  const { client, made, admin, streamOf, logOf } = await startFed(t, witnesses);
  const declared = await admin.put("/v2/tenant/witness/policies/quorum", {
    mode: "independent",
    threshold: 2,
    witnessKeys: keysOf(witnesses),
  });
  assert.equal(declared.status, 200, declared.text);
  const stream_id = await streamOf("quorum");
  await Promise.all(witnesses.map((witness) => witness.watch(logOf(stream_id))));

  await client.append(stream_id, loan(1));
  await client.witnessed(stream_id, 1);
  await witnesses[2]?.end("SIGKILL");
  for (let number = 2; number <= 4; number++) {
    await client.append(stream_id, loan(number));
    await client.witnessed(stream_id, number);
  }
  const trust = {
    ...pinKeys(kernel, [made.public_key_hex as PublicKeyHex]),
    witnesses: witnesses.map(({ name, publicKeyHex }) => ({ name, public_key_hex: publicKeyHex })),
    quorum: 2,
  };
  const pack = async (to_seq_no: number) => {
    const { status, text } = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no });
    assert.equal(status, 201, text);
    return verify(Buffer.from(text), { kind: "bundle", trust, kernel });
  };
  const without = await pack(4);
  assert.equal(without.verdict, "verified", JSON.stringify(without.problems));
  assert.deepEqual(without.assurance.witnessed, { required: 2, valid: 2, pinned: 2 });

  await witnesses[2]?.start();
  await client.append(stream_id, loan(5));
  await client.witnessed(stream_id, 5);
});

test("kill -9 after a witness has cosigned, and before the server has its answer: the cosignature is fetched again", async (t) => {
  const witness = await makeWitness(t, "w1.example/witness");
  const folder = temporaryFolder();
  const data = join(folder, "data");
  const made = await makeDeployment(data);
  let kill: (() => Promise<unknown>) | null = null;
  const statuses: number[] = [];
  // It is between the two, and is no liar: it passes everything on.
  const between = await startMaliciousServer(t, "between", async ({ body, origin }, response) => {
    const answer = await fetch(`${witness.url}/add-checkpoint`, { method: "POST", body });
    const text = await answer.text();
    // It does not watch the service log.
    if (origin !== made.origin) {
      statuses.push(answer.status);
      const killed = kill?.();
      kill = null;
      await killed;
    }
    response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "" });
    response.end(text);
  });
  const file = join(folder, "policy.json");
  writeFileSync(file, JSON.stringify({ policy_id: "one", mode: "independent", witnessKeys: keysOf([witness]) }));
  const declared = await command(["policies", "declare", "--file", file, "--data", data]);
  assert.equal(declared.code, 0, declared.err);
  const environment = { SVC_WITNESSES: `${witness.vkey} ${between.url}`, SVC_WITNESS_TIMEOUT_MS: "2000" };

  const first = await startChild(t, data, environment);
  const client = new Client(first.url, made.api_key ?? "");
  const request = { system_id: made.system_id, use_case: "loans", policy_id: "one", metadata: {} };
  const { stream_id } = (await client.post("/v2/streams", request)).body;
  await witness.watch(verificationKey(kernel, `${made.origin}/${stream_id}`, made.public_key_hex as PublicKeyHex));
  await client.append(stream_id, loan(1));
  await client.witnessed(stream_id, 1);
  kill = () => first.end("SIGKILL");
  await client.append(stream_id, loan(2));
  assert.equal(await first.ended, null);

  const second = new Client((await startChild(t, data, environment)).url, made.api_key ?? "");
  await second.witnessed(stream_id, 2);
  assert.deepEqual(
    statuses,
    [200, 200, 409, 200],
    "the witness says that it has cosigned the newest one, and does so again",
  );
  const { ok, faults } = JSON.parse((await command(["fsck", "--data", data, "--json"])).out);
  assert.deepEqual({ ok, faults }, { ok: true, faults: [] });
});

test("a witness cosigns the epochs of the service log; ended meanwhile, it catches up at once", async (t) => {
  const witness = await makeWitness(t, "w1.example/witness");
  const { client, made } = await startServer(t, { witnesses: fedWitnesses([witness]), epochIntervalMs: 20 });
  const publicKeyHex = made.public_key_hex as PublicKeyHex;
  await witness.watch(verificationKey(kernel, made.origin, publicKeyHex));
  const trust = {
    ...pinKeys(kernel, [publicKeyHex]),
    witnesses: [{ name: witness.name, public_key_hex: witness.publicKeyHex }],
  };
  const published = async (number: number) => {
    await client.append(made.stream_id, loan(number));
    const { latest_checkpoint_id: checkpointId } = await client.witnessed(made.stream_id, number);
    return epochOver(client, checkpointId);
  };
  const cosigned = async (number: number) => {
    const { anchor_epoch_id } = await published(number);
    await until(`epoch ${number} is cosigned`, async () => {
      const { text } = await client.get(`/v2/anchors/${anchor_epoch_id}`);
      const report = verify(Buffer.from(text), { kind: "anchor", trust, kernel });
      assert.equal(report.verdict, "verified", JSON.stringify(report.problems));
      return report.assurance.published === "witnessed" ? true : null;
    });
  };
  await cosigned(1);
  await cosigned(2);
  await witness.end("SIGKILL");
  for (const number of [3, 4, 5, 6]) await published(number);
  await witness.start();
  await cosigned(7);
});
