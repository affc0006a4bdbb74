/**
 * The call `add-checkpoint` (c2sp.org/tlog-witness): its request, and the reading of its answer. Whatever a witness
 * answers, only a cosignature that holds for this very note, by its configured key and at a time at which it counts, is
 * returned; every other answer is a fault with a name.
 */
import {
  COSIGNATURE_LINE,
  encodeBase64,
  encodeHex,
  type Kernel,
  type NodeHash,
  openNote,
  parseCosignature,
  parseNote,
  type SignatureHex,
} from "@svc/core";
import type { EgressAnswer } from "@svc/host/egress";
import { printable } from "@svc/host/printable";
import type { Cosigned, FedNote } from "./fed-log.ts";
import type { FedWitness } from "./fed-witness.ts";
import { FeedFault } from "./feed-fault.ts";

/** How far a witness's clock may be ahead of this service's. */
const MAX_AHEAD_S = 300;
/** A size, as an answer with status 409 names it. */
const SIZE = /^(0|[1-9][0-9]{0,15})\n?$/;
const MAX_SHOWN_CHARACTERS = 120;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A request, and the time at which it is made, in ms since 1970. */
export interface Asked {
  readonly witness: FedWitness;
  readonly note: FedNote;
  readonly oldSize: number;
  readonly now: number;
}

/** Returns the body of a request. */
export function requestBody(oldSize: number, proof: readonly NodeHash[], note: string): string {
  return `${[`old ${oldSize}`, ...proof.map(encodeBase64)].join("\n")}\n\n${note}`;
}

/** Returns the cosignature, or the size that the witness has cosigned. Throws FeedFault for every other answer. */
export function readAnswer(kernel: Kernel, asked: Asked, answer: EgressAnswer): Cosigned | { readonly size: number } {
  const text = decoded(answer.body);
  switch (answer.status) {
    case 200:
      return cosignedIn(kernel, asked, text);
    case 409:
      return { size: sizeIn(asked, text) };
    case 400:
      throw new FeedFault("request_refused", `it answered 400: ${shown(text)}`);
    case 403:
      throw new FeedFault(
        "key_unknown",
        `it answered 403: it does not know the key that signs ${asked.note.origin}. Give its operator the ` +
          `verification key of this service.`,
      );
    case 404:
      throw new FeedFault(
        "origin_unknown",
        `it answered 404: it does not watch ${asked.note.origin}. Ask its operator to add it.`,
      );
    case 422:
      throw contradicted(asked);
    case 429:
    case 503:
      throw new FeedFault("witness_busy", `it answered ${answer.status}: ${shown(text)}`);
    default:
      throw new FeedFault("answer_malformed", `it answered ${answer.status}, which tlog-witness does not know`);
  }
}

function sizeIn(asked: Asked, text: string): number {
  const { note, oldSize } = asked;
  const size = Number(SIZE.exec(text)?.[1] ?? Number.NaN);
  if (!Number.isSafeInteger(size))
    throw new FeedFault("answer_malformed", `it answered 409 without a size: ${shown(text)}`);
  if (size > note.treeSize)
    throw new FeedFault(
      "witness_ahead",
      `it has cosigned ${size} leaves of ${note.origin}, and this service has ${note.treeSize}. The database is ` +
        `older than what was cosigned, or a copy of it goes on elsewhere.`,
    );
  if (size !== oldSize) return size;
  // Releases of the text up to 1.0.0 have this answer, and not 422, for another root of one size.
  if (size === note.treeSize) throw contradicted(asked);
  throw new FeedFault("answer_malformed", `it answered 409 with ${size}, the size that it was asked for`);
}

function contradicted({ note: { origin, treeSize }, oldSize }: Asked): FeedFault {
  const how =
    oldSize === treeSize
      ? `it has cosigned another root over ${treeSize} leaves of ${origin}`
      : `the ${treeSize} leaves of ${origin} do not extend what it has cosigned over ${oldSize}`;
  return new FeedFault(
    "history_contradicted",
    `${how}. One of the two has another history: look at its fork evidence, and run fsck here.`,
  );
}

function cosignedIn(kernel: Kernel, { witness, note, now }: Asked, lines: string): Cosigned {
  const { text } = parseNote(note.note) ?? { text: "" };
  const whole = `${text}\n${lines}`;
  const parsed = parseNote(whole);
  // The lines of the answer must not change the text of the note.
  if (parsed === null || parsed.text !== text)
    throw new FeedFault("answer_malformed", `it answered 200 without signature lines: ${shown(lines)}`);
  const { name, keyId, publicKeyHex } = witness;
  const opened = openNote(kernel, whole, [{ name, keyId, publicKeyHex, type: COSIGNATURE_LINE }]);
  if (!opened.ok && opened.code === "key_not_pinned") {
    const other = parsed.lines.find((line) => line.name === name);
    throw other === undefined
      ? new FeedFault("cosignature_missing", `no line of its answer is by ${name}`)
      : new FeedFault("cosignature_of_other_key", `it signs with the key ${other.keyId}, and ${keyId} is configured`);
  }
  if (!opened.ok) throw new FeedFault("cosignature_invalid", `a cosignature by ${name} does not hold for the note`);
  const line = parsed.lines.find((one) => one.name === name && one.keyId === keyId);
  const cosignature = line && parseCosignature(line.signature);
  if (cosignature == null) throw new FeedFault("cosignature_invalid", `a line by ${name} is no cosignature`);
  const { cosignedAt, signature } = cosignature;
  const notAfter = Math.min(note.notAfter ?? Number.MAX_SAFE_INTEGER, Math.floor(now / 1000) + MAX_AHEAD_S);
  if (cosignedAt < note.notBefore || cosignedAt > notAfter)
    throw new FeedFault(
      "cosignature_time_wrong",
      `its cosignature is of the Unix time ${cosignedAt}, and counts from ${note.notBefore} to ${notAfter}`,
    );
  return { cosignedAt, signature: encodeHex(signature) as SignatureHex };
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new FeedFault("answer_malformed", "its answer is not UTF-8");
  }
}

/** Returns the beginning of what a witness said, which may be anything. */
function shown(text: string): string {
  return printable(JSON.stringify(text.slice(0, MAX_SHOWN_CHARACTERS)));
}
