/** Receipts by a later key than the pinned one: accepted if the pinned key endorses it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startMaliciousServer } from "@svc/testkit/malicious-server";
import { type PublicKeyHex, pinKeys, referenceKernel, SvcClient, VerificationError } from "../src/index.ts";
import { collect } from "./collect.ts";
import { startServer } from "./server.ts";

const server = await startServer();
const liar = await startMaliciousServer(server);
const trust = pinKeys(referenceKernel, [server.publicKeyHex as PublicKeyHex]);

const event = (number: number) => ({
  source_ref: `sensor-4/${number}`,
  event_type: "temperature.read",
  occurred_at: "2026-03-01T09:30:00Z",
  payload: { celsius: 21.5 },
});

const isUntrusted = (error: unknown) => error instanceof VerificationError && error.code === "key_not_pinned";

test("a receipt by a key that the pinned one endorses is accepted, and chains to the one before", async () => {
  const asked: string[] = [];
  const noting: typeof fetch = (input, init) => {
    asked.push(new URL(`${input}`).pathname);
    return fetch(input, init);
  };
  const stream = new SvcClient({ ...server, trust, fetch: noting }).stream(server.streamId);
  const first = await stream.append(event(1));
  await server.rotate();
  const [second, third] = await stream.appendBatch([event(2), event(3)]);
  assert.notEqual(second?.receipt.kid, first.receipt.kid);
  assert.equal(second?.previous_event_hash, first.event_hash);
  const [fourth] = await stream.appendBatch([event(4)]);
  assert.deepEqual([fourth?.receipt.kid, fourth?.previous_event_hash], [second?.receipt.kid, third?.event_hash]);
  assert.equal((await stream.head()).event_hash, fourth?.event_hash);
  assert.equal((await collect(stream.events())).length, 4);
  assert.equal(asked.filter((path) => path === "/v2/keys").length, 1, "endorsements are asked for once");
});

test("not if the pin lets it endorse nobody, the key is revoked, or the endorsement is kept back or forged", async () => {
  const { items } = await new SvcClient(server).stream(server.streamId).events();
  const [kid] = items.slice(-1).map(({ receipt }) => receipt.kid);
  assert.ok(kid !== undefined && kid !== trust.signers[0]?.kid);
  const appending = (options: object) =>
    new SvcClient({ ...server, baseUrl: liar.baseUrl, trust, ...options }).stream(server.streamId).append(event(4));
  const strict = { signers: trust.signers.map((signer) => ({ ...signer, endorse: false as const })) };
  await assert.rejects(appending({ trust: strict }), isUntrusted);
  await assert.rejects(appending({ trust: { ...trust, revoked: [kid] } }), { code: "key_revoked" });
  liar.tell((body, path) => (path === "/v2/keys" ? { ...body, endorsements: [] } : body));
  await assert.rejects(appending({}), isUntrusted);
  liar.tell((body, path) => {
    if (path !== "/v2/keys") return body;
    const [{ seal, ...endorsement }] = body.endorsements;
    return { ...body, endorsements: [{ ...endorsement, seal: { ...seal, signature: "ab".repeat(64) } }] };
  });
  const misled = new SvcClient({ ...server, baseUrl: liar.baseUrl, trust }).stream(server.streamId);
  await assert.rejects(misled.append(event(4)), { name: "VerificationError", code: "signature_invalid" });
  liar.tell((body) => body);
  assert.equal((await misled.append(event(4))).receipt.kid, kid, "what was forged is not kept");
});
