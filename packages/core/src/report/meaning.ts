/** Says in plain words what a verdict on this very object shows, and what it does not (protocol section 16). */
import type { Kind } from "./checks.ts";
import type { Assurance, Subject, Verdict } from "./report.ts";

/** The two lists of sentences that end a report. */
export interface Meaning {
  readonly proves: readonly string[];
  readonly does_not_prove: readonly string[];
}

/** The kinds that are about events. */
const ABOUT_EVENTS: readonly Kind[] = ["receipt", "portable-receipt", "stream", "window", "bundle", "truth-package"];
const LATER_EPOCH = "the later epoch of the service log extends the earlier one: no checkpoint before it was changed";
const NOT_TRUE = "that what the events say is true, complete or lawful";

/** Says what a verdict means. A rejected object proves nothing; an untrusted one only that its parts fit each other. */
export function describe(
  verdict: Verdict,
  kind: Kind | null,
  subject: Subject,
  assurance: Assurance,
  signaturesMissing: boolean,
): Meaning {
  if (verdict === "rejected" || kind === null) {
    return { proves: [], does_not_prove: ["anything: something in it, or in what you asked of it, does not hold"] };
  }
  const proves = shows(kind, subject, assurance);
  if (verdict === "verified") return { proves, does_not_prove: limits(kind, subject, assurance) };
  if (kind === "inclusion" || kind === "witness")
    return { proves: shows(kind, subject, assurance), does_not_prove: limits(kind, subject, assurance) };
  const unchecked = signaturesMissing ? ", and if its signatures, which could not be checked, hold under it" : "";
  const whose = "whose key sealed it: no trust that you brought along reaches the signer";
  return {
    proves: [`only if the signer's key is the service's and you may trust it for this${unchecked}:`, ...proves],
    does_not_prove: [whose, ...limits(kind, subject, assurance)],
  };
}

function shows(kind: Kind, subject: Subject, assurance: Assurance): string[] {
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
        "whoever holds the signing key signed two statements of which one breaks what the other says or promises",
      ];
    case "key":
      return ["the endorsing key names this key as its successor"];
    case "bundle": {
      const all = `events ${from} to ${to} of the stream are all here, none missing, none added, in the order in which they were recorded`;
      return [all, ...seenBy(witnessed), ...anchoredIn(assurance)];
    }
    case "truth-package": {
      const all = "the events of its ranges are all here, none missing, none added, and are those in events.csv";
      return [all, ...seenBy(witnessed), ...anchoredIn(assurance)];
    }
  }
}

function thisEvent({ to_seq_no: no }: Subject, redacted: number): string {
  return redacted === 0 ? `event ${no} with this payload` : `event ${no}, whose payload is left out,`;
}

function seenBy({ valid, pinned }: Assurance["witnessed"]): string[] {
  if (valid === 0) return [];
  const independent = pinned === 0 ? "none of them is one that you pin" : `${pinned} of them pinned by you`;
  return [`${valid} ${valid === 1 ? "witness has" : "witnesses have"} cosigned it; ${independent}`];
}

/** Says what the service log and a chain show of the newest checkpoint, or of the epoch itself. */
function anchoredIn({ published, anchored }: Assurance): string[] {
  const sentences: string[] = [];
  if (published === "witnessed")
    sentences.push("it is in an epoch of the service log that a witness pinned by you has cosigned");
  else if (published === "included")
    sentences.push("it is in an epoch of the service log, which no witness pinned by you has cosigned");
  if (anchored === "pinned") sentences.push("it existed by the time of a block that you pin");
  if (anchored === "unpinned") sentences.push("its hash stands in a block, which you do not pin");
  return sentences;
}

function limits(kind: Kind, { to_seq_no: to }: Subject, assurance: Assurance): string[] {
  const sentences: string[] = [];
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
  const hasCheckpoint = kind === "portable-receipt" && assurance.included;
  if (["checkpoint", "bundle", "truth-package", "consistency"].includes(kind) || hasCheckpoint) {
    if (assurance.witnessed.pinned === 0)
      sentences.push("that the service shows everybody the same history: no witness that you pin has seen it");
    if (assurance.anchored === "none" || assurance.anchored === "pending")
      sentences.push("when it was made: all times are the service's and its witnesses' word");
  }
  return sentences;
}
