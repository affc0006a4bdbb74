/** The SHA-256 of a set of cases, by which a result names it. */
import { createHash } from "node:crypto";

/** A file of a folder `cases/`. */
export interface CaseFile {
  /** From the folder on, with `/` between its parts. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * Returns 64 lowercase hex characters: the SHA-256 of what `sha256sum` prints about the files in the order of the bytes
 * of their paths, one line a file: hash, two blanks, path.
 */
export function caseSetSha256(files: readonly CaseFile[]): string {
  const lines = inOrder(files).map(({ path, bytes }) => `${sha256Hex(bytes)}  ${path}\n`);
  return sha256Hex(lines.join(""));
}

/** Returns the files in the order of the bytes of their paths. */
export function inOrder(files: readonly CaseFile[]): CaseFile[] {
  return [...files].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

function sha256Hex(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
