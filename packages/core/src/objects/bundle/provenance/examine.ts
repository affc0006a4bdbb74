/**
 * The examination of the provenance part of a bundle (protocol section 27), in the order of the text: an envelope for
 * each event, the keys of the vaults, each envelope against its record and the chain of its vault, the root, the times
 * of keys, the contents, the attestations, and the levels.
 */
import { ZERO_HASH } from "../../../protocol.ts";
import type { Examination } from "../../../report/examination.ts";
import type { VaultChain } from "../../../report/report.ts";
import type { HashHex } from "../../../schema/atoms.ts";
import type { Scope } from "../../../trust/key-ring.ts";
import { expectOwnKeyId } from "../../../vault/key-status/examine.ts";
import type { KeyStatusBody } from "../../../vault/key-status/schema.ts";
import { mayVouch } from "../../../vault/key-status/vouching.ts";
import { type KnownKey, KnownKeys } from "../../../vault/known-keys.ts";
import { custodiesOf, examineLevels, type VaultEvent } from "../../assurance/events.ts";
import { type Attested, KnownAttestations } from "../../assurance/level.ts";
import { noteMissing } from "../../assurance/missing.ts";
import { LevelTally } from "../../assurance/tally.ts";
import { examineAttestation } from "../../attestation/examine.ts";
import { contentDigests, envelopeInWords, examineContent, examineEnvelopeSeal } from "../../envelope/examine.ts";
import { startSealFaults } from "../../envelope/faults.ts";
import { envelopeHash } from "../../envelope/issue.ts";
import { examineRecordedContent, examineRecordedEnvelope } from "../../envelope/recorded.ts";
import type { Content } from "../../envelope/schema.ts";
import { examineNamedProvider, examineProviderPolicies } from "../../provider/policy.ts";
import type { BulkReceipts } from "../bulk.ts";
import { examineOrder } from "../order.ts";
import {
  type Bundle,
  hasProvenance,
  type ProvenanceArtifact,
  type ProvenanceManifest,
  type RecordedEnvelope,
} from "../schema.ts";
import type { EnvelopeDigests, ProvenanceDigests } from "./bulk.ts";
import { type DescribedRecord, recordsIn } from "./described.ts";
import { provenanceRoot } from "./leaves.ts";

const PATH = "/artifacts/provenance.json";

/** An envelope with the record of its event. */
interface Recorded extends RecordedEnvelope {
  readonly record: DescribedRecord;
  readonly path: string;
  readonly hash: HashHex;
  /** Its digests, if they have been computed already. */
  readonly known: EnvelopeDigests | null;
}

/**
 * Examines the provenance part of a bundle that has one. Call it after the signatures of the rest are settled. `bulk`:
 * its receipts, if they have been checked in bulk.
 */
export function examineProvenance(exam: Examination, bundle: Bundle, bulk?: BulkReceipts): void {
  const artifact = bundle.artifacts["provenance.json"];
  if (!hasProvenance(bundle.manifest) || artifact === undefined) return;
  const { manifest } = bundle;
  const scope = { streamId: manifest.stream_id, origin: exam.origin };
  const isTrusted = mayVouch(exam, bundle.seal.kid, manifest.created_at, scope);
  const records = bulk === undefined ? bundle.artifacts["receipts.json"] : recordsIn(bulk, manifest.stream_id);
  const recorded = pairEnvelopes(exam, artifact, records, bulk?.provenance);
  examineArtifactOrders(exam, artifact);
  const keys = examineLifecycle(exam, manifest, artifact, scope, isTrusted);
  const keyOf = ({ envelope, path }: Recorded): KnownKey =>
    keys.keyOf(envelope.installationId, `${path}/envelope/installationId`);
  for (const one of recorded) {
    const { envelope, payload_salt, record, known } = one;
    examineRecordedEnvelope(exam, envelope, payload_salt, record, `${one.path}/envelope`, known?.payloadHash);
    examineEnvelopeSeal(exam, envelope, keyOf(one), `${one.path}/envelope`, known?.holdsUnder);
  }
  const vaultChain = examineChains(exam, manifest, recorded);
  examineRoot(exam, manifest, recorded);
  for (const one of recorded) {
    const { received_at: receivedAt, seq_no } = one.record;
    const event = { receivedAt, provenBefore: (instant: string) => exam.isProvenBefore(instant, seq_no) };
    keys.examineEvent(keyOf(one), event, `${one.path}/envelope`, () => envelopeInWords(one.envelope));
  }
  const known = bulk?.provenance?.contents;
  const contents = examineContents(exam, bundle, recorded, { artifact, scope, isTrusted, known });
  const attested = artifact.attestations.flatMap((attestation, index): Attested[] => {
    const one = examineAttestation(exam, attestation, keys, scope, `${PATH}/attestations/${index}`);
    return one === null ? [] : [one];
  });
  if (artifact.attestations.length === 0) exam.notChecked("attestation", "no attestation in the bundle");
  sumLevels(exam, recorded, { contents, attested, isTrusted, keyOf, vaultChain, vaultKeys: () => keys.weakest });
}

