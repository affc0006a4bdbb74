/** How trust reaches a key: no endorsement can widen the verifier's word about a pinned key. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SERVICE, WITNESS } from "@svc/testkit/evidence/service";
import {
  issueKeyEndorsement,
  type Json,
  type Kid,
  type PublicKeyHex,
  pinKeys,
  referenceKernel,
  verify,
} from "../src/index.ts";
import { type EndorsementLink, KeyRing } from "../src/trust/key-ring.ts";
import type { PinnedSigner } from "../src/trust/policy.ts";

const STREAM = "str_01k30000000000000000000001";
const OTHER_STREAM = "str_01k30000000000000000000002";
const PAST = "2020-01-01T00:00:00.000Z";
const kid = (name: string) => `ed25519-${name}` as Kid;
const pin = (name: string, limits: Partial<PinnedSigner> = {}): PinnedSigner => ({
  kid: kid(name),
  public_key_hex: name as PublicKeyHex,
  ...limits,
});
const endorse = (by: string, of: string, validFrom = "2021-01-01T00:00:00.000Z"): EndorsementLink => ({
  endorsed_kid: kid(of),
  public_key_hex: of as PublicKeyHex,
  valid_from: validFrom,
  seal: { kid: kid(by) },
});

function judge(
  signers: PinnedSigner[],
  links: EndorsementLink[],
  name: string,
  revoked: string[] = [],
  origin?: string,
) {
  const ring = new KeyRing({ signers, revoked: revoked.map(kid) });
  ring.accept(links);
  const standing = ring.standing(kid(name), { streamId: STREAM, origin });
  return standing.trusted ? [standing.validFrom, standing.validTo] : standing.code;
}

test("endorsements lead from a pinned key, over at most 32 links, the shortest counting", () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, i) => endorse(`k${i}`, `k${i + 1}`, `20${String(21 + i)}-01-01T00:00:00.000Z`));
  assert.deepEqual(judge([pin("k0")], chain(1), "k1"), ["2021-01-01T00:00:00.000Z", null]);
  assert.deepEqual(judge([pin("k0")], chain(32).reverse(), "k32"), ["2052-01-01T00:00:00.000Z", null]);
  assert.equal(judge([pin("k0")], chain(33), "k33"), "key_not_pinned");
  const shortcut = [...chain(3), endorse("k0", "k3", "2030-01-01T00:00:00.000Z")];
  assert.deepEqual(judge([pin("k0")], shortcut, "k3"), ["2030-01-01T00:00:00.000Z", null]);
});

test("no chain leads through a pinned key that has an end, may not endorse, or is for another stream", () => {
  const links = [endorse("k0", "k1"), endorse("k1", "evil")];
  assert.equal(judge([pin("k0"), pin("k1", { valid_to: PAST })], links, "evil"), "key_time_unproven");
  assert.equal(judge([pin("k0"), pin("k1", { endorse: false })], links, "evil"), "key_not_pinned");
  assert.equal(judge([pin("k0"), pin("k1", { streams: [OTHER_STREAM] })], links, "evil"), "signer_not_for_stream");
  assert.deepEqual(judge([pin("k0"), pin("k1")], links, "evil"), ["2021-01-01T00:00:00.000Z", null]);
});

test("a pinned key is judged by its own pins, whichever key endorses it", () => {
  const links = [endorse("k0", "k1")];
  assert.equal(judge([pin("k0"), pin("k1", { streams: [OTHER_STREAM] })], links, "k1"), "signer_not_for_stream");
  assert.deepEqual(judge([pin("k0"), pin("k1", { valid_to: PAST })], links, "k1"), [null, PAST]);
});

test("of two pins of one key the stricter end counts, in either order", () => {
  const pins = [pin("k0"), pin("k0", { valid_to: PAST })];
  assert.deepEqual(judge(pins, [], "k0"), [null, PAST]);
  assert.deepEqual(judge(pins.reverse(), [], "k0"), [null, PAST]);
  assert.equal(judge(pins, [endorse("k0", "k1")], "k1"), "key_time_unproven");
});

test("a revoked key is trusted for nothing, and nothing that it endorses", () => {
  const links = [endorse("k0", "k1"), endorse("k1", "k2")];
  assert.equal(judge([pin("k0")], links, "k0", ["k0"]), "key_revoked");
  assert.equal(judge([pin("k0")], links, "k1", ["k0"]), "key_revoked");
  assert.equal(judge([pin("k0")], links, "k2", ["k1"]), "key_revoked");
});

test("an origin restricts what the pin reaches", () => {
  const signers = [pin("k0", { origin: "log.example/svc" })];
  assert.deepEqual(judge(signers, [], "k0", [], `log.example/svc/${STREAM}`), [null, null]);
  assert.equal(judge(signers, [], "k0", [], `log.example/${STREAM}`), "signer_not_for_stream");
  assert.equal(judge(signers, [endorse("k0", "k1")], "k1", [], `other.example/${STREAM}`), "signer_not_for_stream");
});

test("a lone endorsement by a key that may not endorse is not trusted", async () => {
  const endorsement = await issueKeyEndorsement(
    referenceKernel,
    SERVICE,
    WITNESS.publicKeyHex,
    "2026-03-01T00:00:00.000Z",
  );
  const [own] = pinKeys(referenceKernel, [SERVICE.publicKeyHex]).signers;
  assert.ok(own !== undefined);
  const bytes = referenceKernel.canonicalize(JSON.parse(JSON.stringify(endorsement)) as Json);
  assert.equal(verify(bytes, { trust: { signers: [own] } }).verdict, "verified");
  const report = verify(bytes, { trust: { signers: [{ ...own, endorse: false }] } });
  assert.deepEqual([report.verdict, report.problems[0]?.code], ["untrusted", "key_not_pinned"]);
});

test("successors are the keys of at most 32 links, whichever keys are trusted", () => {
  const links = Array.from({ length: 33 }, (_, i) => endorse(`k${i}`, `k${i + 1}`));
  const ring = new KeyRing({ signers: [] });
  ring.accept([...links, endorse("k2", "k1")]);
  const reached = [...ring.successors([kid("k0")])];
  assert.deepEqual(
    reached,
    Array.from({ length: 33 }, (_, i) => kid(`k${i}`)),
  );
});

test("the endorsements accepted last are all that count", () => {
  const ring = new KeyRing({ signers: [pin("k0")] });
  ring.accept([endorse("k0", "k1")]);
  assert.equal(ring.standing(kid("k1"), {}).trusted, true);
  ring.accept([endorse("k0", "k2")]);
  assert.equal(ring.standing(kid("k1"), {}).trusted, false);
  assert.equal(ring.standing(kid("k2"), {}).trusted, true);
  assert.deepEqual([...ring.successors([kid("k0")])], [kid("k0"), kid("k2")]);
});

test("of equally short chains the one that is valid earliest counts, in either order", () => {
  const early = endorse("k0", "k2", "2021-01-01T00:00:00.000Z");
  const late = endorse("k1", "k2", "2022-01-01T00:00:00.000Z");
  const pins = [pin("k0"), pin("k1")];
  for (const signers of [pins, pins.toReversed()])
    assert.deepEqual(judge(signers, [early, late], "k2"), ["2021-01-01T00:00:00.000Z", null]);
});

test("of three ends the earliest counts, in any order", () => {
  const ends = ["2023-01-01T00:00:00.000Z", "2021-01-01T00:00:00.000Z", "2022-01-01T00:00:00.000Z"];
  const pins = ends.map((valid_to) => pin("k0", { valid_to }));
  assert.deepEqual(judge(pins, [], "k0"), [null, ends[1]]);
});

test("a key may endorse unless a pin of that very key says otherwise", () => {
  const ring = new KeyRing({ signers: [pin("k0"), pin("k1", { endorse: false }), pin("k1")] });
  assert.deepEqual(
    ["k0", "k1", "k2"].map((name) => ring.mayEndorse(kid(name))),
    [true, false, true],
  );
});

test("an origin restricts what belongs to no stream to the service of that name", () => {
  const ring = new KeyRing({ signers: [pin("k0", { origin: "log.example/svc", streams: [STREAM] })] });
  assert.equal(ring.standing(kid("k0"), { serviceOrigin: "log.example/svc" }).trusted, true);
  assert.equal(ring.standing(kid("k0"), { serviceOrigin: "log.example" }).trusted, false);
});

test("every key is known that is pinned or came along, and pinned bytes come first", () => {
  const ring = new KeyRing({ signers: [pin("k0")] });
  ring.carry(
    [
      { kid: kid("k0"), public_key_hex: "other" as PublicKeyHex },
      { kid: kid("k1"), public_key_hex: "k1" as PublicKeyHex },
    ],
    [endorse("k0", "k2")],
  );
  const known = { [kid("k0")]: "k0", [kid("k1")]: "k1", [kid("k2")]: "k2" };
  assert.deepEqual(Object.fromEntries(ring.known()), known);
  assert.equal(ring.publicKey(kid("k0")), "k0");
  assert.equal(ring.publicKey(kid("k3")), null);
});
