/** A running server with outside witnesses, and a policy of a tenant that asks for some of them. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { WitnessPolicyBody } from "@svc/api";
import { COSIGNATURE_LINE, encodeBase64, hexToBytes, noteKeyId, type PublicKeyHex, verificationKey } from "@svc/core";
import { Client } from "@svc/testkit/server/client";
import { startServer, type TestServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import type { FedWitness } from "../../src/feeding/fed-witness.ts";
import { feedingSettings } from "../../src/feeding/settings.ts";
import { kernel } from "../../src/kernel.ts";
import { closeServiceLog } from "../../src/service-log/log-store.ts";
import type { Config } from "../../src/settings/config.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";

/** A witness as a policy and the settings of a server name it. */
export interface Named {
  readonly name: string;
  readonly publicKeyHex: PublicKeyHex;
  readonly url: string;
}

/** Returns the verification key of a witness (c2sp.org/tlog-cosignature). */
export function vkeyOf({ name, publicKeyHex }: Omit<Named, "url">): string {
  const typed = Buffer.concat([Buffer.of(COSIGNATURE_LINE), hexToBytes(publicKeyHex)]);
  return `${name}+${noteKeyId(kernel, name, COSIGNATURE_LINE, publicKeyHex)}+${encodeBase64(typed)}`;
}

/** Returns witnesses as the settings of a server have them. */
export function fedWitnesses(witnesses: readonly Named[]): readonly FedWitness[] {
  const text = witnesses.map((witness) => `${vkeyOf(witness)} ${witness.url}`).join(", ");
  return feedingSettings.witnesses.parse(text, "SVC_WITNESSES") as readonly FedWitness[];
}

/** Returns a policy's keys, one for each witness, with the first part of its name as its id. */
export function keysOf(witnesses: readonly Omit<Named, "url">[]): NonNullable<WitnessPolicyBody["witnessKeys"]> {
  return witnesses.map(({ name, publicKeyHex }) => ({
    witness_id: (name.split(".")[0] ?? "").toLowerCase(),
    name,
    public_key_hex: publicKeyHex,
  }));
}

export interface FedDeployment extends TestServer {
  /** A client that may declare policies. */
  readonly admin: Client;
  /** Makes a stream under a policy that was declared before. */
  readonly streamOf: (policyId: string) => Promise<string>;
  /** The verification key of a stream's log. */
  readonly logOf: (streamId: string) => string;
  /** Waits until a stream's proof state is as asked for, and resolves to it. */
  readonly stateWhen: (
    streamId: string,
    what: string,
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers by the members that they expect
    isSo: (state: any) => boolean,
    // biome-ignore lint/suspicious/noExplicitAny: see above
  ) => Promise<any>;
}

/** Starts a server that feeds these witnesses. */
export async function startFed(
  t: TestContext,
  witnesses: readonly Named[],
  changes: Partial<Config> = {},
): Promise<FedDeployment> {
  const here = await startServer(t, { witnesses: fedWitnesses(witnesses), ...changes });
  const { server, made, client } = here;
  const { context } = server.service;
  const owner = { tenantId: made.tenant_id, systemId: made.system_id };
  // The tests that start it are about streams: nothing else is sent.
  await context.database.write((writer) => closeServiceLog(writer, new Date(context.clock()).toISOString()));
  const limits = { actions: ["read", "declare_policy"] as const, streams: null };
  const actor = { tenantId: made.tenant_id, kind: "service" as const, id: "test", roles: [] };
  const key = await context.database.write((writer) =>
    systemKeysOf(context).create(writer, { ...owner, limits }, actor),
  );
  return {
    ...here,
    admin: new Client(server.url, key),
    streamOf: async (policy_id) => {
      const request = { system_id: made.system_id, use_case: "loans", policy_id, metadata: {} };
      const { status, body, text } = await client.post("/v2/streams", request);
      assert.equal(status, 201, text);
      return body.stream_id;
    },
    logOf: (streamId) => verificationKey(kernel, `${context.origin}/${streamId}`, made.public_key_hex as PublicKeyHex),
    stateWhen: (streamId, what, isSo) =>
      until(what, async () => {
        const { body } = await client.get(`/v2/streams/${streamId}/proof-state`);
        return isSo(body) ? body : null;
      }),
  };
}
