/** Says in plain words what a verdict on this very object shows, and what it does not (protocol section 16). */
import type { Kind } from "./checks.ts";
import type { ProblemCode } from "./codes.ts";
import type { Assurance, Subject, Verdict } from "./report.ts";

/** The two lists of sentences that end a report. */
export interface Meaning {
  readonly proves: readonly string[];
  readonly does_not_prove: readonly string[];
}

/** The sentences about what vaults state, which only a verifier with their evidence has: vault-words.ts. */
export interface VaultWords {
  /** The codes of vaults, in the order of their table. */
  readonly codes: readonly string[];
  /** Returns the next step of a person for a code of vaults; undefined for any other code. */
  action(code: ProblemCode): string | undefined;
  /** Says what an object of a kind of vaults shows. */
  shows(kind: Kind, subject: Subject, assurance: Assurance): readonly string[];
  /** Says what the envelopes of a range show. */
  capsules(assurance: Assurance): readonly string[];
  /** Says what envelopes, capsules and an object of a kind of vaults do not show. */
  limits(kind: Kind, subject: Subject, assurance: Assurance): readonly string[];
}

/** The kinds that are about events. */
const ABOUT_EVENTS: readonly Kind[] = ["receipt", "portable-receipt", "stream", "window", "bundle", "truth-package"];
const LATER_EPOCH = "the later epoch of the service log extends the earlier one: no checkpoint before it was changed";
const NOT_TRUE = "that what the events say is true, complete or lawful";

export interface MeaningInput {
  /** Whether a signature could not be checked because its key is unknown. */
  readonly signaturesMissing: boolean;
  /** Whether trust that the verifier brought along reaches every signer; by default it does not. */
  readonly reachesSigners?: boolean;
  /** Whether nobody has sealed anything in it; by default that depends on its kind alone. */
  readonly isUnsigned?: boolean;
  /** Null without the evidence of vaults. */
  readonly words?: VaultWords | null;
}

/** Says what a verdict means. A rejected object proves nothing; an untrusted one only that its parts fit each other. */
export function describe(
  verdict: Verdict,
  kind: Kind | null,
  subject: Subject,
  assurance: Assurance,
  { signaturesMissing, reachesSigners = false, isUnsigned = false, words = null }: MeaningInput,
): Meaning {
  if (verdict === "rejected" || kind === null) {
    return { proves: [], does_not_prove: ["anything: a check failed, or it is not what you asked for"] };
  }
  const proves = shows(kind, subject, assurance, words);
  if (verdict === "verified") return { proves, does_not_prove: limits(kind, subject, assurance, words) };
  if (isUnsigned || ["inclusion", "witness", "provider-result"].includes(kind))
    return { proves: shows(kind, subject, assurance, words), does_not_prove: limits(kind, subject, assurance, words) };
  if (reachesSigners)
    return {
      proves: ["only if that holds too which could not be checked (see the problems):", ...proves],
      does_not_prove: limits(kind, subject, assurance, words),
    };
  const unchecked = signaturesMissing ? ", and if its signatures, which could not be checked, hold under it" : "";
  const whose = "whose key sealed it: no trust that you brought along reaches the signer";
  return {
    proves: [`only if the signer's key is the service's and you may trust it for this${unchecked}:`, ...proves],
    does_not_prove: [whose, ...limits(kind, subject, assurance, words)],
  };
}

function shows(kind: Kind, subject: Subject, assurance: Assurance, words: VaultWords | null): readonly string[] {
  const { included, redacted, witnessed } = assurance;
  const { from_seq_no: from, to_seq_no: to } = subject;
  switch (kind) {
    case "receipt":
      return [`the service accepted ${thisEvent(subject, redacted)} at this place in the stream`];
    case "portable-receipt": {
      const place = included ? ", and committed to it under a checkpoint" : "";
      return [
        `the service accepted ${thisEvent(subject, redacted)} at this place in the stream${place}`,
        ...seenBy(witnessed),
        ...anchoredIn(assurance),
      ];
    }
    case "stream":
      return [`the service recorded events ${from} to ${to} in this order, and none between them is missing or added`];
    case "window":
      return [`the service committed to events ${from} to ${to} of the stream under this Merkle root`];
    case "inclusion":
      return ["the event hash is a leaf under the window root that it names"];
    case "checkpoint":
      return [`the service committed to the stream up to event ${to} under this root`, ...seenBy(witnessed)];
    case "consistency":
      if (subject.stream_id === undefined) return [LATER_EPOCH, ...anchoredIn(assurance)];
      return ["the later checkpoint extends the earlier one: nothing before it was changed", ...seenBy(witnessed)];
    case "witness":
      return ["nothing by itself"];
    case "anchor":
      return ["the service committed to this epoch of its log and to the checkpoints listed", ...anchoredIn(assurance)];
    case "fork":
      return [
        "the holder of the signing key signed two statements of which one breaks what the other says or promises",
      ];
    case "key":
      return ["the endorsing key names this key as its successor"];
    case "bundle": {
      const all =
        `events ${from} to ${to} of the stream are all here, none missing, none added, in the order in which they ` +
        `were recorded`;
      return [all, ...(words?.capsules(assurance) ?? []), ...seenBy(witnessed), ...anchoredIn(assurance)];
    }
    case "truth-package": {
      const all = "the events of its ranges are all here, none missing, none added, and are those in events.csv";
      return [all, ...(words?.capsules(assurance) ?? []), ...seenBy(witnessed), ...anchoredIn(assurance)];
    }
    default:
      return words?.shows(kind, subject, assurance) ?? [];
  }
}

