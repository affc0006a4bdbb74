/**
 * The evidence of vaults (protocol sections 17 to 33): the checks of its kinds, and the part that it adds to a bundle.
 * A verifier gets it as its option `vaults`, as truth packages are given to it. Without it, the verifier says that it
 * does not judge this evidence, and rejects it.
 */
import type { Json } from "../kernel/kernel.ts";
import { examineStandaloneAttestation } from "../objects/attestation/examine.ts";
import { attestationFaults } from "../objects/attestation/faults.ts";
import { VaultAttestation } from "../objects/attestation/schema.ts";
import { examineBundle } from "../objects/bundle/examine.ts";
import { bundleFaults } from "../objects/bundle/faults.ts";
import { digestProvenance } from "../objects/bundle/provenance/bulk.ts";
import { examineProvenance } from "../objects/bundle/provenance/examine.ts";
import { provenanceFaults } from "../objects/bundle/provenance/faults.ts";
import { Bundle } from "../objects/bundle/provenance/schema.ts";
import { isProvenanceBundle } from "../objects/bundle/schema.ts";
import { examineDisclosure } from "../objects/disclosure/examine.ts";
import { disclosureFaults } from "../objects/disclosure/faults.ts";
import { Disclosure } from "../objects/disclosure/schema.ts";
import { envelopeFaults } from "../objects/envelope/faults.ts";
import { Envelope } from "../objects/envelope/schema.ts";
import { examineEpochBefore } from "../objects/ivc/epoch-before.ts";
import { examineIvcEpoch, ivcEpochFaults } from "../objects/ivc/examine.ts";
import { IvcEpoch } from "../objects/ivc/schema.ts";
import {
  examineInclusionBeside,
  examineShownInclusion,
  examineUnsignedInclusion,
  isUnsignedInclusion,
  ProvenanceInclusion,
  ShownInclusion,
  shownInclusionFaults,
} from "../objects/provenance-inclusion.ts";
import {
  type AnyProviderResult,
  EarlierProviderResult,
  examineStandaloneProviderResult,
  isEarlierResult,
  ProviderResult,
} from "../objects/provider/result.ts";
import { examineStandaloneEnvelope } from "../objects/standalone-envelope.ts";
import type { JsonKind } from "../report/checks.ts";
import { examineReader } from "../report/expected-reader.ts";
import { examineRequiredLevel } from "../report/required-level.ts";
import { vaultWords } from "../report/vault-words.ts";
import { parseTrustPolicy } from "../trust/parse.ts";
import { keyStatusFaults } from "../vault/key-status/faults.ts";
import { KeyStatus } from "../vault/key-status/schema.ts";
import { examineStandaloneKeyStatus } from "../vault/standalone-key-status.ts";
import { entry, type KindEntry, treeOf, type VaultEvidence, type VaultKind } from "./kinds.ts";

const KINDS: Readonly<Record<VaultKind | "bundle", KindEntry>> = {
  "key-status": entry<KeyStatus>(
    KeyStatus,
    (exam, status) => {
      examineStandaloneKeyStatus(exam, status);
      return null;
    },
    (status) => keyStatusFaults(status, ""),
  ),
  "provider-result": entry<AnyProviderResult>(ProviderResult, (exam, result) => {
    examineStandaloneProviderResult(exam, result);
    return null;
  }),
  "ivc-epoch": entry<IvcEpoch>(IvcEpoch, examineIvcEpoch, ivcEpochFaults),
  envelope: entry<Envelope>(
    Envelope,
    (exam, envelope) => {
      examineStandaloneEnvelope(exam, envelope);
      return null;
    },
    (envelope) => envelopeFaults(envelope, ""),
  ),
  "vault-attestation": entry<VaultAttestation>(
    VaultAttestation,
    (exam, attestation) => {
      examineStandaloneAttestation(exam, attestation);
      return null;
    },
    (attestation) => attestationFaults(attestation, ""),
  ),
  "provenance-inclusion": entry<ShownInclusion>(
    ShownInclusion,
    (exam, shown) => {
      examineShownInclusion(exam, shown);
      return null;
    },
    shownInclusionFaults,
  ),
  disclosure: entry<Disclosure>(
    Disclosure,
    (exam, disclosure) => {
      examineDisclosure(exam, disclosure);
      const { receipt } = disclosure;
      return receipt?.checkpoint === undefined ? null : treeOf(exam, receipt.checkpoint);
    },
    disclosureFaults,
  ),
  bundle: entry<Bundle>(
    Bundle,
    (exam, bundle, bulk) => examineBundle(exam, bundle, bulk, examineProvenance),
    (bundle) => [...bundleFaults(bundle), ...provenanceFaults(bundle)],
  ),
};

/** A proof of inclusion without the manifest that it leads to: the same kind, signed by nobody. */
const BARE_INCLUSION = entry<ProvenanceInclusion>(ProvenanceInclusion, (exam, inclusion) => {
  examineUnsignedInclusion(exam, inclusion);
  return null;
});

/** A result of the first version: the same kind, with a member less. */
const EARLIER_RESULT = entry<AnyProviderResult>(EarlierProviderResult, (exam, result) => {
  examineStandaloneProviderResult(exam, result);
  return null;
});

/** The most bytes of an object by its kind; a bundle's limit is for one with the part of vaults alone (section 33). */
export const MAX_BYTES: Partial<Readonly<Record<JsonKind, number>>> = {
  bundle: 2 ** 28,
  disclosure: 2 ** 20,
  "vault-attestation": 2 ** 20,
};

/** Everything that a verifier needs to judge the evidence of vaults. */
export const vaultEvidence: VaultEvidence = {
  words: vaultWords,
  parseTrust: parseTrustPolicy,
  maxBytes: (kind, value) => (kind === "bundle" && !isProvenanceBundle(value) ? null : (MAX_BYTES[kind] ?? null)),
  entryOf,
  digest: digestProvenance,
  examineReader,
  examineRequiredLevel,
  examineEpochBefore,
  examineBeside: examineInclusionBeside,
};

function entryOf(kind: VaultKind | "bundle", value: Json): KindEntry {
  if (kind === "provider-result" && isEarlierResult(value)) return EARLIER_RESULT;
  if (kind === "provenance-inclusion" && isUnsignedInclusion(value)) return BARE_INCLUSION;
  return KINDS[kind];
}
