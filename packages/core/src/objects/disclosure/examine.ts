/**
 * The examination of a disclosure (protocol section 28): the receipt, what is known of the vault's key, the envelope,
 * the opened fields, the reader it is sealed for, and the level of its event.
 */
import { Examination } from "../../report/examination.ts";
import type { Scope } from "../../trust/key-ring.ts";
import { examineInstallationSeal } from "../../vault/installation-seal.ts";
import { examineKeyStatusSeal, expectOwnKeyId } from "../../vault/key-status/examine.ts";
import type { CountedStatus } from "../../vault/key-status/vouching.ts";
import { cellNote, type KnownKey, KnownKeys } from "../../vault/known-keys.ts";
import { custodiesOf, examineLevels } from "../assurance/events.ts";
import { type Attested, KnownAttestations } from "../assurance/level.ts";
import { noteMissing } from "../assurance/missing.ts";
import { LevelTally } from "../assurance/tally.ts";
import { examineAttestation } from "../attestation/examine.ts";
import {
  envelopeInWords,
  examineContent,
  examineEnvelopeSeal,
  examineFirst,
  uncheckedNote,
} from "../envelope/examine.ts";
import { envelopeHash, sealedEnvelope } from "../envelope/issue.ts";
import { examineRecordedContent, examineRecordedEnvelope } from "../envelope/recorded.ts";
import { examinePortableReceipt } from "../portable-receipt/examine.ts";
import type { PortableReceipt } from "../portable-receipt/schema.ts";
import { policyNote } from "../provider/policy.ts";
import {
  type AnyProviderResult,
  examineProviderResult,
  PROVIDER_RESULT_FIELD,
  providerResultFaults,
} from "../provider/result.ts";
import { receivedTimes } from "../receipt.ts";
import { examineFields } from "./fields.ts";
import { disclosureBody } from "./issue.ts";
import type { Disclosure } from "./schema.ts";

/** Examines a disclosure. It settles the signatures. */
export function examineDisclosure(exam: Examination, disclosure: Disclosure): void {
  const { disclosureId, envelope, receipt } = disclosure;
  const { installationId, streamId } = envelope;
  const record = receipt?.receipt;
  exam.subject = {
    id: disclosureId,
    stream_id: streamId,
    ...(record && { from_seq_no: record.seq_no, to_seq_no: record.seq_no, ...receivedTimes([record]) }),
  };
  const part = receipt === null ? null : examineReceiptPart(exam, receipt);
  exam.origin = receipt?.checkpoint?.origin;
  const scope = { streamId, origin: exam.origin };
  const keys = new KnownKeys(exam, scope, { statuses: examineStatus(exam, disclosure, scope) });
  const key = keys.keyOf(installationId, "/envelope/installationId");
  examineOwnEnvelope(exam, disclosure, key);
  const event = {
    receivedAt: record?.received_at ?? null,
    provenBefore: (instant: string) => part?.isProvenBefore(instant, record?.seq_no as number) === true,
  };
  exam.settle();
  // The note tells what the status and the receipt say: of forged ones it would say what nobody has said.
  const isTold = !exam.rejected;
  keys.examineEvent(key, event, "/envelope", () => envelopeInWords(envelope));
  if (isTold) exam.notChecked("vault_key", cellNote(key, event));
  exam.found("disclosure", openingNote(disclosure));
  const { content } = envelope;
  if (content !== undefined) examineFields(exam, disclosure.fields, envelope, content);
  examineProviders(exam, disclosure);
  examineReader(exam, disclosure, key);
  examineExpectedReader(exam, disclosure);
  examineOwnLevel(exam, disclosure, keys, key, scope);
}

/** The receipt is examined by itself, as it would be alone, and everything found is taken over. */
function examineReceiptPart(exam: Examination, receipt: PortableReceipt): Examination {
  const part = new Examination(exam.kernel, exam.trust, exam.chain, exam.keys);
  part.kind = "portable-receipt";
  part.value = receipt;
  examinePortableReceipt(part, receipt);
  part.report();
  exam.adopt(part, (path) => `/receipt${path}`);
  const { included, witnessed, published, anchored, quorumMet, redacted } = part;
  Object.assign(exam, { included, witnessed, published, anchored, quorumMet, redacted });
  return part;
}

