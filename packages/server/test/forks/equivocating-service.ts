/**
 * A server of the test service that tells two histories (testkit/evidence/forks.ts): its key, its witness and its
 * stream are this deployment's own, so that its evidence of every kind is evidence against this deployment.
 */
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type ForkEvidence, type Kid, kidOf, policyDigest, witnessPolicyDigest } from "@svc/core";
import { systemClock } from "@svc/host/clock";
import { forks, told } from "@svc/testkit/evidence/forks";
import { at, ORIGIN, SERVICE, WITNESS } from "@svc/testkit/evidence/service";
import { Client } from "@svc/testkit/server/client";
import { configOf, settingsOf } from "@svc/testkit/server/folder-database";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { initialize } from "../../src/initialize.ts";
import { kernel } from "../../src/kernel.ts";
import { insertPolicyVersion, newestPolicy } from "../../src/policies/policies-store.ts";
import { serve } from "../../src/serving/serve.ts";
import { insertSigningKey } from "../../src/signing/service-store.ts";
import { insertStream } from "../../src/streams/streams-store.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { streamOf } from "../store-under-test.ts";

/** The stream of the evidence. */
export const STREAM = told.records[0]?.stream_id ?? "";
/** The evidence of every kind, by its name. */
export const EVIDENCE: ReadonlyMap<string, ForkEvidence> = new Map(
  (await forks()).map(({ name, evidence }) => [name, evidence]),
);

/** Returns evidence by its name. */
export function evidence(name: string): ForkEvidence {
  const found = EVIDENCE.get(name);
  if (found === undefined) throw new Error(`there is no evidence ${name}`);
  return found;
}

/** Serves the deployment. `threshold`: how many of the stream's two witnesses have to cosign. */
export async function startConvicted(t: TestContext, threshold = 1) {
  const folder = join(temporaryFolder(), "data");
  const made = await initialize({
    program: THIN_SERVER,
    dataFolder: folder,
    databaseSettings: await settingsOf(folder, t),
    origin: ORIGIN,
    tenantName: "Bank",
    systemName: "Loans",
    useCase: "loan decisions",
    withKey: true,
    kernel,
    clock: systemClock,
  });
  const environment = {
    SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
    SVC_LOG_LEVEL: "silent",
    SVC_SEAL_INTERVAL_MS: "20",
    SVC_PORT: "0",
    SVC_DATA: folder,
  };
  const server = await serve(THIN_SERVER, await configOf(environment), { kernel, clock: systemClock });
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= server.close();
    return closing;
  };
  t.after(close);
  const { database } = server.service.context;
  await database.write(async (writer) => {
    const kid = kidOf(kernel, SERVICE.publicKeyHex) as Kid;
    await insertSigningKey(writer, { kid, public_key_hex: SERVICE.publicKeyHex, valid_from: at(0) });
    await writer.run("UPDATE signing_keys SET retired_at = $1 WHERE kid = $2", at(1), kid);
    const built = await newestPolicy(writer, null, "default");
    if (built === null) throw new Error("the deployment lacks its own policy");
    const { policy, witnessPolicy } = built;
    const [own] = witnessPolicy.witnessKeys;
    if (own === undefined) throw new Error("the deployment lacks its own witness");
    const second = { ...own, witness_id: "told", public_key_hex: WITNESS.publicKeyHex, managed: false };
    const policies = {
      policy: { ...policy, policy_id: "told" },
      witnessPolicy: { ...witnessPolicy, policy_id: "told", threshold, witnessKeys: [own, second] },
    };
    const version = {
      ...policies,
      tenantId: made.tenant_id,
      policyDigest: policyDigest(kernel, policies.policy),
      witnessPolicyDigest: witnessPolicyDigest(kernel, policies.witnessPolicy),
      whenUnmet: "closed" as const,
      explicit: true,
    };
    await insertPolicyVersion(writer, version, witnessPolicy.declared_at);
    const names = { tenantId: made.tenant_id, systemId: made.system_id };
    await insertStream(writer, { ...streamOf(names, STREAM), policy_id: "told" });
  });
  return { made, server, close, database, client: new Client(server.url, made.api_key ?? "") };
}
