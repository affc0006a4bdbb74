/** Makes what vaults state consistent again: envelopes, attestations, disclosures (protocol sections 19 to 28). */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { attestationHash, evidenceHash, recordBody, resultBody, startIdOf } from "../../objects/attestation/issue.ts";
import type { AttestationResult, VaultAttestation } from "../../objects/attestation/schema.ts";
import { leavesOf } from "../../objects/bundle/provenance/issue.ts";
import { leafHashesOf, type ProvenanceLeaf, provenanceLeaf } from "../../objects/bundle/provenance/leaves.ts";
import type { Bundle, Manifest, ProvenanceArtifact, RecordedEnvelope } from "../../objects/bundle/schema.ts";
import { commitmentOf } from "../../objects/capsule/commitment.ts";
import { LISTED_NAMES } from "../../objects/capsule/slot.ts";
import { disclosureBody } from "../../objects/disclosure/issue.ts";
import type { Disclosure } from "../../objects/disclosure/schema.ts";
import { contentHash, envelopeBody, envelopeHash, sealedEnvelope } from "../../objects/envelope/issue.ts";
import type { Content, Envelope } from "../../objects/envelope/schema.ts";
import type { ProvenanceInclusion, ShownInclusion } from "../../objects/provenance-inclusion.ts";
import { providerPolicyBody } from "../../objects/provider/policy.ts";
import type { RedactedRecord } from "../../objects/receipt.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { kidOf } from "../../seal.ts";
import { handoverBody } from "../../vault/handover.ts";
import { keyStatusBody } from "../../vault/key-status/issue.ts";
import type { KeyStatusBody } from "../../vault/key-status/schema.ts";
import { type Forger, sealAgain } from "./forger.ts";
import { portableReceiptAgain } from "./portable-receipt.ts";
import { type UntrustedSigner, untrustedSigner } from "./untrusted-signer.ts";

/** Returns the key that the stranger uses as the one of a vault. */
function vaultKey(installationId: string): UntrustedSigner {
  return untrustedSigner(`vault ${installationId}`);
}

/** Returns an envelope in the place of the good one. `before`: the hash that it follows, or null to keep its own. */
export function envelopeAgain<Kind extends Envelope>(
  forger: Forger,
  edited: Kind,
  before: HashHex | null = null,
): Kind {
  const { kernel } = forger;
  const { content, installationId } = edited;
  const root = content === undefined ? null : rootOver(kernel, content);
  const again = {
    ...edited,
    capsuleRoot: root ?? edited.capsuleRoot,
    contentHash: content === undefined ? edited.contentHash : contentHash(kernel, content),
    previousEnvelopeHash: before ?? edited.previousEnvelopeHash,
  };
  const key = vaultKey(installationId);
  const seal = sealAgain(forger, "envelope", envelopeBody(again), edited.seal, key);
  const { startSeal } = edited;
  const started =
    startSeal === undefined
      ? {}
      : { startSeal: sealAgain(forger, "envelope-start", envelopeBody(again), startSeal, untrustedSigner("start")) };
  return { ...again, seal, ...started };
}

/** Returns the root to which the listed commitments lead; null by a path that leads nowhere. */
function rootOver(kernel: Kernel, { commitments, capsulePath, capsuleSize }: Content): HashHex | null {
  if (capsulePath.length !== Math.log2(capsuleSize) - 2) return null;
  const listed = kernel.leafHashes(LISTED_NAMES.map((name) => hexToBytes(commitments[name])));
  const under = kernel.rootFromLeafHashes(listed);
  return encodeHex(
    capsulePath.map(hexToBytes).reduce((node, sibling) => kernel.rootFromFrontier([node, sibling]), under),
  ) as HashHex;
}

