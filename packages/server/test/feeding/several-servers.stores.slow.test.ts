/** Several servers on one database feed one witness: each note is sent once, whichever server made its checkpoint. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { newServerPlace, ON_NAMED } from "@svc/testkit/drivers";
import { loan } from "@svc/testkit/server/loan";
import { operatorOf } from "../../src/commands/deployment.ts";
import { kernel } from "../../src/kernel.ts";
import { declarePolicy } from "../../src/policies/declare-policy.ts";
import { deploymentOn, serverOf } from "../postgres/several-servers.ts";
import { keysOf, vkeyOf } from "./fed-deployment.ts";
import { lineOf, lines, startMaliciousServer } from "./malicious-witness.ts";

const STREAMS = 8;
const ROUNDS = 3;

test("two servers share the feeding of a witness", ON_NAMED, async (t) => {
  const { url } = await newServerPlace(t);
  const made = await deploymentOn(url);
  const asked: string[] = [];
  const witness = await startMaliciousServer(
    t,
    "shared",
    lines(({ origin, size, text }) => {
      if (origin !== made.origin) asked.push(`${origin} ${size}`);
      return lineOf("shared", text);
    }),
  );
  const settings = { SVC_WITNESSES: `${vkeyOf(witness)} ${witness.url}` };
  const servers = await Promise.all([0, 1].map(() => serverOf(t, made, url, settings)));
  const [one] = servers;
  assert.ok(one !== undefined);
  const { database, clock } = one.server.service.context;
  const document = { policy_id: "shared", mode: "independent" as const, witnessKeys: keysOf([witness]) };
  await database.write((writer) =>
    declarePolicy(writer, kernel, operatorOf(made.tenant_id), document, new Date(clock()).toISOString()),
  );
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, async () => {
      const request = { system_id: made.system_id, use_case: "loans", policy_id: "shared", metadata: {} };
      return (await one.client.post("/v2/streams", request)).body.stream_id as string;
    }),
  );
  for (let round = 1; round <= ROUNDS; round++) {
    await Promise.all(
      streams.map(async (stream, index) => {
        const server = servers[(index + round) % 2];
        assert.equal((await server?.client.append(stream, loan(round), `${stream}-${round}`))?.status, 201);
      }),
    );
    for (const stream of streams) await one.client.witnessed(stream, round);
  }
  assert.equal(new Set(asked).size, asked.length, "no note was sent twice");
  assert.equal(asked.length, STREAMS * ROUNDS);
});
