/**
 * Opens a file of evidence to look into it or to cut it: strict JSON of the form of its kind, not verified. Any other
 * file is refused, with the place of the first fault.
 */
import { type Bundle, CODES, decode, type Json, type JsonKind, type Kernel } from "@svc/core";
import { nounOf } from "@svc/report";
import { EXIT, Refusal } from "../exit.ts";
import { readInput } from "../input.ts";
import { refuseOther } from "./not-evidence.ts";

/** An opened file. */
export interface OpenedFile {
  /** The path of the call, for words. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly kind: JsonKind;
  /** It has the form of its kind. */
  readonly value: Json;
}

/** Opens a file that is of one of these kinds; of any kind if none is named. */
export async function openEvidence(kernel: Kernel, path: string, kinds: readonly JsonKind[] = []): Promise<OpenedFile> {
  return openBytes(kernel, path, await readInput(path), kinds);
}

/** Opens the bytes of a file in the same way. */
export function openBytes(kernel: Kernel, path: string, bytes: Uint8Array, kinds: readonly JsonKind[]): OpenedFile {
  refuseOther(named(path), bytes);
  const decoded = decode(kernel, bytes);
  const { kind } = decoded;
  const wanted = kinds.map(nounOf).join(" or ");
  if (kind !== null && kinds.length > 0 && !kinds.includes(kind))
    throw new Refusal(
      EXIT.input,
      `${named(path)} looks like ${nounOf(kind)}, and this command reads ${wanted}.`,
      "Check that it is the file you meant.",
    );
  if (decoded.ok) return { path, bytes, kind: decoded.kind, value: decoded.value };
  const place = decoded.path === "" ? "" : ` at ${decoded.path}`;
  const what = kind === null ? (wanted === "" ? "evidence" : wanted) : nounOf(kind);
  throw new Refusal(
    EXIT.input,
    `${named(path)} cannot be read as ${what}: ${decoded.code}${place}. ${decoded.message}`,
    CODES[decoded.code].action,
  );
}

/** Opens a bundle. */
export async function openBundle(
  kernel: Kernel,
  path: string,
): Promise<{ readonly file: OpenedFile; readonly bundle: Bundle }> {
  const file = await openEvidence(kernel, path, ["bundle"]);
  return { file, bundle: file.value as Bundle };
}

/** Returns a path in a sentence. */
export function named(path: string): string {
  return path === "-" ? "Standard input" : `"${path}"`;
}
