/**
 * Reads the test vectors of others, which are in `fixtures/vectors`; its README names their sources. A file that is
 * missing, and one without cases, is a failure.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const FOLDER = "fixtures/vectors";
const root = new URL(`../../../${FOLDER}/`, import.meta.url);

/** A case of a JSON Lines file. */
export interface NamedCase {
  readonly name: string;
}

/** Adds one test for each case of a JSON Lines file; one that fails and says why, if they cannot be read. */
export function vectorTests<Case>(path: string, name: string, run: (one: Case & NamedCase) => void): void {
  const folder = path.replace(/\.jsonl$/, "");
  let cases: readonly (Case & NamedCase)[];
  try {
    cases = vectorCases<Case>(path);
  } catch (error) {
    test(`${folder} ${name}`, () => {
      throw error;
    });
    return;
  }
  for (const one of cases) test(`${folder}/${one.name} ${name}`, () => run(one));
}

/** Returns the cases of a JSON Lines file, in its order. Fails without a case. */
export function vectorCases<Case>(path: string): (Case & NamedCase)[] {
  return vectorLines(path).map((line) => JSON.parse(line));
}

/** Returns the lines of a JSON Lines file: for cases that depend on how a number is written. Fails without any. */
export function vectorLines(path: string): string[] {
  const lines = textOf(path)
    .split("\n")
    .filter((line) => line !== "");
  assert.notEqual(lines.length, 0, `no cases in ${FOLDER}/${path}`);
  return lines;
}

/** Returns the paths of all files of a folder that end in `extension`, in order. Fails without a file. */
export function listVectors(folder: string, extension: string): string[] {
  const files = found(folder, () => readdirSync(fileUrl(folder), { recursive: true, encoding: "utf8" }))
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(extension))
    .sort();
  assert.notEqual(files.length, 0, `no ${extension} files in ${FOLDER}/${folder}`);
  return files;
}

/** Returns the bytes of one file. */
export function readVector(path: string): Uint8Array {
  return new Uint8Array(found(path, () => readFileSync(fileUrl(path))));
}

/** Returns one file, parsed with JSON.parse: for files in which no value depends on how a number was written. */
export function readVectorJson(path: string): unknown {
  return JSON.parse(textOf(path));
}

/** Returns the bytes of a case, whose file holds them as text or base64. */
export function inputBytes({ input, input_base64 }: { input?: string; input_base64?: string }): Uint8Array {
  return new Uint8Array(
    Buffer.from(input ?? input_base64 ?? assert.fail("a case without input"), input === undefined ? "base64" : "utf8"),
  );
}

/** Returns the entries of an array of vectors, each with exactly these members. Fails without any. */
export function vectorEntries<Entry>(value: unknown, required: readonly (keyof Entry & string)[]): Entry[] {
  assert.ok(Array.isArray(value) && value.length > 0, "a vectors file without entries");
  for (const entry of value) assertMembers(entry, required);
  return value;
}

/** Fails unless `entry` is an object with all required members and no others than these and the optional ones. */
export function assertMembers(entry: unknown, required: readonly string[], optional: readonly string[] = []): void {
  assert.ok(typeof entry === "object" && entry !== null, "an entry that is no object");
  const names = Object.keys(entry);
  const about = JSON.stringify(entry).slice(0, 200);
  const unknown = names.filter((name) => !required.includes(name) && !optional.includes(name));
  assert.deepEqual(unknown, [], `unknown members in ${about}`);
  const missing = required.filter((name) => !names.includes(name));
  assert.deepEqual(missing, [], `missing members in ${about}`);
}

function textOf(path: string): string {
  return found(path, () => readFileSync(fileUrl(path), "utf8"));
}

/** Returns what `read` returns. Fails with the path in the message if it throws. */
function found<Read>(path: string, read: () => Read): Read {
  try {
    return read();
  } catch (cause) {
    throw new Error(`test vectors are missing: ${FOLDER}/${path}`, { cause });
  }
}

// A URL would interpret `#`, `?` and `%` in a file name.
function fileUrl(path: string): URL {
  return new URL(path.split("/").map(encodeURIComponent).join("/"), root);
}
