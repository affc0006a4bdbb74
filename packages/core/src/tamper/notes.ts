/**
 * Edits the C2SP signed notes inside a value (protocol section 9): the signed text, and the lines that sign it, line by
 * line.
 */
import { encodeBase64 } from "../encoding/base64.ts";
import { concatBytes } from "../encoding/bytes.ts";
import { hexToBytes } from "../encoding/hex.ts";
import type { Json } from "../kernel/kernel.ts";
import { encodeNote, encodeNoteLine, MAX_NOTE_LINES, type NoteLine, parseNote } from "../note/signed-note.ts";
import type { Edit, MutantClass } from "./mutant.ts";
import { places } from "./places.ts";
import { otherValues } from "./values.ts";

/** A line of an unknown signer; lines of unknown keys are ignored. */
const UNTRUSTED_SIGNER: NoteLine = {
  name: "stranger.example",
  keyId: "00c0ffee",
  signature: new Uint8Array(64).fill(7),
};

type NoteEdit = readonly [MutantClass, string, string];

/** Yields all edits of the notes in a value. */
export function* noteEdits(root: Json): Generator<Edit> {
  for (const { path, value, replaced } of places(root)) {
    if (typeof value !== "string") continue;
    const note = parseNote(value);
    if (note === null) continue;
    const inText = ofText(note.text.slice(0, -1).split("\n"), (text) => encodeNote(text, note.lines));
    for (const edits of [inText, ofLines(note.text, note.lines), ofSyntax(value, note.text, note.lines)])
      for (const [mutantClass, description, edited] of edits)
        yield { class: mutantClass, path, description, value: replaced(edited) };
  }
}

function* ofText(lines: readonly string[], noteOf: (text: string) => string): Generator<NoteEdit> {
  const joined = (some: readonly string[]) => noteOf(some.map((line) => `${line}\n`).join(""));
  for (const [index, line] of lines.entries()) {
    const name = `text line ${index + 1}`;
    for (const other of otherValues(line)) {
      const description = `${name} changed to ${JSON.stringify(other)}`;
      yield ["changed", description, joined(lines.with(index, `${other}`))];
    }
    yield* rearranged(lines, index, name, joined);
  }
  yield ["added", "a text line added", joined([...lines, "extension"])];
}

function* ofLines(text: string, lines: readonly NoteLine[]): Generator<NoteEdit> {
  const noteOf = (some: readonly NoteLine[]) => encodeNote(text, some);
  for (const [index, line] of lines.entries()) {
    const name = `signature line ${index + 1}`;
    const changed = (what: string, other: Partial<NoteLine>): NoteEdit => [
      "changed",
      `${what} of ${name} changed`,
      noteOf(lines.with(index, { ...line, ...other })),
    ];
    yield changed("the name", { name: `${line.name}x` });
    yield changed("the key id", { keyId: flippedHex(line.keyId) });
    for (const at of [0, 7, 8, line.signature.length - 1])
      yield changed(`byte ${at}`, { signature: flipped(line.signature, at) });
    yield changed("the length", { signature: line.signature.subarray(1) });
    const next = lines[index + 1];
    if (next !== undefined) yield changed("the signature", { signature: next.signature });
    yield* rearranged(lines, index, name, noteOf);
  }
  yield ["added", "a line of a stranger added", noteOf([...lines, UNTRUSTED_SIGNER])];
}

function* rearranged<Item>(
  items: readonly Item[],
  index: number,
  name: string,
  noteOf: (items: readonly Item[]) => string,
): Generator<NoteEdit> {
  const item = items[index] as Item;
  yield ["dropped", `${name} dropped`, noteOf(items.toSpliced(index, 1))];
  yield ["repeated", `${name} repeated`, noteOf(items.toSpliced(index, 0, item))];
  const next = items[index + 1];
  if (next !== undefined) yield ["swapped", `${name} swapped`, noteOf(items.with(index, next).with(index + 1, item))];
}

/** Yields edits after which a text is no note at all. */
function* ofSyntax(note: string, text: string, lines: readonly NoteLine[]): Generator<NoteEdit> {
  const [first = UNTRUSTED_SIGNER] = lines;
  const blob = encodeBase64(concatBytes([hexToBytes(first.keyId), first.signature]));
  const written = (base64: string) => `${text}\n— ${first.name} ${base64}\n`;
  yield ["changed", "the last newline left out", note.slice(0, -1)];
  yield ["changed", "newlines written as another system does", note.replaceAll("\n", "\r\n")];
  yield ["changed", "the dashes made hyphens", note.replaceAll("—", "-")];
  yield ["changed", "the base64 of line 1 without its padding", written(blob.replace(/=+$/, "") || "AA")];
  yield ["changed", "the base64 of line 1 with spaces", written(` ${blob}`)];
  const many = Array.from({ length: MAX_NOTE_LINES + 1 }, () => encodeNoteLine(first)).join("");
  yield ["changed", "line 1 there more often than a note has lines", `${text}\n${many}`];
}

function flippedHex(hex: string): string {
  return (Number.parseInt(hex.charAt(0), 16) ^ 1).toString(16) + hex.slice(1);
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.with(at, (bytes[at] ?? 0) ^ 1);
}
