/**
 * The scene with witnesses: three owners run one each, and two of them have to cosign. One is killed, evidence goes on.
 * Then the service tells two histories (split-view.ts), and goes away.
 */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { SvcClient } from "@svc/sdk";
import { type PublicKeyHex, selectKernel, verificationKey } from "../packages/core/src/index.ts";
import { buildWitness } from "../packages/witness/build.ts";
import { step } from "./progress.ts";
import type { Scene } from "./scene.ts";
import { declarePolicy, type Initialised, initService, startService } from "./service.ts";
import { playSplitView } from "./split-view.ts";
import { startWitness, type Witness } from "./witness.ts";

const OWNERS = ["university", "newspaper", "regulator"];
const QUORUM = 2;
const POLICY = "two-of-three";

/** Starts it all in folders beginning with a path. `events`: how many will be recorded. `out`: where files stay. */
export async function threeWitnesses(path: string, origin: string, events: number, out: string): Promise<Scene> {
  await buildWitness();
  step("svc-witness built", "one file, packages/witness/dist/svc-witness.mjs");
  const witnesses: Witness[] = [];
  for (const owner of OWNERS) {
    const witness = await startWitness(owner, `${path}-witness-${owner}`);
    step(`witness of the ${owner} started`, witness.url);
    witnesses.push(witness);
  }
  const [lost, ...left] = witnesses;
  assert.ok(lost !== undefined && left.length === QUORUM);

  const data = `${path}-first`;
  const initialised = await initService(data, origin);
  step("service created", `${initialised.origin}, key ${initialised.kid}`);
  const policyFile = `${data}-policy.json`;
  writeFileSync(policyFile, JSON.stringify(policyOf(witnesses)));
  await declarePolicy(data, policyFile);
  rmSync(policyFile);
  step("policy declared", `${QUORUM} of the ${witnesses.length} witnesses have to cosign`);
  const settings = { SVC_WITNESSES: witnesses.map(({ vkey, url }) => `${vkey} ${url}`).join(", ") };
  const server = await startService(data, settings);
  step("server started", `${server.url}, feeds the witnesses`);

  const { api_key: apiKey, system_id } = initialised;
  const client = new SvcClient({ baseUrl: server.url, apiKey });
  const { stream_id } = await client.createStream({ system_id, use_case: "earthquakes", policy_id: POLICY });
  const made: Initialised = { ...initialised, stream_id };
  const kernel = selectKernel();
  for (const log of [origin, `${origin}/${stream_id}`])
    for (const { watch } of witnesses)
      await watch(verificationKey(kernel, log, initialised.public_key_hex as PublicKeyHex));
  step("its logs added by each owner", "svc-witness origins add");

  const quorumFile = `${out}witnesses.tlog-policy`;
  writeFileSync(quorumFile, tlogPolicyOf(witnesses));
  const loseWitness = async () => {
    await lost.kill();
    step(`witness of the ${lost.owner} killed`, "SIGKILL; the other two go on");
  };
  return {
    made,
    url: server.url,
    mishaps: [{ afterReceipts: Math.floor(events / 2), happen: loseWitness }],
    ending: `service committed to them in windows and checkpoints, and two of three witnesses that
it does not run cosigned; the third was killed on the way. Then the service told two
histories: its folder was copied, and both copies recorded an event under the same number,
each another one. The two witnesses had cosigned the first history, refused the second,
and each wrote evidence of it. Then services and witnesses were stopped, and their data
deleted. The evidence convinces everybody who has only that file and the service's key. Bundles
that carry it are rejected, and the second history is rejected without it as well: it
lacks the witnesses.`,
    split: () =>
      playSplitView({ made, server, data, copy: `${path}-second`, settings, witnesses: left, quorumFile, out }),
    async remove() {
      for (const { owner, stop } of left) assert.equal(await stop(), 0, `the witness of the ${owner} must end with 0`);
      for (const { folder } of witnesses) rmSync(folder, { recursive: true });
      rmSync(data, { recursive: true });
      step("services and witnesses deleted", "from here on there are only the files and the key");
    },
  };
}

/** Returns the policy that names the witnesses. It is open, so that a pack without them can be looked at as well. */
function policyOf(witnesses: readonly Witness[]) {
  const witnessKeys = witnesses.map(({ owner, name, publicKeyHex }) => ({
    witness_id: owner,
    name,
    public_key_hex: publicKeyHex,
  }));
  return { policy_id: POLICY, mode: "independent", threshold: QUORUM, witnessKeys, when_unmet: "open" };
}

/** Returns the auditor's demand (c2sp.org/tlog-policy), with the keys that the owners gave them. */
function tlogPolicyOf(witnesses: readonly Witness[]): string {
  const lines = witnesses.map(({ owner, vkey }) => `witness ${owner} ${vkey}\n`);
  const owners = witnesses.map(({ owner }) => owner).join(" ");
  return `${lines.join("")}group owners ${QUORUM} ${owners}\nquorum owners\n`;
}
