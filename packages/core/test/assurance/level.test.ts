/** The levels of protocol section 33, by enumeration: claims, attestations, times and trust policies. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, id } from "@svc/testkit/evidence/service";
import { custodyOf, drawn, startOf, VAULT } from "@svc/testkit/evidence/vaults";
import { type ProvenanceAssurance, referenceKernel, verify } from "../../src/index.ts";
import {
  type Attested,
  countedLevel,
  HIGHEST_CONDITIONS,
  type HighestFacts,
  KnownAttestations,
  missingForHighest,
  substantiation,
  type Unsubstantiated,
} from "../../src/objects/assurance/level.ts";
import { LevelTally, lowest, provenanceOfBoth } from "../../src/objects/assurance/tally.ts";
import { mismatchOf } from "../../src/objects/attestation/mismatch.ts";
import { Examination } from "../../src/report/examination.ts";

const NOBODY = { signers: [] };
const KEY = VAULT.signer.publicKeyHex;
const OTHER_KEY = "00".repeat(32) as Attested["publicKeyHex"];

function attested(more: Partial<Attested> = {}): Attested {
  return {
    attestationRef: id("att", 1),
    attestationKind: "pkcs11-key-custody",
    installationId: VAULT.installationId,
    publicKeyHex: KEY,
    verified: true,
    verifiedAt: at(10),
    expiresAt: at(20),
    custody: "x509",
    startId: null,
    startPublicKeyHex: null,
    softwareRoot: false,
    recheck: "none",
    isActivated: false,
    counts: true,
    ...more,
  };
}
const start = (no: number, more: Partial<Attested> = {}) =>
  attested({
    attestationKind: "tpm2-quote",
    startId: drawn("start", no),
    custody: "none",
    attestationRef: id("att", 10 + no),
    ...more,
  });

const L1 = { level: "L1", attestationRef: id("att", 1), startId: null } as const;
const L2 = { level: "L2", attestationRef: null, startId: drawn("start", 1) } as const;

function reasonAt(second: number, claim: typeof L1 | typeof L2, all: readonly Attested[]): Unsubstantiated | null {
  const event = { installationId: VAULT.installationId, publicKeyHex: KEY, receivedAt: at(second) };
  return substantiation(claim, event, new KnownAttestations(all)).reason;
}

test("a claim is carried from the time of its attestation to its end, both included", () => {
  for (const [claim, one] of [
    [L1, attested()],
    [L2, start(1)],
  ] as const) {
    const reasons = [9, 10, 15, 20, 21].map((second) => reasonAt(second, claim, [one]));
    assert.deepEqual(reasons, ["attestation_not_yet", null, null, null, "attestation_expired"]);
  }
});

test("another attestation, key, installation or kind carries nothing", () => {
  const others: Partial<Attested>[] = [
    { attestationRef: id("att", 9) },
    { publicKeyHex: OTHER_KEY },
    { installationId: id("ins", 9) },
    { attestationKind: "tpm2-quote" },
  ];
  for (const other of others) assert.equal(reasonAt(15, L1, [attested(other)]), "attestation_missing");
  assert.equal(reasonAt(15, L1, []), "attestation_missing");
  assert.equal(reasonAt(15, L1, [attested({ verified: false })]), "attestation_unverified");
  const otherStarts: Partial<Attested>[] = [
    { startId: drawn("start", 9) },
    { publicKeyHex: OTHER_KEY },
    { installationId: id("ins", 9) },
    { attestationKind: "pkcs11-key-custody" },
  ];
  for (const other of otherStarts) assert.equal(reasonAt(15, L2, [start(1, other)]), "start_unknown");
});

test("a start ends with the verification of another one, and with nothing else", () => {
  const at15 = { verifiedAt: at(15), expiresAt: at(30) };
  const until = (next: Attested) => [14, 15, 16].map((second) => reasonAt(second, L2, [start(1), next]));
  assert.deepEqual(until(start(2, at15)), [null, "start_superseded", "start_superseded"]);
  for (const harmless of [
    start(2, { ...at15, verified: false }),
    start(2, { ...at15, installationId: id("ins", 9) }),
    start(1, at15),
    start(2, { verifiedAt: at(10), expiresAt: at(30) }),
    start(2, { verifiedAt: at(5), expiresAt: at(30) }),
    attested(at15),
  ])
    assert.deepEqual(until(harmless), [null, null, null]);
});

test("of many starts the newest other one is found, whatever their order", () => {
  const times = [3, 9, 1, 9, 5, 7, 2, 5];
  const starts = times.map((second, index) => start(index % 3, { verifiedAt: at(second), expiresAt: at(99) }));
  const all = new KnownAttestations(starts);
  for (let until = 0; until <= 10; until++)
    for (let no = 0; no < 4; no++) {
      const own = drawn("start", no);
      const others = starts.filter(({ startId, verifiedAt }) => startId !== own && verifiedAt <= at(until));
      const newest =
        others
          .map(({ verifiedAt }) => verifiedAt)
          .sort()
          .at(-1) ?? "";
      assert.equal(all.otherStart(VAULT.installationId, own, at(until)), newest, `${no} until ${until}`);
    }
});

test("there may be more words than a function takes arguments, and more levels", () => {
  const many = 200_000;
  assert.equal(lowest(["none", "ceremony", "x509"], Array(many).fill("x509")), "x509");
  assert.equal(lowest(["none", "ceremony", "x509"], [...Array(many).fill("x509"), "ceremony"]), "ceremony");
  const [whole, part] = [new Examination(referenceKernel, NOBODY), new Examination(referenceKernel, NOBODY)];
  const level = { seq_no: 1, source_ref: "", installation_id: "", claimed: null, missing: null } as const;
  for (let no = 0; no < many; no++) part.levels.push({ ...level, effective: "L0", substantiated_by: "none" });
  whole.adopt(part, (path) => path);
  assert.equal(whole.levels.length, many);
});

test("without a known key an attestation of any key carries a claim, and an installation without starts has none", () => {
  const event = { installationId: VAULT.installationId, publicKeyHex: null, receivedAt: at(15) };
  const all = new KnownAttestations([attested({ publicKeyHex: OTHER_KEY })]);
  assert.equal(substantiation(L1, event, all).reason, null);
  assert.equal(all.otherStart(VAULT.installationId, L2.startId, at(15)), "");
});

test("of several attestations of one start, one in force is enough", () => {
  const renewed = start(1, { verifiedAt: at(25), expiresAt: at(40) });
  assert.deepEqual(
    [15, 22, 30].map((second) => reasonAt(second, L2, [start(1), renewed])),
    [null, "attestation_not_yet", null],
  );
});

test("the level that counts, for every claim, recheck, root and policy", () => {
  for (const level of ["L0", "L1", "L2"] as const)
    for (const recheck of ["held", "unsubstantiated", "none"] as const)
      for (const softwareRoot of [false, true])
        for (const counts of [false, true])
          for (const allow_software_roots of [undefined, false, true])
            for (const attestation_roots of [undefined, []]) {
              const trust = {
                ...(allow_software_roots === undefined ? {} : { allow_software_roots }),
                ...(attestation_roots === undefined ? {} : { attestation_roots }),
              };
              const isHard = !softwareRoot || allow_software_roots === true;
              const isShown = attestation_roots === undefined || recheck === "held";
              const expected =
                level !== "L0" && counts && isHard && isShown
                  ? { level, by: attestation_roots === undefined ? "service" : "verifier" }
                  : { level: "L0", by: "none" };
              assert.deepEqual(countedLevel(level, attested({ recheck, softwareRoot, counts }), trust), expected);
            }
});

const MET: HighestFacts = {
  own_l2: true,
  vault_key_pinned: true,
  independent_activation: true,
  custody_x509: true,
  no_software_root: true,
  quorum: true,
  pinned_block: true,
  status_not_before: true,
};

test("L3 needs every one of its conditions, and the first that is missing is named", () => {
  assert.equal(missingForHighest(MET), null);
  const names = HIGHEST_CONDITIONS;
  for (let set = 1; set < 2 ** names.length; set++) {
    const unmet = names.filter((_, index) => (set >> index) % 2 === 1);
    const facts = { ...MET, ...Object.fromEntries(unmet.map((name) => [name, false])) };
    const first = names.findIndex((_, index) => (set >> index) % 2 === 1);
    assert.equal(missingForHighest(facts), HIGHEST_CONDITIONS[first]);
  }
});

function sum(
  levels: readonly (readonly ["L0" | "L1" | "L2" | null, "L0" | "L1" | "L2", "none" | "service" | "verifier"])[],
  more: Partial<Parameters<LevelTally["sum"]>[0]> = {},
): ProvenanceAssurance {
  const tally = new LevelTally();
  for (const [claimed, level, by] of levels) tally.event(claimed, { level, by });
  return tally.sum({
    installations: 1,
    vaultChain: "complete",
    vaultKeys: "pinned",
    custodies: ["x509"],
    hasSoftwareRoot: false,
    ...more,
  });
}

test("where words differ, the lowest stands; levels that rest on nobody lower no word", () => {
  const mixed = sum([
    ["L0", "L0", "none"],
    ["L1", "L1", "service"],
    ["L2", "L2", "verifier"],
    [null, "L0", "none"],
  ]);
  assert.deepEqual(mixed.claimed, { L0: 1, L1: 1, L2: 1, unknown: 1 });
  assert.deepEqual(mixed.effective, { L0: 2, L1: 1, L2: 1, L3: 0 });
  assert.equal(mixed.substantiated_by, "service");
  assert.equal(sum([["L2", "L2", "verifier"]]).substantiated_by, "verifier");
  assert.equal(sum([["L0", "L0", "none"]]).substantiated_by, "none");
  assert.equal(sum([], { custodies: ["x509", "ceremony"] }).key_custody, "ceremony");
  assert.equal(sum([], { custodies: ["x509", "none"] }).key_custody, "none");
  assert.equal(sum([], { custodies: [] }).key_custody, "none");
});

test("two objects together count both, with the lower words", () => {
  const one = sum([["L1", "L1", "verifier"]]);
  const other = sum([["L0", "L0", "none"]], {
    vaultChain: "partial",
    vaultKeys: "service-vouched",
    custodies: [],
    hasSoftwareRoot: true,
  });
  const both = provenanceOfBoth(one, other);
  assert.deepEqual(both, {
    events: 2,
    installations: 2,
    vault_chain: "partial",
    vault_keys: "service-vouched",
    claimed: { L0: 1, L1: 1, L2: 0, unknown: 0 },
    effective: { L0: 1, L1: 1, L2: 0, L3: 0 },
    substantiated_by: "verifier",
    key_custody: "none",
    software_root: true,
  });
  assert.deepEqual(provenanceOfBoth(other, one), both);
  const twice = provenanceOfBoth(one, one);
  assert.deepEqual([twice.key_custody, twice.vault_chain, twice.vault_keys], ["x509", "complete", "pinned"]);
  assert.equal(twice.software_root, false);
  const highest = new LevelTally();
  highest.event("L2", { level: "L3", by: "verifier" });
  const facts = {
    installations: 1,
    vaultChain: "none",
    vaultKeys: "pinned",
    custodies: [],
    hasSoftwareRoot: false,
  } as const;
  assert.equal(provenanceOfBoth(highest.sum(facts), other).substantiated_by, "verifier");
  assert.equal(provenanceOfBoth(one, sum([["L1", "L1", "service"]])).substantiated_by, "service");
});

test("a mismatch between a result and its record names the member", async () => {
  const [custody, started] = [await custodyOf(), await startOf()];
  const named = (attestation: typeof custody, changes: object) => {
    const { record, result } = attestation;
    assert.ok(result !== null);
    return mismatchOf(referenceKernel, record, { ...result, ...changes });
  };
  for (const one of [custody, started]) {
    assert.equal(named(one, {}), null);
    assert.equal(named(one, { attestationHash: drawn("other") }), "attestationHash");
    assert.equal(named(one, { installationId: id("ins", 9) }), "installationId");
    assert.equal(named(one, { assuranceCapability: "L0" }), "assuranceCapability");
    assert.equal(named(one, { reason: "software_root" }), "reason");
    assert.equal(named(one, { verified: false, assuranceCapability: "L0" }), "reason");
    assert.equal(named(one, { expiresAt: at(-10) }), "expiresAt");
    assert.equal(named(one, { verifiedAt: at(889), expiresAt: at(2000) }), null);
    assert.equal(named(one, { verifiedAt: at(890), expiresAt: at(2000) }), "verifiedAt");
    assert.equal(named(one, { verifiedAt: at(-311), expiresAt: at(2000) }), null);
    assert.equal(named(one, { verifiedAt: at(-312), expiresAt: at(2000) }), "verifiedAt");
  }
  assert.equal(named(custody, { attestationKind: "tpm2-quote" }), "attestationKind");
  assert.equal(named(custody, { custody: null }), "custody");
  assert.equal(named(custody, { akName: `000b${drawn("ak")}` }), "akName");
  assert.equal(named(custody, { expiresAt: at(-10 + 90 * 86_400) }), null);
  assert.equal(named(custody, { expiresAt: at(-9 + 90 * 86_400) }), "expiresAt");
  assert.equal(named(started, { startId: drawn("other") }), "startId");
  assert.equal(named(started, { custody: "x509" }), "custody");
  assert.equal(named(started, { ekCertificateSha256: null }), "ekCertificateSha256");
  assert.equal(named(started, { referenceValuesDigest: null }), "referenceValuesDigest");
  assert.equal(named(started, { start: null }), "start");
  assert.equal(named(started, { expiresAt: at(-10 + 86_400) }), null);
  assert.equal(named(started, { expiresAt: at(-9 + 86_400) }), "expiresAt");
});

test("an object that shows events without their vaults does not meet a demand for a level; one that shows none does", async () => {
  const { readFileSync } = await import("node:fs");
  const fixtures = new URL("../../../../fixtures/cases/", import.meta.url);
  const verdictOf = (path: string) => {
    const { input, trust } = JSON.parse(readFileSync(new URL(path, fixtures), "utf8"));
    const { verdict, problems } = verify(new TextEncoder().encode(input), {
      trust: { ...trust, require_assurance: "L0" },
    });
    return [verdict, problems.map(({ code }) => code).includes("assurance_insufficient")];
  };
  for (const kind of ["receipt", "stream", "portable-receipt", "bundle", "provenance-inclusion"])
    assert.deepEqual(verdictOf(`${kind}/good.json`), ["rejected", true], kind);
  for (const path of ["inclusion/bare.json", "provider-result/bare.json"]) assert.equal(verdictOf(path)[1], true, path);
  for (const kind of ["window", "checkpoint", "anchor", "key-status", "ivc-epoch", "envelope", "disclosure"])
    assert.deepEqual(verdictOf(`${kind}/good.json`), ["verified", false], kind);
});
