/** The demands of the next level, by enumeration of the levels, claims and attestations that there can be. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Attested, HIGHEST_CONDITIONS, type HighestFacts } from "../../src/objects/assurance/level.ts";
import { missingForNext } from "../../src/objects/assurance/missing.ts";

const ATTESTED: Attested = {
  attestationRef: "att_01k30000000000000000000001",
  attestationKind: "tpm2-quote",
  installationId: "ins_01k30000000000000000000001",
  publicKeyHex: "00" as Attested["publicKeyHex"],
  verified: true,
  verifiedAt: "2026-03-01T00:00:00.000Z",
  expiresAt: "2026-03-02T00:00:00.000Z",
  custody: "none",
  startId: "00",
  startPublicKeyHex: null,
  softwareRoot: false,
  recheck: "held",
  isActivated: false,
  counts: true,
};
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
const RECHECKS = (["held", "unsubstantiated", "none"] as const).flatMap((recheck) =>
  [true, false].map((counts) => ({ recheck, counts })),
);
const CLAIMS = [null, "L0", "L1", "L2"] as const;

test("an event at L0 lacks its content, a claim, the attestation, or what makes that count", () => {
  for (const claimed of CLAIMS)
    for (const attested of [null, ATTESTED])
      for (const softwareRoot of [false, true])
        for (const allow_software_roots of [undefined, false, true])
          for (const { recheck, counts } of RECHECKS) {
            const one = attested && { ...attested, softwareRoot, recheck, counts };
            const trust = allow_software_roots === undefined ? {} : { allow_software_roots };
            const missing = missingForNext({ claimed, effective: "L0" }, one, trust, MET);
            let expected = "attestation";
            if (claimed === null) expected = "content";
            else if (claimed === "L0") expected = "claim";
            else if (attested !== null && !counts) expected = "signer";
            else if (attested !== null && softwareRoot && allow_software_roots !== true) expected = "hardware_root";
            else if (attested !== null) expected = recheck === "none" ? "evidence" : "own_roots";
            assert.equal(missing, expected);
          }
});

test("an event at L1 lacks a start, one at L2 the first condition of L3, one at L3 nothing", () => {
  for (const claimed of CLAIMS) {
    assert.equal(missingForNext({ claimed, effective: "L1" }, ATTESTED, {}, MET), "start");
    assert.equal(missingForNext({ claimed, effective: "L3" }, ATTESTED, {}, MET), null);
  }
  const unmet = Object.entries(MET).map(([name, value]) => ({ ...MET, [name]: !value }) as HighestFacts);
  const missing = unmet.map((facts) => missingForNext({ claimed: "L2", effective: "L2" }, ATTESTED, {}, facts));
  assert.deepEqual(missing, [...HIGHEST_CONDITIONS]);
});
