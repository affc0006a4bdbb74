/**
 * The keys of installations: whose word counts, what contradicts it, and how far handovers lead from a pin (protocol
 * section 26).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, id, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import {
  type Handover,
  issueHandover,
  issueKeyEndorsement,
  issueKeyStatus,
  type KeyStatus,
  keyHint,
  kidOf,
  pinKeys,
  referenceKernel,
  type SignatureHex,
  type Signer,
  type TrustPolicy,
  verify,
} from "../../src/index.ts";
import { Examination } from "../../src/report/examination.ts";
import { keyStatusBody } from "../../src/vault/key-status/issue.ts";
import { KnownKeys } from "../../src/vault/known-keys.ts";

const kernel = referenceKernel;
const PINNED = pinKeys(kernel, [SERVICE.publicKeyHex]);
const UNTRUSTED_SIGNER = testSigner("stranger");
const INSTALLATION = id("ins", 1);
const SCOPE = { streamId: id("str", 1), origin: `test.example/evidence/${id("str", 1)}` };
const vault = (number: number) => testSigner(`vault ${number}`);

const status = (no: number, change: Partial<KeyStatus> = {}, by: Signer = SERVICE, key: Signer = vault(no)) =>
  issueKeyStatus(kernel, by, {
    installationId: id("ins", no),
    publicKeyHex: key.publicKeyHex,
    status: "active",
    enrolledAt: at(0),
    revokedAt: null,
    revocationReason: null,
    replacedByInstallationId: null,
    revocationInstantReconstructed: false,
    statusAt: at(100),
    ...change,
  });
const revoked = (change: Partial<KeyStatus> = {}) =>
  ({ status: "revoked", revokedAt: at(50), revocationReason: "key_compromise", ...change }) as const;
const replaced = (by: number, change: Partial<KeyStatus> = {}) =>
  ({
    status: "replaced",
    revokedAt: at(50),
    revocationReason: "superseded",
    replacedByInstallationId: id("ins", by),
    ...change,
  }) as const;
const pin = (no: number, key: Signer = vault(no)) => ({
  installation_id: id("ins", no),
  public_key_hex: key.publicKeyHex,
});

/** Returns what a verifier knows of an installation, and the codes that it found on the way. */
function known(trust: Partial<TrustPolicy>, handovers: readonly Handover[] = [], no = 1, carried: KeyStatus[] = []) {
  const exam = new Examination(kernel, { ...PINNED, ...trust });
  exam.kind = "key-status";
  const statuses = carried.map((one, index) => ({ body: keyStatusBody(one), path: `/statuses/${index}` }));
  const keys = new KnownKeys(exam, SCOPE, { statuses, handovers: { list: handovers, path: "/handovers" } });
  const key = keys.keyOf(id("ins", no), "/installationId");
  assert.equal(keys.keyOf(id("ins", no), "/elsewhere"), key, "it is read once");
  const { verdict, problems } = exam.report();
  return { key, weakest: keys.weakest, verdict, codes: problems.map(({ code }) => code), problems };
}

test("a status counts by a signer whom trust reaches for this stream and origin", async () => {
  const own = await status(1);
  const counted = known({ key_status: [own] });
  assert.deepEqual(
    [counted.key.vouched, counted.key.publicKeyHex, counted.verdict],
    ["service-vouched", vault(1).publicKeyHex, "verified"],
  );
  const [signer] = PINNED.signers;
  assert.ok(signer !== undefined);
  const edited = { ...own, statusAt: at(101) };
  for (const [trust, statuses] of [
    [{}, [await status(1, {}, UNTRUSTED_SIGNER)]],
    [{}, [edited]],
    [{ signers: [{ ...signer, streams: [id("str", 2)] }] }, [own]],
    [{ signers: [{ ...signer, origin: "other.example" }] }, [own]],
    // Nothing dates a status, so that a thief of an ended key could make one.
    [{ signers: [{ ...signer, valid_to: at(9999) }] }, [own]],
    [{ signers: [{ ...signer, valid_to: at(99) }] }, [own]],
    [{ revoked: [signer.kid] }, [own]],
    [{ signers: [] }, [own]],
  ] as readonly (readonly [Partial<TrustPolicy>, readonly KeyStatus[]])[]) {
    const { key, codes, verdict } = known({ ...trust, key_status: [...statuses] });
    assert.deepEqual([key.vouched, key.publicKeyHex, verdict], ["none", null, "untrusted"]);
    assert.deepEqual(codes, ["key_not_pinned"]);
  }
});

