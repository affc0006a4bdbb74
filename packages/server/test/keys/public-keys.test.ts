/**
 * The keys that the service states: current and past ones, in every form in which verifiers pin them, and the
 * endorsements from one to the next.
 */
import assert from "node:assert/strict";
import { createPublicKey, verify as verifySignature } from "node:crypto";
import { test } from "node:test";
import { issueKeyEndorsement, issueReceipt, pinKeys, referenceKernel, verify, ZERO_HASH } from "@svc/core";
import { loan } from "@svc/testkit/server/loan";
import { startServer, type TestServer } from "@svc/testkit/server/running-server";
import { newId } from "../../src/ids.ts";
import { insertKeyEndorsement } from "../../src/signing/endorsements-store.ts";
import { newSigningKeyPem, signerOf } from "../../src/signing/file-signer.ts";

const VALID_FROM = "2026-01-01T00:00:00.000Z";
const RETIRED = "2026-02-01T00:00:00.000Z";

/** Resolves to a server whose key has a retired one before it, which endorses it. */
async function withPastKey({ server }: TestServer) {
  const { database, kernel, signingKey } = server.service.context;
  const signer = await database.read((reader) => signingKey.current(reader));
  const past = signerOf(kernel, newSigningKeyPem(), "past.pem");
  const endorsement = await issueKeyEndorsement(kernel, past, signer.publicKeyHex, RETIRED);
  await database.write(async (writer) => {
    const sql = "INSERT INTO signing_keys (kid, public_key_hex, valid_from, retired_at) VALUES ($1, $2, $3, $4)";
    await writer.run(sql, past.kid, past.publicKeyHex, VALID_FROM, RETIRED);
    await insertKeyEndorsement(writer, endorsement, RETIRED);
  });
  return { past, endorsement };
}

test("each key has its times and its JWK; a stored endorsement is served as it is, and verifies", async (t) => {
  const here = await startServer(t);
  const { client, made } = here;
  const { past, endorsement } = await withPastKey(here);
  const { body } = await client.get("/v2/keys");
  const [current, retired] = body.keys;
  assert.deepEqual([current.kid, current.status, current.valid_to], [made.kid, "current", null]);
  assert.deepEqual(
    [retired.kid, retired.status, retired.valid_from, retired.valid_to],
    [past.kid, "past", VALID_FROM, RETIRED],
  );
  const { x, ...rest } = retired.jwk;
  assert.deepEqual(rest, { kty: "OKP", crv: "Ed25519", kid: past.kid, use: "sig", alg: "EdDSA" });
  assert.equal(Buffer.from(x, "base64url").toString("hex"), past.publicKeyHex);
  const key = createPublicKey({ key: retired.jwk, format: "jwk" });
  assert.ok(verifySignature(null, Buffer.from("text"), key, await past.sign(Buffer.from("text"))));

  assert.deepEqual(body.endorsements, [endorsement]);
  const text = Buffer.from(JSON.stringify(body.endorsements[0]));
  assert.equal(verify(text, { trust: pinKeys(referenceKernel, [past.publicKeyHex]) }).verdict, "verified");
});

test("a key endorses one successor, and an endorsement that was changed in the database is not handed out", async (t) => {
  const here = await startServer(t);
  const { database, kernel } = here.server.service.context;
  const { past, endorsement } = await withPastKey(here);
  const other = await issueKeyEndorsement(kernel, past, past.publicKeyHex, RETIRED);
  await assert.rejects(
    database.write((writer) => insertKeyEndorsement(writer, other, RETIRED)),
    /UNIQUE/i,
  );
  const { reason: _reason, ...changed } = endorsement;
  await database.write((writer) => writer.run("UPDATE key_endorsements SET document = $1", JSON.stringify(changed)));
  const { status, body } = await here.client.get("/v2/keys");
  assert.deepEqual([status, body.detail.code], [500, "internal_error"]);
});

test("what a past key sealed still verifies on the verify routes; what a strange key sealed does not", async (t) => {
  const here = await startServer(t);
  const { kernel } = here.server.service.context;
  const { past } = await withPastKey(here);
  const event = { ...loan(1), occurred_at: VALID_FROM };
  const place = {
    stream_id: here.made.stream_id,
    stream_event_id: newId("sev"),
    seq_no: 1,
    previous_event_hash: ZERO_HASH,
    received_at: VALID_FROM,
    payload_salt: "0".repeat(32),
  };
  const verdictOf = async (signer: typeof past) => {
    const record = await issueReceipt(kernel, signer, event, place);
    return (await here.client.post("/v2/verify/receipt", record)).body.verdict;
  };
  assert.equal(await verdictOf(past), "verified");
  assert.equal(await verdictOf(signerOf(kernel, newSigningKeyPem(), "strange.pem")), "untrusted");
});