/** Checks the status of the key. Returns it if it counts. */
function examineStatus(exam: Examination, { keyStatus, envelope }: Disclosure, scope: Scope): CountedStatus[] {
  if (keyStatus === null) return [];
  exam.expectEqual("vault_key", "vault_key_mismatch", envelope.installationId, keyStatus.installationId, {
    path: "/keyStatus/installationId",
    message: "The status is of another installation's key than the one that sealed the envelope.",
    count: false,
  });
  expectOwnKeyId(exam, keyStatus, "/keyStatus");
  return examineKeyStatusSeal(exam, keyStatus, "/keyStatus", scope);
}

function examineOwnEnvelope(
  exam: Examination,
  { envelope, envelopeHash: named, receipt, attestations }: Disclosure,
  key: KnownKey,
): void {
  examineFirst(exam, envelope, "/envelope");
  examineEnvelopeSeal(exam, envelope, key, "/envelope");
  const { content } = envelope;
  const sealed = sealedEnvelope(envelope);
  // Without a receipt no level is looked for, and so no start.
  const isStartTold =
    receipt !== null && attestations.some(({ result }) => result?.startId === content?.assurance.startId);
  const note = uncheckedNote(envelope, isStartTold);
  if (note !== null) exam.notChecked("envelope", note);
  if (content !== undefined) examineContent(exam, sealed, content, "/envelope/content");
  exam.expectEqual("disclosure", "commitment_mismatch", named, envelopeHash(exam.kernel, envelope), {
    path: "/envelopeHash",
    message: "The envelope is not the one that the disclosure names.",
    count: false,
  });
  if (receipt === null) return;
  const { payload_salt: salt } = receipt.receipt;
  if (salt === undefined) {
    exam.reject("envelope", {
      code: "provenance_envelope_missing",
      path: "/receipt/receipt/payload",
      message: "The receipt lacks its payload, so that nothing shows that the service recorded this envelope.",
    });
    return;
  }
  examineRecordedEnvelope(exam, sealed, salt, receipt.receipt, "/envelope");
  if (content !== undefined) examineRecordedContent(exam, sealed, content, receipt.receipt, "/envelope/content");
}

function examineProviders(exam: Examination, { fields, envelope }: Disclosure): void {
  const notes = [policyNote(envelope.content)];
  fields.forEach(({ name, value }, index) => {
    if (name !== PROVIDER_RESULT_FIELD) return;
    const path = `/fields/${index}/value`;
    const faults = providerResultFaults(value, path);
    for (const fault of faults) exam.reject("provider", fault);
    if (faults.length > 0) return;
    const mismatch = examineProviderResult(exam, value as unknown as AnyProviderResult, path);
    if (mismatch !== null) notes.unshift(mismatch);
  });
  exam.notChecked("provider", notes.join("; "));
}

/** So many names of opened fields are listed. */
const SHOWN_NAMES = 8;

/** Says how much is opened, how much stays closed, and whether it is bound to a reader. */
function openingNote({ fields, envelope, seal, audience, nonce }: Disclosure): string {
  const size = envelope.content?.capsuleSize;
  const names = fields.slice(0, SHOWN_NAMES).map(({ name }) => name);
  const more = fields.length > SHOWN_NAMES ? ` and ${fields.length - SHOWN_NAMES} more` : "";
  const opened =
    fields.length === 0 || size === undefined
      ? "no field is opened"
      : `${fields.length} of ${size} leaves opened: ${names.join(", ")}${more}; ${size - fields.length} stay closed`;
  if (seal === null) return `${opened}; not sealed, so that anybody can pass it on`;
  const reader = audience === null ? "no reader in particular" : `the reader ${JSON.stringify(audience)}`;
  return `${opened}; sealed for ${reader}${nonce === null ? "" : `, on the occasion ${JSON.stringify(nonce)}`}`;
}

