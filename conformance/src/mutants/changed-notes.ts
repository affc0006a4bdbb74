/** A change of the signature lines of signed notes (c2sp.org/signed-note) in a text, each of which stays a line. */
import type { Random } from "./random.ts";

/** The lines at the end of a note, in a text as it is or as it is in JSON. */
const LINES = /(?:— \S+ [A-Za-z0-9+/=]+(?:\n|\\n))+/g;

/** Returns the text with other lines in one of its notes; null if it has none. */
export function changedNotes(text: string, random: Random): string | null {
  const notes = [...text.matchAll(LINES)];
  if (notes.length === 0) return null;
  const { 0: block, index } = random.pick(notes);
  const end = block.endsWith("\\n") ? "\\n" : "\n";
  const lines = block.split(end).slice(0, -1);
  const others = notes.flatMap(({ 0: other }) => other.split(end).slice(0, -1));
  const changed = changedLines(lines, others, random);
  return text.slice(0, index) + changed.map((line) => line + end).join("") + text.slice(index + block.length);
}

function changedLines(lines: readonly string[], others: readonly string[], random: Random): readonly string[] {
  const [at, to] = [random.below(lines.length), random.below(lines.length + 1)];
  const line = lines[at] ?? "";
  switch (random.below(5)) {
    case 0:
      return lines.length === 1 ? lines : lines.toSpliced(at, 1);
    case 1:
      return lines.toSpliced(at, 1).toSpliced(to, 0, line);
    case 2:
      return lines.toSpliced(to, 0, random.pick(others));
    case 3:
      return lines.toSpliced(to, 0, changedLine(line, others, random));
    default:
      return lines.with(at, changedLine(line, others, random));
  }
}

/** Returns a line under another name, by another key id, with another signature or with one of another length. */
function changedLine(line: string, others: readonly string[], random: Random): string {
  const [, name = "", encoded = ""] = line.split(" ");
  const bytes = Buffer.from(encoded, "base64");
  const written = (own: string, value: Uint8Array) => `— ${own} ${Buffer.from(value).toString("base64")}`;
  switch (random.below(5)) {
    case 0:
      return written(random.pick([...others.map((other) => other.split(" ")[1] ?? ""), `${name}/x`]), bytes);
    case 1:
      bytes[0] = (bytes[0] ?? 0) ^ (1 << random.below(2));
      return written(name, bytes);
    case 2:
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      return written(name, bytes);
    case 3:
      return written(name, Buffer.concat([bytes, Buffer.alloc(8)]));
    default:
      return written(name, Buffer.concat([bytes.subarray(0, 4), bytes.subarray(12)]));
  }
}
