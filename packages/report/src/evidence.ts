/**
 * Looks into evidence for words to show beside a report: its kind, the line of a fault. It decodes WITHOUT verifying:
 * it decides no verdict, and everything that it returns is text of the file.
 */
import { contentOf, detectKind, type Json, type Kernel, type Kind, MANIFEST_PATH, openArchive } from "@svc/core";

/** A file after parsing; `value` is undefined if the bytes are not JSON. */
export interface Evidence {
  readonly bytes: Uint8Array;
  readonly value: Json | undefined;
  /** The kind that the members name; null if they name none. */
  readonly kind: Kind | null;
  /** Whether its first two lines are evidence each, and the whole is not. */
  readonly isLines?: boolean;
}

/**
 * Parses the bytes and finds the kind; for a package, the value is its manifest alone. Never throws because of the
 * bytes.
 */
export function decodeEvidence(kernel: Kernel, bytes: Uint8Array): Evidence {
  try {
    if (isArchive(bytes)) return { bytes, value: packageManifest(kernel, bytes), kind: "truth-package" };
    const parsed = kernel.parseJson(bytes);
    if (parsed.ok) return { bytes, value: parsed.value, kind: detectKind(parsed.value) };
    if (areLines(kernel, bytes)) return { bytes, value: undefined, kind: null, isLines: true };
  } catch (error) {
    // A text in the file is longer than the runtime's longest string. The verdict stays; there are fewer words beside
    // it.
    if (!(error instanceof RangeError)) throw error;
  }
  return { bytes, value: undefined, kind: null };
}

function areLines(kernel: Kernel, bytes: Uint8Array): boolean {
  const first = bytes.indexOf(0x0a);
  if (first < 0) return false;
  const second = bytes.indexOf(0x0a, first + 1);
  return [bytes.slice(0, first), bytes.slice(first + 1, second < 0 ? bytes.length : second)].every((line) => {
    const parsed = kernel.parseJson(line);
    return parsed.ok && detectKind(parsed.value) !== null;
  });
}

/**
 * Says whether bytes begin as an archive does, and so as no JSON text does. Such bytes are verified as a truth package.
 */
export function isArchive(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/** Paths of a report lead into a package by the name of the entry, and so do paths in this value. */
function packageManifest(kernel: Kernel, bytes: Uint8Array): Json | undefined {
  const content = manifestBytesOf(kernel, bytes);
  const parsed = content === null ? null : kernel.parseJson(content);
  return parsed?.ok ? { [MANIFEST_PATH]: parsed.value } : undefined;
}

/** Returns the bytes of a package's manifest; null if it cannot be read. */
export function manifestBytesOf(kernel: Kernel, bytes: Uint8Array): Uint8Array | null {
  const opened = openArchive(bytes);
  const entry = opened.ok ? opened.entries.find(({ path }) => path === MANIFEST_PATH) : undefined;
  const content = entry === undefined ? null : contentOf(kernel, entry);
  return content?.ok ? content.bytes : null;
}

/** Returns the line and column of a byte, both from 1; columns count bytes. */
export function lineAndColumn(bytes: Uint8Array, offset: number): { line: number; column: number } {
  const before = bytes.subarray(0, offset);
  let line = 1;
  for (const byte of before) if (byte === 0x0a) line++;
  return { line, column: offset - before.lastIndexOf(0x0a) };
}
