/**
 * The sources of random inputs: all fixtures, the vectors of others, and the objects of a test service, with a truth
 * package of each of its bundles; one bundle is so large that it is checked in bulk. Trust policies and links belong to
 * them, and every value inside them is listed by the name of its member.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Part } from "@svc/testkit/evidence/build-zip";
import { packageOf, smallInput } from "@svc/testkit/evidence/truth-packages";
import { listVectors, readVectorJson, vectorCases } from "@svc/testkit/vectors";
import { type Bundle, contentOf, type Json, type Kind, openArchive, referenceKernel } from "../src/index.ts";
import { isObject } from "../src/tamper/places.ts";
import { CHECKED_IN_BULK_BYTES, goodsOf, KINDS as JSON_KINDS } from "./tamper-goods.ts";

/** One input to start from. */
export interface Seed {
  readonly bytes: Uint8Array;
  /** The value of its bytes; undefined if they are no JSON. */
  readonly value: Json | undefined;
  /** The files of a package; none for any other input. */
  readonly entries: readonly Part[];
  readonly kind: Kind | undefined;
  readonly trust: Json;
  readonly links: readonly Json[];
}

/** The seeds, and the parts that they are made of. */
export interface Corpus {
  readonly seeds: readonly Seed[];
  /** Those that are checked in bulk. */
  readonly large: readonly Seed[];
  /** Those that are packages. */
  readonly packages: readonly Seed[];
  /** All of them by kind; those without a kind together. */
  readonly byKind: readonly (readonly Seed[])[];
  /** Consistency evidence for links. */
  readonly links: readonly Json[];
  /** Values by the name of their member; at most a few hundred of each. */
  readonly parts: ReadonlyMap<string, readonly Json[]>;
  readonly names: readonly string[];
}

/** The kinds that there are seeds of. */
export const KINDS: readonly Kind[] = [...JSON_KINDS, "truth-package"];

const MAX_PARTS = 300;
/** Larger values are not put inside others: inputs stay small. */
const MAX_PART_CHARACTERS = 3000;

interface Case {
  readonly input?: string;
  readonly input_base64?: string;
  readonly kind?: string;
  readonly trust?: Json;
  readonly links?: readonly Json[];
}

/** Reads the corpus. */
export function readCorpus(): Corpus {
  const cases = [
    ...fixtures(),
    ...JSON_KINDS.flatMap((kind) => goodsOf(kind).map((good) => ({ ...good, kind }))),
    ...PACKAGES,
    ...vectors(),
  ];
  const seeds = cases.map(toSeed);
  const parts = new Map<string, Json[]>();
  for (const { value, entries, trust, links } of seeds)
    for (const one of [value, ...entries.map(({ content }) => parsed(content)), trust, ...links])
      if (one !== undefined) collect(parts, one, "");
  const links = seeds.flatMap(({ kind, value }) => (kind === "consistency" && value !== undefined ? [value] : []));
  const byKind = [...Map.groupBy(seeds, ({ kind }) => kind).values()];
  const large = seeds.filter(({ bytes, entries }) => entries.length === 0 && bytes.length >= CHECKED_IN_BULK_BYTES);
  const packages = seeds.filter(({ entries }) => entries.length > 0);
  return { seeds, large, packages, byKind, links, parts, names: [...parts.keys()] };
}

function* fixtures(): Generator<Case> {
  const folder = new URL("../../../fixtures/cases/", import.meta.url);
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort())
    if (file.endsWith(".json")) yield JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Case;
}

/** A package of each good bundle. */
const PACKAGES: readonly Case[] = await Promise.all(
  goodsOf("bundle").map(async ({ input, trust }): Promise<Case> => {
    const bundle = JSON.parse(input) as Bundle;
    const { stream_id, from_seq_no, to_seq_no } = bundle.manifest;
    const bytes = await packageOf({
      ...(await smallInput()),
      ranges: [{ stream_id, from_seq_no, to_seq_no }],
      bundles: [bundle],
    });
    return { input_base64: Buffer.from(bytes).toString("base64"), kind: "truth-package", trust };
  }),
);

function* vectors(): Generator<Case> {
  for (const file of listVectors("proofstream/cases", ".jsonl")) yield* vectorCases<Case>(file);
  yield* readVectorJson("proofstream/json.json") as Case[];
}

function toSeed({ input, input_base64, kind, trust = { signers: [] }, links = [] }: Case): Seed {
  const bytes = new Uint8Array(Buffer.from(input ?? input_base64 ?? "", input === undefined ? "base64" : "utf8"));
  const known = KINDS.find((one) => one === kind);
  return { bytes, value: parsed(bytes), entries: entriesOf(bytes), kind: known, trust, links };
}

function entriesOf(bytes: Uint8Array): Part[] {
  const opened = openArchive(bytes);
  return (opened.ok ? opened.entries : []).flatMap((entry) => {
    const content = contentOf(referenceKernel, entry);
    return content.ok ? { name: entry.path, content: content.bytes } : [];
  });
}

function parsed(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Json;
  } catch {
    return undefined;
  }
}

function collect(parts: Map<string, Json[]>, value: Json, name: string): void {
  const there = parts.get(name) ?? [];
  parts.set(name, there);
  if (there.length < MAX_PARTS && JSON.stringify(value).length <= MAX_PART_CHARACTERS) there.push(value);
  if (Array.isArray(value)) for (const item of value) collect(parts, item, name);
  else if (isObject(value)) for (const [own, member] of Object.entries(value)) collect(parts, member, own);
}