/** Checks that there is an envelope for each record, and no other. Returns those that have their record. */
function pairEnvelopes(
  exam: Examination,
  { envelopes }: ProvenanceArtifact,
  records: readonly DescribedRecord[],
  digests?: ProvenanceDigests,
): Recorded[] {
  const odd = envelopes.findIndex(({ seq_no }, at) => seq_no !== records[at]?.seq_no);
  exam.expect("envelope", odd < 0 && envelopes.length === records.length, {
    code: "provenance_envelope_missing",
    path: odd < 0 ? `${PATH}/envelopes` : `${PATH}/envelopes/${odd}/seq_no`,
    message:
      `There is one envelope for each event of the range, in order: ${records.length} events are here, and ` +
      `${envelopes.length} envelopes.`,
    expected: `${odd < 0 ? records.length : records[odd]?.seq_no}`,
    actual: `${odd < 0 ? envelopes.length : envelopes[odd]?.seq_no}`,
  });
  const byNumber = new Map(records.map((record) => [record.seq_no, record]));
  return envelopes.flatMap((one, index) => {
    const record = byNumber.get(one.seq_no);
    if (record === undefined) return [];
    const known = digests?.envelopes[index] ?? null;
    const hash = known?.envelopeHash ?? envelopeHash(exam.kernel, one.envelope);
    return [{ ...one, record, path: `${PATH}/envelopes/${index}`, hash, known }];
  });
}

function examineArtifactOrders(exam: Examination, artifact: ProvenanceArtifact): void {
  const { attestations, handovers, provider_policies } = artifact;
  const refs = attestations.map(({ result }) => [result?.attestationRef ?? ""]);
  examineOrder(exam, "attestation", refs, `${PATH}/attestations`);
  const times = handovers.map(({ handoverAt }) => [handoverAt]);
  examineOrder(exam, "vault_key", times, `${PATH}/handovers`);
  const versions = provider_policies.map(({ policyVersion }) => [policyVersion]);
  examineOrder(exam, "provider", versions, `${PATH}/provider_policies`);
}

/** Checks that the manifest lists the keys of exactly the installations here. Returns what is known of them. */
function examineLifecycle(
  exam: Examination,
  { vault_key_lifecycle: lifecycle, created_at }: ProvenanceManifest,
  artifact: ProvenanceArtifact,
  scope: Scope,
  isTrusted: boolean,
): KnownKeys {
  const path = "/manifest/vault_key_lifecycle";
  const here = new Set(artifact.envelopes.map(({ envelope }) => envelope.installationId));
  const isExact = lifecycle.map(({ installationId }) => installationId).join() === [...here].sort().join();
  const keysOnce = new Set(lifecycle.map(({ publicKeyHex }) => publicKeyHex)).size === lifecycle.length;
  const isOfTime = lifecycle.every(({ statusAt }) => statusAt === created_at);
  exam.expect("vault_key", isExact && keysOnce && isOfTime, {
    code: "vault_lifecycle_mismatch",
    path,
    message: "The manifest does not list exactly the keys of the installations here, in order, each once, of its time.",
  });
  const statuses = lifecycle.map((body: KeyStatusBody, index) => ({ body, path: `${path}/${index}` }));
  // A forged manifest says nothing of a key, and contradicts nothing.
  const counts = isTrusted && exam.held("bundle_seal");
  for (const { body, path: at } of statuses) expectOwnKeyId(exam, body, at);
  const handovers = { list: artifact.handovers, path: `${PATH}/handovers` };
  return new KnownKeys(exam, scope, { statuses: counts ? statuses : [], handovers });
}

