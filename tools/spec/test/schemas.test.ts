/**
 * The schemas of spec/schemas/ as another program's validator reads them (ajv): it accepts and refuses the same objects
 * as core, over all fixtures. The files hold no keyword that the README does not list.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { formats, type Json, type JsonKind, type JsonObject, schemas, selectKernel } from "@svc/core";
import { vaultEvidence } from "@svc/core/vaults";
import { Ajv2020 } from "ajv/dist/2020.js";
import { detectKind, kindEntry } from "../../../packages/core/src/verify/kinds.ts";
import { kinds } from "../kinds.ts";
import { KEYWORDS, specSchemas } from "../schemas.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const files = specSchemas();
const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  allowUnionTypes: true,
  formats,
  schemas: Object.values(files),
});
const kernel = selectKernel();

/** So many good fixtures of each kind are changed. */
const CHANGED_OF_KIND = 5;

interface Fixture {
  readonly kind: string;
  readonly input?: string;
  readonly trust: Json;
}

function validates(name: string, value: unknown): boolean {
  const validate = ajv.getSchema(`https://svc.example/spec/schemas/${name}.json`);
  assert.ok(validate, name);
  return validate(value) === true;
}

/** Returns the JSON files below a folder of fixtures. */
function fixturesIn<Value>(folder: string): { readonly path: string; readonly value: Value }[] {
  return readdirSync(`${ROOT}fixtures/${folder}`, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json"))
    .map((path) => ({ path, value: JSON.parse(readFileSync(`${ROOT}fixtures/${folder}/${path}`, "utf8")) as Value }));
}

test(
  "objects of the fixtures, and the same after small changes, break the files if and only if they break core's " +
    "schemas",
  () => {
    const counts = { good: 0, broken: 0 };
    const seen = new Map<string, number>();
    for (const { path, value } of fixturesIn<Fixture>("cases")) {
      const parsed = value.input === undefined ? null : kernel.parseJson(new TextEncoder().encode(value.input));
      const kind = (value.kind ?? (parsed?.ok ? detectKind(parsed.value) : null)) as JsonKind | null;
      if (!parsed?.ok || kind === null) continue;
      const names = kinds().kinds[kind]?.schemas.map((file) => file.replace(/^schemas\/|\.json$/g, "")) ?? [];
      const before = seen.get(kind) ?? 0;
      for (const changed of before < CHANGED_OF_KIND ? changesOf(parsed.value) : [parsed.value]) {
        const holds: boolean = kindEntry(kind, changed, vaultEvidence).validator(changed).length === 0;
        const accepts = names.some((name) => validates(name, changed));
        // A kind of two shapes has one checker for each, and a change can make one shape of the other.
        if (names.length === 1 || changed === parsed.value) assert.equal(accepts, holds, path);
        counts[holds ? "good" : "broken"]++;
        if (holds && changed === parsed.value) seen.set(kind, before + 1);
      }
    }
    assert.ok(counts.good > 300 && counts.broken > 3000, JSON.stringify(counts));
    const all = Object.keys(kinds().kinds).filter((kind) => kind !== "truth-package");
    assert.deepEqual([...seen.keys()].sort(), all.sort(), "no good fixture of some kind");
  },
);

/**
 * Yields a value; then it with a member more, without each of its members, and with each of them changed, and each of
 * theirs.
 */
function* changesOf(value: Json): Generator<Json> {
  yield value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const object = value as JsonObject;
  yield { ...object, other: 1 };
  for (const [name, member] of Object.entries(object)) {
    const { [name]: _, ...without } = object;
    yield without;
    for (const other of [null, -1, `${member}\n`, [], {}]) yield { ...object, [name]: other };
    if (typeof member === "object" && member !== null && !Array.isArray(member))
      for (const inner of Object.keys(member)) yield { ...object, [name]: { ...member, [inner]: -1 } };
  }
}

test("trust policies and reports of the fixtures have their schemas, and not without a member", () => {
  let policies = 0;
  for (const { path, value } of fixturesIn<Fixture>("cases")) {
    if (typeof value.trust !== "object" || value.trust === null || path.includes("trust")) continue;
    if (validates("trust-policy", value.trust)) policies++;
    assert.equal(validates("trust-policy", { ...value.trust, other: 1 }), false);
  }
  assert.ok(policies > 300);
  const verifier = { name: "svc", version: "0", kernel_sha256: null };
  for (const { path, value } of fixturesIn<Record<string, Json>>("reports")) {
    const report = { ...value, verifier };
    assert.ok(validates("report", report), `${path}: ${ajv.errorsText()}`);
    for (const name of Object.keys(report))
      assert.equal(validates("report", { ...report, [name]: undefined, x: 1 }), false, name);
    const { verdict: _, ...without } = report as Record<string, Json>;
    assert.equal(validates("report", without), false);
  }
});

test("the files hold the keywords that the README lists and no others, and every object of core has one", () => {
  const readme = readFileSync(`${ROOT}spec/README.md`, "utf8");
  const [, listed = ""] = /They hold these keywords and\s+no others: ([^.]*)\./.exec(readme) ?? [];
  assert.deepEqual([...listed.matchAll(/`([^`]+)`/g)].map(([, name]) => name).sort(), [...KEYWORDS].sort());
  const used = new Set<string>();
  const walk = (schema: object): void => {
    for (const [keyword, value] of Object.entries(schema)) {
      used.add(keyword);
      if (keyword === "properties") for (const one of Object.values(value as object)) walk(one as object);
      else if (["items", "additionalProperties", "propertyNames"].includes(keyword) && typeof value === "object")
        walk(value);
    }
  };
  for (const schema of Object.values(files)) walk(schema);
  assert.deepEqual([...used].sort(), [...KEYWORDS].sort());
  assert.ok(Object.keys(files).length >= Object.keys(schemas).length);
});