test("a status by an endorsed key counts from the time at which that key is valid", async () => {
  const successor = testSigner("successor");
  const endorsement = await issueKeyEndorsement(kernel, SERVICE, successor.publicKeyHex, at(100));
  for (const [statusAt, vouched] of [
    [at(99), "none"],
    [at(100), "service-vouched"],
  ] as const) {
    const exam = new Examination(kernel, { ...PINNED, key_status: [await status(1, { statusAt }, successor)] });
    exam.keys.carry([keyHint(kernel, successor.publicKeyHex)], [endorsement]);
    exam.keys.accept([endorsement]);
    assert.equal(new KnownKeys(exam, SCOPE).keyOf(INSTALLATION, "").vouched, vouched, statusAt);
  }
});

test("two statuses that exclude each other reject, wherever they stand", async () => {
  const active = await status(1);
  const ended = await status(1, revoked({ statusAt: at(200) }));
  for (const [name, one, other] of [
    ["another key", active, await status(1, { statusAt: at(200) }, SERVICE, vault(9))],
    ["another enrolment", active, await status(1, { statusAt: at(200), enrolledAt: at(1) })],
    ["another end at one time", ended, await status(1, revoked({ statusAt: at(200), revokedAt: at(49) }))],
    ["a later end", ended, await status(1, revoked({ statusAt: at(300), revokedAt: at(51) }))],
    ["active again", ended, await status(1, { statusAt: at(300) })],
    ["only replaced again", ended, await status(1, replaced(2, { statusAt: at(300) }))],
    ["replaced, then active", await status(1, replaced(2)), await status(1, { statusAt: at(300) })],
  ] as const) {
    for (const key_status of [
      [one, other],
      [other, one],
    ])
      assert.deepEqual(known({ key_status }).codes, ["vault_lifecycle_conflict"], name);
    assert.deepEqual(known({ key_status: [other] }, [], 1, [one]).codes, ["vault_lifecycle_conflict"], name);
    assert.deepEqual(known({}, [], 1, [one, other]).codes, ["vault_lifecycle_conflict"], name);
  }
});

test("statuses that can all be true give the latest, and the time at which the end was first told", async () => {
  for (const [statuses, latest, toldAt] of [
    [[await status(1), await status(1)], at(100), null],
    [[await status(1, revoked({ statusAt: at(200) })), await status(1)], at(200), at(200)],
    [[await status(1, replaced(2)), await status(1, revoked({ statusAt: at(200) }))], at(200), at(100)],
    [
      [
        await status(1, revoked({ statusAt: at(200), revokedAt: at(40), revocationInstantReconstructed: true })),
        await status(1, revoked()),
      ],
      at(200),
      at(100),
    ],
  ] as const) {
    const { key, codes } = known({ key_status: [...statuses] });
    assert.deepEqual([codes, key.status?.statusAt, key.toldAt], [[], latest, toldAt]);
  }
});

test("statuses of other installations, and by strangers, contradict nothing", async () => {
  const others = [await status(2), await status(2, { statusAt: at(200), enrolledAt: at(1) })];
  const strange = await status(1, { enrolledAt: at(1), statusAt: at(200) }, UNTRUSTED_SIGNER);
  assert.deepEqual(known({ key_status: [await status(1), ...others, strange] }).codes, []);
});

test("a pin that a trusted status contradicts rejects; one by a stranger changes nothing", async () => {
  const other = await status(1, {}, SERVICE, vault(9));
  const { codes, problems, key } = known({ vaults: [pin(1)], key_status: [other] });
  assert.deepEqual([codes, problems[0]?.path], [["vault_key_mismatch"], "trust:/key_status/0/publicKeyHex"]);
  assert.equal(key.publicKeyHex, vault(1).publicKeyHex, "the pin is the key");
  const strange = await status(1, {}, UNTRUSTED_SIGNER, vault(9));
  assert.deepEqual(known({ vaults: [pin(1)], key_status: [strange] }).codes, []);
  assert.equal(known({ vaults: [pin(1)] }).weakest, "pinned");
});

test("where vaults are pinned, the service's word alone is not enough", async () => {
  const own = await status(1);
  for (const vaults of [[], [pin(2)]])
    assert.deepEqual(known({ vaults, key_status: [own] }).codes, ["key_not_pinned"], JSON.stringify(vaults));
  assert.deepEqual(known({ vaults: [pin(2), pin(1)], key_status: [own] }).codes, []);
});

