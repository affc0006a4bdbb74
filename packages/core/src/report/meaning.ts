/**
 * What a verdict on this very object shows, and what it does not, in plain words (protocol section 16).
 */
import type { Kind } from "./checks.ts";
import type { Assurance, Subject, Verdict } from "./report.ts";

/** The two lists of sentences that end a report. */
export interface Meaning {
  readonly proves: readonly string[];
  readonly does_not_prove: readonly string[];
}

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

function shows(kind: Kind, subject: Subject, { redacted, witnessed }: Assurance): string[] {
  const { from_seq_no: from, to_seq_no: to } = subject;
  switch (kind) {
    case "receipt": {
      const what = redacted === 0 ? `event ${to} with this payload` : `event ${to}, whose payload is left out,`;
      return [`the service accepted ${what} at this place in the stream`];
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
      return ["the later checkpoint extends the earlier one: nothing before it was changed", ...seenBy(witnessed)];
    case "witness":
      return ["nothing by itself"];
    case "key":
      return ["the endorsing key names this key as its successor"];
    case "bundle": {
      const all = `events ${from} to ${to} of the stream are all here, none missing, none added, in the order in which they were recorded`;
      return [all, ...seenBy(witnessed)];
    }
  }
}

function seenBy({ valid, pinned }: Assurance["witnessed"]): string[] {
  if (valid === 0) return [];
  const independent = pinned === 0 ? "none of them is one that you pin" : `${pinned} of them pinned by you`;
  return [`${valid} ${valid === 1 ? "witness has" : "witnesses have"} cosigned it; ${independent}`];
}

function limits(kind: Kind, { to_seq_no: to }: Subject, assurance: Assurance): string[] {
  const sentences: string[] = [];
  if (kind === "receipt" || kind === "stream" || kind === "window" || kind === "bundle") sentences.push(NOT_TRUE);
  if (kind === "receipt") sentences.push("that the event is still in the stream that others are shown");
  if (kind === "stream" || kind === "checkpoint" || kind === "bundle")
    sentences.push(`that the stream ends at event ${to}: newer events cannot be seen from here`);
  if (kind === "window") sentences.push("that these events are in the stream that others are shown");
  if (kind === "witness") sentences.push("that the signature holds: the checkpoint that it is about is not here");
  if (kind === "checkpoint" && assurance.witnessed.valid > 0)
    sentences.push("that the witnesses saw its head and range: they cosigned its origin, size and root");
  if (kind === "inclusion") sentences.push("that anybody signed that root");
  if (kind === "key") sentences.push("that the endorsing key was not stolen");
  if (assurance.redacted > 0)
    sentences.push(`what the ${assurance.redacted} redacted payload${assurance.redacted === 1 ? "" : "s"} said`);
  if (kind === "checkpoint" || kind === "bundle" || kind === "consistency") {
    if (assurance.witnessed.pinned === 0)
      sentences.push("that the service shows everybody the same history: no witness that you pin has seen it");
    if (assurance.anchored === "none")
      sentences.push("when it was made: all times are the service's and its witnesses' word");
  }
  return sentences;
}