/** Checks that each vault's envelopes follow one another, and that no source reference comes twice. */
function examineChains(exam: Examination, manifest: ProvenanceManifest, recorded: readonly Recorded[]): VaultChain {
  const newest = new Map<string, Recorded>();
  const sources = new Set<string>();
  let isComplete = true;
  for (const one of recorded) {
    const { envelope, path, seq_no } = one;
    const { installationId, sourceRef, vaultSeq, previousEnvelopeHash } = envelope;
    exam.looked("vault_chain");
    if (sources.has(sourceRef))
      exam.reject("vault_chain", {
        code: "provenance_source_ref_conflict",
        path: `${path}/envelope/sourceRef`,
        message: `The source reference of event ${seq_no} was used by an earlier event.`,
      });
    sources.add(sourceRef);
    const before = newest.get(installationId);
    newest.set(installationId, one);
    if (before === undefined && vaultSeq !== 1) isComplete = false;
    // Before the range, there may be envelopes that are not here; before event 1 there is no envelope.
    const due = before === undefined ? (manifest.from_seq_no === 1 ? 1 : vaultSeq) : before.envelope.vaultSeq + 1;
    const follows = before === undefined || previousEnvelopeHash === before.hash;
    const isFirst = vaultSeq === 1;
    if (vaultSeq === due && follows && isFirst === (previousEnvelopeHash === ZERO_HASH)) continue;
    exam.reject("vault_chain", {
      code: "vault_chain_broken",
      path: `${path}/envelope/${vaultSeq === due ? "previousEnvelopeHash" : "vaultSeq"}`,
      message:
        vaultSeq === due
          ? `${envelopeInWords(envelope)} does not follow the envelope of that vault before it.`
          : `Expected envelope ${due} of ${installationId}, found envelope ${vaultSeq}.`,
      expected: `${vaultSeq === due ? (before?.hash ?? "64 zeros for the first, and only for it") : due}`,
      actual: `${vaultSeq === due ? previousEnvelopeHash : vaultSeq}`,
    });
  }
  return isComplete ? "complete" : "partial";
}

/** Recomputes the root over the envelopes here. */
function examineRoot(exam: Examination, manifest: ProvenanceManifest, recorded: readonly Recorded[]): void {
  const { from_seq_no, to_seq_no } = manifest;
  const leaves = recorded.map(({ record, envelope, hash }) => ({
    stream_id: record.stream_id,
    seq_no: record.seq_no,
    event_hash: record.event_hash,
    source_ref: record.source_ref,
    installation_id: envelope.installationId,
    envelope_hash: hash,
    capsule_root: envelope.capsuleRoot,
  }));
  exam.looked("provenance", leaves.length);
  exam.found("provenance", `the root over ${manifest.provenance_event_count} events is ${manifest.provenance_root}`);
  const own = leaves.length === 0 ? "no envelope is here" : provenanceRoot(exam.kernel, leaves);
  exam.expectEqual("provenance", "provenance_root_mismatch", manifest.provenance_root, own, {
    path: "/manifest/provenance_root",
    message: "The envelopes here do not give the provenance root.",
    count: false,
  });
  const count = to_seq_no - from_seq_no + 1;
  exam.expectEqual("provenance", "provenance_count_mismatch", `${manifest.provenance_event_count}`, `${count}`, {
    path: "/manifest/provenance_event_count",
    message:
      `The range from event ${from_seq_no} to event ${to_seq_no} has another number of events than the manifest ` +
      `counts.`,
    count: false,
  });
}