test("a key of a vault that the verifier revoked is not trusted, however it is known", async () => {
  const revoking = { revoked: [kidOf(kernel, vault(1).publicKeyHex)] };
  for (const trust of [{ vaults: [pin(1)] }, { key_status: [await status(1)] }])
    assert.deepEqual(known({ ...trust, ...revoking }).codes, ["key_revoked"]);
  assert.deepEqual(known({ vaults: [pin(2)], ...revoking }, [], 2).codes, []);
});

test("a status that is too old, or none, is stale", async () => {
  const own = await status(1);
  assert.deepEqual(known({ key_status: [own], status_not_before: at(100) }).codes, []);
  const stale = known({ key_status: [own], status_not_before: at(101) });
  assert.deepEqual([stale.codes, stale.verdict], [["vault_status_stale"], "untrusted"]);
  assert.deepEqual(known({ vaults: [pin(1)], status_not_before: at(0) }).codes, ["vault_status_stale"]);
});

/** Returns handovers from the first vault to the last, in a chain. */
async function chain(length: number): Promise<Handover[]> {
  const links = Array.from({ length }, (_, index) =>
    issueHandover(kernel, vault(index + 1), vault(index + 2).publicKeyHex, at(index)),
  );
  return Promise.all(links);
}

test("handovers lead from a pin over at most 32 links, in any order", async () => {
  for (const [length, vouched] of [
    [1, "pinned"],
    [32, "pinned"],
    [33, "service-vouched"],
  ] as const) {
    const last = length + 1;
    const trust = { vaults: [pin(1)], key_status: [await status(last)] };
    const links = (await chain(length)).reverse();
    assert.equal(known(trust, links, last).key.vouched, vouched, `${length}`);
  }
  const trust = { vaults: [pin(1)], key_status: [await status(3)] };
  assert.equal(known(trust, (await chain(2)).slice(1), 3).key.vouched, "service-vouched", "a gap");
  assert.equal(known({ key_status: [await status(2)] }, await chain(1), 2).key.vouched, "service-vouched", "no pin");
});

test("a handover counts while the old key is active, or names its successor and no thief can have made it", async () => {
  const links = await chain(1);
  const successor = await status(2);
  for (const [old, vouched] of [
    [null, "pinned"],
    [await status(1), "pinned"],
    [await status(1, replaced(2)), "pinned"],
    [await status(1, replaced(3)), "service-vouched"],
    [await status(1, revoked({ replacedByInstallationId: id("ins", 2) })), "service-vouched"],
    [await status(1, revoked({ revocationReason: "unspecified", replacedByInstallationId: id("ins", 2) })), "pinned"],
    [await status(1, revoked({ revocationReason: "decommissioned" })), "service-vouched"],
  ] as const) {
    const key_status = old === null ? [successor] : [old, successor];
    assert.equal(known({ vaults: [pin(1)], key_status }, links, 2).key.vouched, vouched, old?.status);
  }
  const other = await status(2, {}, SERVICE, vault(9));
  const trust = { vaults: [pin(1)], key_status: [await status(1, replaced(2)), other] };
  assert.equal(known(trust, links, 2).key.vouched, "service-vouched", "the successor has another key");
  const twice = [await status(4, {}, SERVICE, vault(1)), await status(1, replaced(3)), successor];
  const ofTwo = known({ vaults: [pin(1)], key_status: twice }, links, 2);
  assert.equal(ofTwo.key.vouched, "service-vouched", "an active status of the old key for another installation");
});

test("no handover by a key that the verifier has revoked counts", async () => {
  const trust = { vaults: [pin(1)], key_status: [await status(2)] };
  const links = await chain(1);
  assert.equal(known(trust, links, 2).key.vouched, "pinned");
  const revoking = { ...trust, revoked: [kidOf(kernel, vault(1).publicKeyHex)] };
  const { key, codes } = known(revoking, links, 2);
  assert.deepEqual([key.vouched, codes], ["service-vouched", ["key_not_pinned"]]);
});

