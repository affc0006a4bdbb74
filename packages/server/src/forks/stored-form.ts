/**
 * The form in which fork evidence is kept: without payloads, which could not be erased here, without parts that no
 * signature covers, and with the keys of this service. It is NOT verified here.
 */
import {
  type Checkpoint,
  encodeHex,
  encodeNote,
  type ForkEvidence,
  type HashHex,
  type JsonObject,
  type Kernel,
  parseCheckpointText,
  parseNote,
  type ReceiptRecord,
  type Report,
  redactRecord,
  type Window,
} from "@svc/core";
import { cosignerOf, type NamedWitness } from "./equivocating-witnesses.ts";

/** A side of fork evidence: a signed object, or the text of a signed note. */
type SideValue = ForkEvidence["left"];

/**
 * Returns evidence with all that convicts and nothing else: strangers could add to the rest without end, and a line
 * that nobody can check now could accuse a witness that is known later. Its keys are left out, because the keeper adds
 * its own. `witnesses`: those that are known of the stream.
 */
export function storedForm(kernel: Kernel, fork: ForkEvidence, witnesses: readonly NamedWitness[]): ForkEvidence {
  const { key_hints: _hints, key_endorsements: _endorsements, ...claim } = fork;
  const cosigners = fork.kind === "witness" ? witnesses.map((witness) => cosignerOf(kernel, witness)) : [];
  const strip = (side: SideValue) => (typeof side === "string" ? storedNote(side, cosigners) : keptObject(fork, side));
  return { ...claim, left: strip(fork.left), right: strip(fork.right) };
}

/** Returns the origins that the sides state; receipts and windows state none. */
export function statedOrigins({ left, right }: ForkEvidence): string[] {
  return [left, right].flatMap((side) => {
    if (typeof side !== "string") return typeof side.origin === "string" ? [side.origin] : [];
    const note = parseNote(side);
    const tree = note === null ? null : parseCheckpointText(note.text);
    return tree === null ? [] : [tree.origin];
  });
}

/**
 * Returns a hash of both signed statements, in any order, so that one contradiction is kept once. It covers no line of
 * a note: anybody can add lines. One pair of notes can convict several witnesses: `report` is then the verdict on the
 * evidence, which names the convicted one.
 */
export function contradictionHash(
  kernel: Kernel,
  { kind, left, right }: Pick<ForkEvidence, "kind" | "left" | "right">,
  report: Pick<Report, "signers"> | null = null,
): HashHex {
  const statements = [left, right].map(statementOf).sort();
  const witnesses = kind === "witness" ? [...new Set(report?.signers.map(({ kid }) => kid))].sort() : [];
  return encodeHex(kernel.sha256(Buffer.from([...witnesses, ...statements].join(" ")))) as HashHex;
}

function statementOf(side: SideValue): string {
  if (typeof side === "string") return parseNote(side)?.text ?? side;
  const { receipt, seal } = side as unknown as Partial<ReceiptRecord & Checkpoint>;
  return (receipt ?? seal)?.signature ?? "";
}

/** `cosigners`: whose cosignatures stay, by `name keyId`. */
function storedNote(note: string, cosigners: readonly string[]): string {
  const parsed = parseNote(note);
  const tree = parsed === null ? null : parseCheckpointText(parsed.text);
  if (parsed === null || tree === null) return note;
  return encodeNote(
    parsed.text,
    parsed.lines.filter(({ name, keyId }) => name === tree.origin || cosigners.includes(`${name} ${keyId}`)),
  );
}

function keptObject({ kind }: ForkEvidence, side: JsonObject): JsonObject {
  if (Object.hasOwn(side, "receipt")) return redactRecord(side as unknown as ReceiptRecord) as unknown as JsonObject;
  if (Object.hasOwn(side, "checkpoint_id")) {
    const { frontier: _frontier, ...signed } = side as unknown as Checkpoint;
    return signed as unknown as JsonObject;
  }
  if (Object.hasOwn(side, "anchor_epoch_id")) return { ...side, members: [] };
  // Only evidence of this kind is shown by leaves.
  if (!Object.hasOwn(side, "window_id") || kind === "leaf") return side;
  const { leaves: _leaves, inclusions: _inclusions, ...signed } = side as unknown as Window;
  return signed as unknown as JsonObject;
}
