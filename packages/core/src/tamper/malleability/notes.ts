/** The malleability of a signed note (protocol sections 9 to 12). */
import type { Json } from "../../kernel/kernel.ts";
import { isMlDsaCosignature } from "../../note/cosignature.ts";
import { type NoteLine, parseNote } from "../../note/signed-note.ts";
import type { Malleability } from "./malleability.ts";

/** The same text, under a line by its log. Lines of unknown keys are ignored, and those of known keys must be whole. */
export const NOTE: Malleability = {
  accepts: (changed, good) => hasOwnLine(changed, good) && hasGoodLines(changed, good),
};

/** The same without a line by the log: a side of fork evidence may rest on another signer's line. */
export const SIDE_NOTE: Malleability = { accepts: hasGoodLines };

function hasOwnLine(changed: Json, good: Json): boolean {
  const own = linesOf(good).filter(({ name }) => `${good}`.startsWith(`${name}\n`));
  return linesOf(changed).some((line) => own.some((one) => isSameLine(line, one)));
}

function hasGoodLines(changed: Json, good: Json): boolean {
  if (typeof changed !== "string" || typeof good !== "string") return false;
  if (parseNote(changed)?.text !== parseNote(good)?.text) return false;
  // Nothing checks a cosignature by ML-DSA-44: its bytes are free, like those of a line by an unknown key.
  const there = linesOf(good).filter(({ signature }) => !isMlDsaCosignature(signature));
  const lines = linesOf(changed);
  return (
    lines.length > 0 &&
    lines.every(
      (line) =>
        there.some((one) => isSameLine(line, one)) ||
        !there.some(({ name, keyId }) => line.name === name && line.keyId === keyId),
    )
  );
}

function linesOf(note: Json): readonly NoteLine[] {
  return (typeof note === "string" ? parseNote(note)?.lines : null) ?? [];
}

function isSameLine(a: NoteLine, b: NoteLine): boolean {
  return a.name === b.name && a.keyId === b.keyId && `${a.signature}` === `${b.signature}`;
}