test("a wrong handover rejects: another's seal, another signature, two new keys from one old", async () => {
  const [good] = await chain(1);
  assert.ok(good !== undefined);
  const byOther = await issueHandover(kernel, UNTRUSTED_SIGNER, vault(2).publicKeyHex, at(0));
  const second = await issueHandover(kernel, vault(1), vault(3).publicKeyHex, at(1));
  const again = await issueHandover(kernel, vault(1), vault(2).publicKeyHex, at(1));
  const flipped = good.seal.signature.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
  for (const [name, links, path] of [
    ["by another", [{ ...byOther, publicKeyHex: vault(1).publicKeyHex }], "/handovers/0/seal/kid"],
    ["edited", [{ ...good, handoverAt: at(9) }], "/handovers/0/seal/signature"],
    [
      "signature",
      [{ ...good, seal: { ...good.seal, signature: flipped as SignatureHex } }],
      "/handovers/0/seal/signature",
    ],
    ["two keys", [good, second], "/handovers/1"],
  ] as readonly (readonly [string, readonly Handover[], string])[]) {
    const { codes, problems } = known({ vaults: [pin(1)] }, links);
    assert.deepEqual([codes, problems[0]?.path], [["handover_invalid"], path], name);
    if (links.length > 1) continue;
    const { key } = known({ vaults: [pin(1)], key_status: [await status(2)] }, links, 2);
    assert.equal(key.vouched, "service-vouched", `${name}: what does not hold leads nowhere`);
  }
  assert.deepEqual(known({ vaults: [pin(1)] }, [good, again]).codes, [], "the same key twice");
});

test("a trust policy with an impossible status or two pins of one installation is refused", async () => {
  const own = await status(1);
  const bytes = new TextEncoder().encode(JSON.stringify(own));
  const refused = (trust: object) => {
    const { verdict, problems } = verify(bytes, { trust: { ...PINNED, ...trust } });
    return [verdict, ...problems.map(({ code, path }) => `${code} ${path}`)];
  };
  assert.deepEqual(refused({ vaults: [pin(1), pin(2), pin(1)] }), [
    "rejected",
    "key_not_pinned ",
    "malformed trust:/vaults/2/installation_id",
    "key_not_pinned /seal/kid",
  ]);
  const kid = kidOf(kernel, UNTRUSTED_SIGNER.publicKeyHex);
  assert.ok(refused({ key_status: [{ ...own, keyId: kid }] }).includes("kid_mismatch trust:/key_status/0/keyId"));
  const impossible = { ...own, revokedAt: at(50) };
  assert.ok(refused({ key_status: [impossible] }).includes("malformed trust:/key_status/0/revokedAt"));
});

test("an active, a replaced and a revoked key have exactly the members that they can have", async () => {
  const verdict = async (change: Partial<KeyStatus>) => {
    const one = await status(1, change);
    return verify(new TextEncoder().encode(JSON.stringify(one)), { trust: PINNED }).verdict;
  };
  const superseded = replaced(2);
  for (const [change, expected] of [
    [{}, "verified"],
    [{ revokedAt: at(50) }, "rejected"],
    [{ revocationReason: "unspecified" }, "rejected"],
    [{ replacedByInstallationId: id("ins", 2) }, "rejected"],
    [{ revocationInstantReconstructed: true }, "rejected"],
    [{ enrolledAt: at(100) }, "verified"],
    [{ enrolledAt: at(101) }, "rejected"],
    [superseded, "verified"],
    [{ ...superseded, revokedAt: null }, "rejected"],
    [{ ...superseded, revocationReason: "unspecified" }, "rejected"],
    [{ ...superseded, revocationReason: null }, "rejected"],
    [{ ...superseded, replacedByInstallationId: null }, "rejected"],
    [{ ...superseded, replacedByInstallationId: INSTALLATION }, "rejected"],
    [{ ...superseded, revocationInstantReconstructed: true }, "rejected"],
    [revoked(), "verified"],
    [revoked({ revocationReason: "decommissioned" }), "verified"],
    [revoked({ revocationReason: "unspecified", revocationInstantReconstructed: true }), "verified"],
    [revoked({ revocationReason: "superseded" }), "rejected"],
    [revoked({ revocationReason: null }), "rejected"],
    [revoked({ revokedAt: null }), "rejected"],
    [revoked({ revokedAt: at(0) }), "verified"],
    [revoked({ revokedAt: at(100) }), "verified"],
    [revoked({ revokedAt: at(101) }), "rejected"],
    [revoked({ revokedAt: at(-1) }), "rejected"],
  ] as const)
    assert.equal(await verdict(change as Partial<KeyStatus>), expected, JSON.stringify(change));
});