/** Returns an attestation in the place of the good one. */
export function attestationAgain(forger: Forger, { record, result }: VaultAttestation): VaultAttestation {
  const { kernel, signs } = forger;
  const key = vaultKey(record.installationId);
  const { evidence } = record;
  const named = {
    ...record,
    publicKeyHex: signs ? key.publicKeyHex : record.publicKeyHex,
    evidenceHash: evidence === undefined ? record.evidenceHash : evidenceHash(kernel, evidence),
  };
  const again = { ...named, seal: sealAgain(forger, "record", recordBody(named), record.seal, key) };
  if (result === null) return { record: again, result };
  const start =
    result.start === null || !signs
      ? result.start
      : { ...result.start, startPublicKeyHex: untrustedSigner("start").publicKeyHex };
  const about: AttestationResult = {
    ...result,
    attestationHash: attestationHash(kernel, again),
    start,
    startId: start === null ? result.startId : startIdOf(kernel, again, start),
  };
  return { record: again, result: { ...about, seal: sealAgain(forger, "result", resultBody(about), result.seal) } };
}

/** Returns a disclosure in the place of the good one. */
export function disclosureAgain(forger: Forger, good: Disclosure, edited: Disclosure): Disclosure {
  const { kernel } = forger;
  const { content } = edited.envelope;
  const commitments = { ...content?.commitments } as Content["commitments"];
  for (const field of edited.fields) {
    const listed = LISTED_NAMES[field.index];
    if (listed !== undefined) Object.assign(commitments, { [listed]: commitmentOf(kernel, edited.envelope, field) });
  }
  const envelope = envelopeAgain(
    forger,
    content === undefined ? edited.envelope : { ...edited.envelope, content: { ...content, commitments } },
  );
  const { receipt, keyStatus, seal } = edited;
  const recorded = receipt === null ? null : { ...receipt.receipt, payload: sealedEnvelope(envelope) };
  const again = {
    ...edited,
    envelopeHash: envelopeHash(kernel, envelope),
    envelope,
    receipt:
      receipt === null || recorded === null || good.receipt === null
        ? receipt
        : portableReceiptAgain(forger, good.receipt, { ...receipt, receipt: recorded }),
    keyStatus: keyStatus === null ? null : statusAgain(forger, keyStatus),
    attestations: edited.attestations.map((one) => attestationAgain(forger, one)),
  };
  const key = vaultKey(envelope.installationId);
  return { ...again, seal: seal === null ? null : sealAgain(forger, "disclosure", disclosureBody(again), seal, key) };
}

function statusAgain(forger: Forger, status: NonNullable<Disclosure["keyStatus"]>): typeof status {
  const named = ownStatus(forger, status);
  return { ...named, seal: sealAgain(forger, "key-status", keyStatusBody(named), status.seal) };
}

/** Returns a status that names the stranger's key of the vault, if the stranger signs. */
function ownStatus<Status extends KeyStatusBody>({ kernel, signs }: Forger, status: Status): Status {
  const publicKeyHex = signs ? vaultKey(status.installationId).publicKeyHex : status.publicKeyHex;
  return { ...status, publicKeyHex, keyId: kidOf(kernel, publicKeyHex) };
}

/** Returns a proof of inclusion in the place of the good one, under the root that its path gives. */
export function inclusionAgain({ kernel }: Forger, edited: ProvenanceInclusion): ProvenanceInclusion {
  const leaf = kernel.leafHash(hexToBytes(provenanceLeaf(kernel, edited)));
  const leaf_hash = encodeHex(leaf) as HashHex;
  const root = rootAbove(kernel, leaf, edited);
  return { ...edited, leaf_hash, provenance_root: root ?? edited.provenance_root };
}

/** Returns the root that an inclusion path gives (RFC 9162 section 2.1.3.2); null if it cannot be of this tree. */
function rootAbove(kernel: Kernel, leaf: Uint8Array, proof: ProvenanceInclusion): HashHex | null {
  let [index, last] = [proof.leaf_index, proof.tree_size - 1];
  if (index > last) return null;
  let node = leaf;
  for (const step of proof.inclusion_path.map(hexToBytes)) {
    if (last === 0) return null;
    if (index % 2 === 1 || index === last) {
      node = kernel.rootFromFrontier([step, node]);
      while (index % 2 === 0 && index > 0) [index, last] = [index / 2, Math.floor(last / 2)];
    } else node = kernel.rootFromFrontier([node, step]);
    [index, last] = [Math.floor(index / 2), Math.floor(last / 2)];
  }
  return last === 0 ? (encodeHex(node) as HashHex) : null;
}

