/**
 * A person's names for the keys they pin. A trust policy is closed and has no place for them, so they are in a file
 * beside it, `<trust file>.names`: a JSON object from kid to name. No verdict depends on it.
 */
import { existsSync } from "node:fs";
import type { Json, Kernel } from "@svc/core";
import { EXIT, Refusal } from "../exit.ts";
import { isStandardInput, readInput } from "../input.ts";

/** Names by kid. */
export type Names = Readonly<Record<string, string>>;

const MAX_NAME_CHARACTERS = 64;
const KID = /^ed25519-[0-9a-f]{16}$/;
/** Control, format and separator characters, and lone surrogates: a name is one line that hides nothing. */
const UNFIT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Returns the file with the names of a trust file. */
export function namesFile(trustFile: string): string {
  return `${trustFile}.names`;
}

/** Resolves to the names beside a trust file; none if the call names no file, or if no names are beside it. */
export async function readNames(kernel: Kernel, trustFile: string | undefined): Promise<Names> {
  const file = trustFile === undefined || isStandardInput(trustFile) ? undefined : namesFile(trustFile);
  return file !== undefined && existsSync(file) ? parseNames(kernel, file, await readInput(file)) : {};
}

/** Parses names from the bytes of their file. Refuses anything but such an object. */
export function parseNames(kernel: Kernel, file: string, bytes: Uint8Array): Names {
  const parsed = kernel.parseJson(bytes);
  if (parsed.ok && isNames(parsed.value)) return parsed.value;
  throw new Refusal(
    EXIT.usage,
    `"${file}" does not hold names of keys: it must be a JSON object from key identifiers to texts.`,
    "Correct it, or delete it: it holds nothing but names.",
  );
}

/** Returns a name for a key: 1 to 64 characters, no control characters, and unlike a key or its identifier. */
export function parseName(text: string): string {
  const isFit = text.trim() !== "" && [...text].length <= MAX_NAME_CHARACTERS && !UNFIT.test(text);
  if (isFit && !KID.test(text) && !/^[0-9a-f]{64}$/.test(text)) return text;
  throw new Refusal(
    EXIT.usage,
    "--name: this cannot be the name of a key.",
    `Give 1 to ${MAX_NAME_CHARACTERS} characters on one line that do not look like a key, as in --name "acme 2026".`,
  );
}

function isNames(value: Json): value is Names {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([kid, name]) => KID.test(kid) && typeof name === "string")
  );
}