function thisEvent({ to_seq_no: no }: Subject, redacted: number): string {
  return redacted === 0 ? `event ${no} with this payload` : `event ${no}, whose payload is left out,`;
}

/** Says who has cosigned the newest checkpoint. */
export function seenBy({ valid, pinned }: Assurance["witnessed"]): string[] {
  if (valid === 0) return [];
  const independent = pinned === 0 ? "none of them is one that you pin" : `${pinned} of them pinned by you`;
  return [`${valid} ${valid === 1 ? "witness has" : "witnesses have"} cosigned it; ${independent}`];
}

/** Says what the service log and a chain show of the newest checkpoint, or of the epoch itself. */
export function anchoredIn({ published, anchored }: Assurance): string[] {
  const sentences: string[] = [];
  if (published === "witnessed")
    sentences.push("it is in an epoch of the service log that a witness pinned by you has cosigned");
  else if (published === "included")
    sentences.push("it is in an epoch of the service log, which no witness pinned by you has cosigned");
  if (anchored === "pinned") sentences.push("it existed by the time of a block that you pin");
  if (anchored === "unpinned") sentences.push("its hash is in a block, which you do not pin");
  return sentences;
}

function limits(kind: Kind, subject: Subject, assurance: Assurance, words: VaultWords | null): string[] {
  const { to_seq_no: to } = subject;
  const sentences: string[] = [...(words?.limits(kind, subject, assurance) ?? [])];
  if (ABOUT_EVENTS.includes(kind)) sentences.push(NOT_TRUE);
  if (kind === "receipt" || (kind === "portable-receipt" && !assurance.included))
    sentences.push("that the event is still in the stream that others are shown");
  if (kind === "stream" || kind === "checkpoint" || kind === "bundle")
    sentences.push(`that the stream ends at event ${to}: newer events cannot be seen from here`);
  if (kind === "truth-package")
    sentences.push(
      "that its streams end there: newer events cannot be seen from here",
      "what manifest.json says",
      "that anybody read it",
    );
  if (kind === "window") sentences.push("that these events are in the stream that others are shown");
  if (kind === "witness") sentences.push("that the signature holds: the checkpoint that it is about is not here");
  if (kind === "checkpoint" && assurance.witnessed.valid > 0)
    sentences.push("that the witnesses saw its head and range: they cosigned its origin, size and root");
  if (kind === "inclusion") sentences.push("that anybody signed that root");
  if (kind === "fork")
    sentences.push("which of the two is true", "that the key was not stolen, or by whose fault it happened");
  if (kind === "key") sentences.push("that the endorsing key was not stolen");
  if (assurance.redacted > 0)
    sentences.push(`what the ${assurance.redacted} redacted payload${assurance.redacted === 1 ? "" : "s"} said`);
  if (kind === "anchor") sentences.push("the ids of the checkpoints listed: the epoch's root covers their hashes");
  if (kind === "anchor" && assurance.published !== "witnessed")
    sentences.push("that the service shows everybody the same log: no witness that you pin has cosigned it");
  if (assurance.anchored === "unpinned")
    sentences.push("that its block is in the chain, and so when it was made: you do not pin that block");
  const hasCheckpoint = (kind === "portable-receipt" || kind === "disclosure") && assurance.included;
  if (["checkpoint", "bundle", "truth-package", "consistency"].includes(kind) || hasCheckpoint) {
    if (assurance.witnessed.pinned === 0)
      sentences.push("that the service shows everybody the same history: no witness that you pin has seen it");
    if (assurance.anchored === "none" || assurance.anchored === "pending")
      sentences.push("when it was made: all times are the word of those who signed it");
  }
  return sentences;
}
