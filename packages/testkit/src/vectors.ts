/**
 * Finds and reads the shared test vectors: other people's data beside the repository, in `../shared/vectors`, or in the
 * folder of the environment variable SVC_VECTORS. Tests without their vectors are skipped with a loud message; under CI
 * they fail.
 */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const override = process.env.SVC_VECTORS;
const root = override
  ? pathToFileURL(`${resolve(override)}/`)
  : new URL("../../../../shared/vectors/", import.meta.url);

/** Adds a test over the vectors at `path`, a file or folder inside the vectors folder. */
export function vectorTest(path: string, name: string, run: () => void): void {
  if (existsSync(new URL(path, root))) {
    test(name, run);
    return;
  }
  const missing = `test vectors are missing: ${override ? "$SVC_VECTORS" : "../shared/vectors"}/${path}`;
  if (process.env.CI) {
    test(name, () => assert.fail(missing));
  } else {
    console.error(`\n!!! ${missing}\n!!! NOT TESTED: ${name}\n`);
    test(name, { skip: missing });
  }
}

/** Adds one test for each file under a vectors folder that ends in `extension`. Fails if there are none. */
export function vectorTests(folder: string, extension: string, name: string, run: (file: string) => void): void {
  if (!existsSync(new URL(folder, root))) vectorTest(folder, name, () => undefined);
  else for (const file of listVectors(folder, extension)) test(`${file} ${name}`, () => run(file));
}

/** Returns the paths of all files under a vectors folder that end in `extension`, in order. Fails if there are none. */
export function listVectors(folder: string, extension: string): string[] {
  const files = readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(extension))
    .sort();
  assert.notEqual(files.length, 0, `no ${extension} files in the vectors folder ${folder}`);
  return files;
}

/** Returns the bytes of one vectors file. */
export function readVector(path: string): Uint8Array {
  return new Uint8Array(readFileSync(fileUrl(path)));
}

/**
 * Returns one vectors file, parsed with JSON.parse: for files in which no value depends on how a number was written.
 */
export function readVectorJson(path: string): unknown {
  return JSON.parse(readFileSync(fileUrl(path), "utf8"));
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

// A URL would interpret `#`, `?` and `%` in a file name.
function fileUrl(path: string): URL {
  return new URL(path.split("/").map(encodeURIComponent).join("/"), root);
}