interface ContentInput {
  readonly artifact: ProvenanceArtifact;
  readonly scope: Scope;
  readonly isTrusted: boolean;
  /** Hashes of contents that have been computed already, by event. */
  readonly known: ReadonlyMap<string, HashHex> | undefined;
}

/** Checks the contents that are here. Returns them by the number of their event. */
function examineContents(
  exam: Examination,
  { contents = {} }: Bundle,
  recorded: readonly Recorded[],
  { artifact: { provider_policies }, scope, isTrusted, known }: ContentInput,
): ReadonlyMap<number, Content> {
  const counting = examineProviderPolicies(exam, provider_policies, `${PATH}/provider_policies`, scope);
  if (provider_policies.length === 0) exam.notChecked("provider", "no provider policy in the bundle");
  const byEvent = new Map(recorded.map((one) => [one.record.stream_event_id, one]));
  const shown = new Map<number, Content>();
  const entries = Object.entries(contents);
  const hashes = entries.map(([eventId]) => known?.get(eventId));
  const digests = contentDigests(
    exam.kernel,
    entries.map(([, content]) => content),
    hashes,
  );
  for (const [index, [eventId, content]] of entries.entries()) {
    const path = `/contents/${eventId}`;
    const one = byEvent.get(eventId);
    if (one === undefined) {
      const message = "This content belongs to no event in the bundle.";
      exam.reject("envelope", { code: "malformed", path, message });
      continue;
    }
    const { envelope, record } = one;
    shown.set(record.seq_no, content);
    examineContent(exam, envelope, content, path, digests[index]);
    for (const fault of startSealFaults(envelope, content, `${one.path}/envelope`))
      exam.reject("envelope", { code: "malformed", ...fault });
    examineRecordedContent(exam, envelope, content, record, path);
    // Where nobody trusts the service, no policy by it counts, and the verdict says so already.
    if (isTrusted)
      examineNamedProvider(exam, content.metadata, counting, `${path}/metadata`, envelopeInWords(envelope));
  }
  const withheld = recorded.length - shown.size;
  const starts = recorded.filter(({ envelope, seq_no }) => envelope.startSeal !== undefined && !shown.has(seq_no));
  const unchecked = starts.length === 0 ? "" : `, and ${starts.length} start seals not checked without them`;
  if (withheld > 0) exam.notChecked("envelope", `${withheld} contents withheld${unchecked}`);
  return shown;
}

interface LevelInput {
  readonly contents: ReadonlyMap<number, Content>;
  readonly attested: readonly Attested[];
  readonly isTrusted: boolean;
  readonly keyOf: (one: Recorded) => KnownKey;
  readonly vaultChain: VaultChain;
  readonly vaultKeys: () => KnownKeys["weakest"];
}

function sumLevels(exam: Examination, recorded: readonly Recorded[], input: LevelInput): void {
  const { contents, attested, isTrusted, keyOf, vaultChain, vaultKeys } = input;
  const counting = attested.filter(({ counts }) => counts);
  // Where nobody trusts the service, its results carry no level, and contradict none either.
  const carrying = new KnownAttestations(isTrusted ? counting : attested);
  const tally = new LevelTally();
  const events = recorded.map(
    (one): VaultEvent => ({
      seqNo: one.record.seq_no,
      envelope: one.envelope,
      path: `${one.path}/envelope`,
      content: contents.get(one.record.seq_no) ?? null,
      contentPath: `/contents/${one.record.stream_event_id}`,
      receivedAt: one.record.received_at,
      key: keyOf(one),
    }),
  );
  examineLevels(exam, events, { carrying, mayLack: false }, tally);
  noteMissing(exam);
  const installations = [...new Set(recorded.map(({ envelope }) => envelope.installationId))];
  exam.provenance = tally.sum({
    installations: installations.length,
    vaultChain: recorded.length === 0 ? "none" : vaultChain,
    vaultKeys: vaultKeys(),
    custodies: custodiesOf(installations, counting),
    hasSoftwareRoot: counting.some(({ softwareRoot }) => softwareRoot),
  });
}