/** Checks the seal of the disclosure, which binds it to a reader. */
function examineReader(exam: Examination, disclosure: Disclosure, key: KnownKey): void {
  const { seal, disclosedAt, disclosureId } = disclosure;
  if (seal === null) return;
  examineInstallationSeal(exam, "disclosure", key, {
    tag: "disclosure",
    body: () => disclosureBody(disclosure),
    seal,
    path: "/seal",
    what: () => `the disclosure ${disclosureId}`,
    code: "disclosure_signature_invalid",
  });
  const { status } = key;
  const hasEnded = status !== null && status.revokedAt !== null && status.revokedAt <= disclosedAt;
  // The own times of a key that is revoked prove nothing.
  exam.expect("vault_key", status?.status !== "revoked" && !hasEnded, {
    code: "vault_key_revoked",
    path: "/seal/kid",
    message: `The key that sealed the disclosure ended at ${status?.revokedAt}.`,
  });
}

/**
 * Checks that the disclosure is sealed for the reader and the occasion that the verifier expects, and of its content.
 */
function examineExpectedReader(exam: Examination, { audience, nonce, fields }: Disclosure): void {
  const { expect = {} } = exam.trust;
  for (const [name, wanted, actual] of [
    ["audience", expect.audience, audience],
    ["nonce", expect.nonce, nonce],
  ] as const) {
    if (wanted === undefined) continue;
    exam.looked("expectation");
    // Without a seal both are null.
    exam.expect("expectation", actual === wanted, {
      code: "disclosure_audience_mismatch",
      path: `/${name}`,
      message: `The disclosure is not sealed for the ${name} that you expect.`,
      expected: wanted,
      actual: actual ?? "none",
    });
  }
  const { content_sha256: wanted } = expect;
  if (wanted === undefined) return;
  const at = fields.findIndex(({ name }) => name === "content");
  exam.looked("expectation");
  if (at < 0) {
    exam.reject("expectation", {
      code: "evidence_missing",
      path: "/fields",
      message: "You expect a content, and the disclosure does not open it.",
      expected: wanted,
    });
    return;
  }
  const opened = (fields[at]?.value as { readonly sha256?: unknown } | null)?.sha256;
  exam.expect("expectation", opened === wanted, {
    code: "content_mismatch",
    path: `/fields/${at}/value/sha256`,
    message: "The opened content is of another file than the one that you have.",
    expected: wanted,
    actual: typeof opened === "string" ? opened : "no hash",
  });
}

function examineOwnLevel(
  exam: Examination,
  disclosure: Disclosure,
  keys: KnownKeys,
  key: KnownKey,
  scope: Scope,
): void {
  const { envelope, receipt, attestations } = disclosure;
  const attested = attestations.flatMap((attestation, index): Attested[] => {
    const one = examineAttestation(exam, attestation, keys, scope, `/attestations/${index}`);
    return one === null ? [] : [one];
  });
  if (attestations.length === 0) exam.notChecked("attestation", "no attestation here");
  const counting = attested.filter(({ counts }) => counts);
  const event = {
    seqNo: receipt?.receipt.seq_no ?? null,
    envelope: sealedEnvelope(envelope),
    path: "/envelope",
    content: envelope.content ?? null,
    contentPath: "/envelope/content",
    receivedAt: receipt?.receipt.received_at ?? null,
    key,
  };
  const tally = new LevelTally();
  examineLevels(exam, [event], { carrying: new KnownAttestations(counting), mayLack: true }, tally);
  noteMissing(exam);
  exam.provenance = tally.sum({
    installations: 1,
    vaultChain: "none",
    vaultKeys: keys.weakest,
    custodies: custodiesOf([envelope.installationId], counting),
    hasSoftwareRoot: counting.some(({ softwareRoot }) => softwareRoot),
  });
}