/** Returns a proof beside a manifest that names its root. */
export function shownInclusionAgain(forger: Forger, edited: ShownInclusion): ShownInclusion {
  const inclusion = inclusionAgain(forger, edited.inclusion);
  const manifest = {
    ...edited.manifest,
    provenance_root: inclusion.provenance_root,
    vault_key_lifecycle: edited.manifest.vault_key_lifecycle.map((status) => ownStatus(forger, status)),
  };
  return { ...edited, inclusion, manifest, seal: sealAgain(forger, "bundle", manifest, edited.seal) };
}

/** The provenance part of a bundle, and the payloads that its envelopes are. */
export interface PartAgain {
  readonly artifact: ProvenanceArtifact;
  readonly contents: Bundle["contents"];
  /** Returns the members of the manifest over these records. */
  members(records: readonly RedactedRecord[], manifest: Manifest): Partial<Manifest>;
}

/** Returns the provenance part of a bundle in the place of the good one; null if the bundle has none. */
export function partAgain(forger: Forger, { manifest, artifacts, contents }: Bundle): PartAgain | null {
  const { kernel } = forger;
  const artifact = artifacts["provenance.json"];
  const { vault_key_lifecycle: lifecycle } = manifest;
  if (artifact === undefined || lifecycle === undefined) return null;
  const eventIds = new Map(artifacts["receipts.json"].map(({ seq_no, stream_event_id }) => [seq_no, stream_event_id]));
  const newest = new Map<string, HashHex>();
  const envelopes = artifact.envelopes.map((one): RecordedEnvelope => {
    const content = contents?.[eventIds.get(one.seq_no) ?? ""];
    const whole: Envelope = content === undefined ? one.envelope : { ...one.envelope, content };
    const { installationId } = one.envelope;
    const envelope = sealedEnvelope(envelopeAgain(forger, whole, newest.get(installationId) ?? null));
    newest.set(installationId, envelopeHash(kernel, envelope));
    return { ...one, envelope };
  });
  const again = {
    envelopes,
    attestations: artifact.attestations.map((one) => attestationAgain(forger, one)),
    handovers: artifact.handovers.map((handover) => {
      const old = untrustedSigner(`vault key ${handover.publicKeyHex}`);
      const named = { ...handover, publicKeyHex: forger.signs ? old.publicKeyHex : handover.publicKeyHex };
      return { ...named, seal: sealAgain(forger, "handover", handoverBody(named), handover.seal, old) };
    }),
    provider_policies: artifact.provider_policies.map((policy) => ({
      ...policy,
      seal: sealAgain(forger, "provider-policy", providerPolicyBody(policy), policy.seal),
    })),
  };
  return {
    artifact: again,
    contents,
    members: (records, { provenance_root }) => ({
      provenance_root: rootOf(kernel, records, envelopes) ?? (provenance_root as HashHex),
      vault_key_lifecycle: lifecycle.map((status) => ownStatus(forger, status)),
    }),
  };
}

function rootOf(
  kernel: Kernel,
  records: readonly RedactedRecord[],
  envelopes: readonly RecordedEnvelope[],
): HashHex | null {
  const isPaired = records.length > 0 && records.length === envelopes.length;
  if (!isPaired || records.some(({ seq_no }, index) => seq_no !== envelopes[index]?.seq_no)) return null;
  const leaves: ProvenanceLeaf[] = leavesOf(kernel, records, envelopes);
  return encodeHex(kernel.rootFromLeafHashes(leafHashesOf(kernel, leaves))) as HashHex;
}
