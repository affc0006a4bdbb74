/**
 * Looks into evidence for words to show beside a report: its kind, the key it names, the event at a place. It decodes WITHOUT
 * verifying: nothing here decides a verdict, and everything that comes back is text of the file.
 */
import { contentOf, detectKind, type Json, type Kernel, type Kind, MANIFEST_PATH, openArchive } from "@svc/core";

/** An opened file; `value` is undefined where the bytes are not JSON. */
export interface Evidence {
  readonly bytes: Uint8Array;
  readonly value: Json | undefined;
  /** What kind the members say it is; null where they say none. */
  readonly kind: Kind | null;
}

/** Parses, and finds the kind; of a package the value holds its manifest alone. Never throws because of the bytes. */
export function decodeEvidence(kernel: Kernel, bytes: Uint8Array): Evidence {
  try {
    if (isArchive(bytes)) return { bytes, value: packageManifest(kernel, bytes), kind: "truth-package" };
    const parsed = kernel.parseJson(bytes);
    if (parsed.ok) return { bytes, value: parsed.value, kind: detectKind(parsed.value) };
  } catch (error) {
    // A text in it is longer than the runtime's longest string. The verdict stands; there are fewer words beside it.
    if (!(error instanceof RangeError)) throw error;
  }
  return { bytes, value: undefined, kind: null };
}

/** Whether bytes begin as an archive does, which no JSON text does: they are taken for a truth package. */
export function isArchive(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/** As paths of a report lead into a package: by the entry. */
function packageManifest(kernel: Kernel, bytes: Uint8Array): Json | undefined {
  const content = manifestBytesOf(bytes);
  const parsed = content === null ? null : kernel.parseJson(content);
  return parsed?.ok ? { [MANIFEST_PATH]: parsed.value } : undefined;
}

/** The manifest of a package as it stands there; null where it cannot be read. */
export function manifestBytesOf(bytes: Uint8Array): Uint8Array | null {
  const opened = openArchive(bytes);
  const entry = opened.ok ? opened.entries.find(({ path }) => path === MANIFEST_PATH) : undefined;
  const content = entry === undefined ? null : contentOf(entry);
  return content?.ok ? content.bytes : null;
}

/** The kid at a JSON Pointer; null where none stands there. */
export function kidAt({ value }: Evidence, pointer: string): string | null {
  const kid = valueAt(value, namesOf(pointer));
  return typeof kid === "string" && /^ed25519-[0-9a-f]{16}$/.test(kid) ? kid : null;
}

/** Where the seals of an object stand whose signers its heading names. Objects are closed, so that each path is of few kinds. */
const SEALS = [
  `/${MANIFEST_PATH}/seal/kid`,
  "/seal/kid",
  "/receipt/kid",
  "/receipt/receipt/kid",
  "/records/0/receipt/kid",
  "/from_checkpoint/seal/kid",
  "/to_checkpoint/seal/kid",
  "/from_anchor/seal/kid",
  "/to_anchor/seal/kid",
  "/left/seal/kid",
  "/left/receipt/kid",
  "/right/seal/kid",
  "/right/receipt/kid",
];

/** The kids of those who sealed an object, each once; none where signed notes stand in their place. */
export function signersOf(evidence: Evidence): string[] {
  const kids = SEALS.map((pointer) => kidAt(evidence, pointer));
  return [...new Set(kids.filter((kid) => kid !== null))];
}

/** The number of the event, window or checkpoint in which a JSON Pointer stands, in words; null outside of them. */
export function numberedPlace({ value }: Evidence, pointer: string): string | null {
  const [parent = "", name = "", item = ""] = namesOf(pointer);
  if (parent === "payloads") {
    const records = valueAt(value, ["artifacts", "receipts.json"]);
    const record = Array.isArray(records)
      ? records.find((each) => member(each, "stream_event_id") === name)
      : undefined;
    return numbered("event", member(record, "seq_no"));
  }
  if (parent !== "artifacts") return null;
  const at = valueAt(value, [parent, name, item]);
  switch (name) {
    case "receipts.json":
      return numbered("event", member(at, "seq_no"));
    case "windows.json":
      return numbered("window", member(at, "window_no"));
    case "checkpoints.json":
      return numbered("checkpoint", member(at, "checkpoint_no"));
    default:
      return null;
  }
}

/** Line and column of a byte, both from 1; columns count bytes. */
export function lineAndColumn(bytes: Uint8Array, offset: number): { line: number; column: number } {
  const before = bytes.subarray(0, offset);
  let line = 1;
  for (const byte of before) if (byte === 0x0a) line++;
  return { line, column: offset - before.lastIndexOf(0x0a) };
}

function numbered(what: string, no: Json | undefined): string | null {
  return typeof no === "number" && Number.isSafeInteger(no) ? `${what} ${no}` : null;
}

function namesOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function valueAt(value: Json | undefined, names: readonly string[]): Json | undefined {
  return names.reduce(member, value);
}

function member(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, Json>>)[name];
}
