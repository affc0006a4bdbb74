/**
 * An envelope that stands alone (protocol sections 20 and 33): it is trusted by what is known of its vault's key, and
 * its claim counts as L0, because nothing dates it and nobody else speaks of it.
 */
import type { Examination } from "../report/examination.ts";
import { UNDATED } from "../vault/key-time.ts";
import { KnownKeys, noteUnknownEnd } from "../vault/known-keys.ts";
import { examineLevels } from "./assurance/events.ts";
import { KnownAttestations } from "./assurance/level.ts";
import { LevelTally } from "./assurance/tally.ts";
import {
  envelopeInWords,
  examineContent,
  examineEnvelopeSeal,
  examineFirst,
  uncheckedNote,
} from "./envelope/examine.ts";
import { sealedEnvelope } from "./envelope/issue.ts";
import type { Envelope } from "./envelope/schema.ts";
import { policyNote } from "./provider/policy.ts";

/** Examines a standalone envelope. */
export function examineStandaloneEnvelope(exam: Examination, envelope: Envelope): void {
  const { installationId, streamId, sourceRef, content } = envelope;
  exam.subject = { id: sourceRef, stream_id: streamId };
  const keys = new KnownKeys(exam, { streamId });
  const key = keys.keyOf(installationId, "/installationId");
  examineFirst(exam, envelope, "");
  examineEnvelopeSeal(exam, envelope, key, "");
  const note = uncheckedNote(envelope, false);
  if (note !== null) exam.notChecked("envelope", note);
  if (content !== undefined) examineContent(exam, envelope, content, "/content");
  keys.examineEvent(key, UNDATED, "/seal", () => envelopeInWords(envelope));
  noteUnknownEnd(exam, key);
  exam.notChecked("provider", policyNote(content));
  const tally = new LevelTally();
  const place = { path: "", contentPath: "/content", seqNo: null, receivedAt: null };
  const event = { ...place, envelope: sealedEnvelope(envelope), content: content ?? null, key };
  examineLevels(exam, [event], { carrying: new KnownAttestations([]), mayLack: true }, tally);
  exam.provenance = tally.sum({
    installations: 1,
    vaultChain: "none",
    vaultKeys: keys.weakest,
    custodies: [],
    hasSoftwareRoot: false,
  });
}
