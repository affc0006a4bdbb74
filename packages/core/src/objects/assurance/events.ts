/**
 * Judges the levels that the events of an object claim (protocol section 33), and sums them up. level.ts has the rules.
 */
import { hexToBytes } from "../../encoding/hex.ts";
import type { Examination, PendingSignature } from "../../report/examination.ts";
import type { CustodyBasis } from "../../report/report.ts";
import { kidOf, sealedBytes } from "../../seal.ts";
import type { KnownKey } from "../../vault/known-keys.ts";
import { envelopeInWords } from "../envelope/examine.ts";
import { envelopeBody } from "../envelope/issue.ts";
import type { Content, SealedEnvelope } from "../envelope/schema.ts";
import {
  type Attested,
  type CountedLevel,
  countedLevel,
  type HighestFacts,
  type KnownAttestations,
  L0,
  missingForHighest,
  substantiation,
} from "./level.ts";
import { missingForNext } from "./missing.ts";
import type { LevelTally } from "./tally.ts";

/** An event of a vault. */
export interface VaultEvent {
  /** Null without a receipt. */
  readonly seqNo: number | null;
  readonly envelope: SealedEnvelope;
  /** JSON Pointer to the envelope. */
  readonly path: string;
  /** Null if it is withheld. */
  readonly content: Content | null;
  /** JSON Pointer to the content. */
  readonly contentPath: string;
  /** The service's time; null without a receipt. */
  readonly receivedAt: string | null;
  readonly key: KnownKey;
}

/** The attestations of an object. */
export interface AttestationsHere {
  /** Those that may carry a claim. */
  readonly carrying: KnownAttestations;
  /** Whether a claim that none of them is about counts as L0. In a bundle it is refused. */
  readonly mayLack: boolean;
}

/** An event, the attestation that carries its claim, and the start seal that must hold beside it. */
interface Carried {
  readonly event: VaultEvent;
  readonly attested: Attested | null;
  /** Null without a start seal. */
  readonly startSeal: Pick<PendingSignature, "valid"> | null;
}

/** Judges the levels of events, and notes them. It settles the signatures where there are start seals. */
export function examineLevels(
  exam: Examination,
  events: readonly VaultEvent[],
  here: AttestationsHere,
  tally: LevelTally,
): void {
  const carried = events.map((event) => examineClaim(exam, event, here));
  if (carried.some(({ startSeal }) => startSeal !== null)) exam.settle();
  for (const one of carried) countLevel(exam, one, here, tally);
}

function examineClaim(exam: Examination, event: VaultEvent, here: AttestationsHere): Carried {
  const { content } = event;
  if (content === null) return { event, attested: null, startSeal: null };
  exam.looked("assurance");
  const attested = carrierOf(exam, event, content.assurance, here);
  return { event, attested, startSeal: attested === null ? null : examineStartSeal(exam, event, attested) };
}

function countLevel(exam: Examination, carried: Carried, here: AttestationsHere, tally: LevelTally): void {
  const { envelope, content, seqNo } = carried.event;
  const claimed = content?.assurance.level ?? null;
  // Without the key of its start, an attestation carries nothing.
  const attested = carried.startSeal?.valid === false ? null : carried.attested;
  const counted = claimed === null || attested === null ? L0 : countedLevel(claimed, attested, exam.trust);
  const facts = highestFacts(exam, carried.event, attested, counted, here.carrying);
  const isHighest = missingForHighest(facts) === null;
  const effective = isHighest ? { level: "L3" as const, by: "verifier" as const } : counted;
  tally.event(claimed, effective);
  exam.levels.push({
    seq_no: seqNo,
    source_ref: envelope.sourceRef,
    installation_id: envelope.installationId,
    claimed,
    effective: effective.level,
    substantiated_by: effective.by,
    missing: missingForNext({ claimed, effective: effective.level }, attested, exam.trust, facts),
  });
}

/** Returns the attestation that carries a claim above L0 at the time of its event; null if none does. */
function carrierOf(
  exam: Examination,
  { envelope, contentPath, receivedAt, key }: VaultEvent,
  claim: Content["assurance"],
  { carrying, mayLack }: AttestationsHere,
): Attested | null {
  if (claim.level === "L0" || receivedAt === null) return null;
  if (mayLack && carrying.namedBy(claim).length === 0) return null;
  const event = { installationId: envelope.installationId, publicKeyHex: key.publicKeyHex, receivedAt };
  const { attested, reason } = substantiation(claim, event, carrying);
  if (attested !== null) return attested;
  exam.reject("assurance", {
    code: "provenance_assurance_not_substantiated",
    path: `${contentPath}/assurance`,
    message:
      `${envelopeInWords(envelope)} claims ${claim.level}, and nothing here carries it ` +
      `at ${receivedAt}: ${reason}.`,
    expected: claim.level,
    actual: reason,
  });
  return null;
}

/** Has the start seal of an envelope checked under the key of the start that it names. Returns null if it has none. */
function examineStartSeal(
  exam: Examination,
  { envelope, path }: VaultEvent,
  { startPublicKeyHex }: Attested,
): Carried["startSeal"] {
  const { startSeal } = envelope;
  // Both are there exactly at L2: that is checked elsewhere.
  if (startSeal === undefined || startPublicKeyHex === null) return null;
  const code = "start_signature_invalid";
  const what = envelopeInWords(envelope);
  const isByKey = exam.expect("assurance", startSeal.kid === kidOf(exam.kernel, startPublicKeyHex), {
    code,
    path: `${path}/startSeal/kid`,
    message: `The start seal of ${what} is by another key than that of its start.`,
  });
  if (!isByKey) return { valid: false };
  const message = sealedBytes(exam.kernel, "envelope-start", envelopeBody(envelope), startSeal.kid);
  return exam.signature("assurance", startPublicKeyHex, message, hexToBytes(startSeal.signature), {
    code,
    path: `${path}/startSeal/signature`,
    message: `The start seal of ${what} does not verify under the key of its start.`,
  });
}

/** Gathers the conditions of L3, which only the verifier's own pins can meet. */
function highestFacts(
  exam: Examination,
  { key, envelope, receivedAt }: VaultEvent,
  attested: Attested | null,
  { level, by }: CountedLevel,
  carrying: KnownAttestations,
): HighestFacts {
  const { status_not_before: notBefore } = exam.trust;
  return {
    own_l2: level === "L2" && by === "verifier",
    vault_key_pinned: key.vouched === "pinned",
    independent_activation: attested?.isActivated === true,
    custody_x509: receivedAt !== null && carrying.isInToken(envelope.installationId, receivedAt),
    no_software_root: !carrying.hasSoftwareRoot,
    // A quorum that asks for nobody is met by nobody.
    quorum: exam.quorumMet && exam.witnessed.pinned > 0,
    pinned_block: exam.anchored === "pinned",
    status_not_before: notBefore !== undefined && key.status !== null && key.status.statusAt >= notBefore,
  };
}

/** Returns the best basis on which the key of each installation is known to live in a token. */
export function custodiesOf(installations: readonly string[], attestations: readonly Attested[]): CustodyBasis[] {
  const best = new Map<string, CustodyBasis>();
  for (const { counts, installationId, custody } of attestations) {
    const isBetter = custody === "x509" || (custody === "ceremony" && !best.has(installationId));
    if (counts && isBetter) best.set(installationId, custody);
  }
  return installations.map((installationId) => best.get(installationId) ?? "none");
}
