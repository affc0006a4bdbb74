/**
 * Random truth packages: entries of good ones with contents that are edited, taken from others and packed otherwise,
 * and archives that lie in their headers. The service seals half of them again over their new content, so that the
 * checks behind the seal are reached.
 */
import { deflateRawSync } from "node:zlib";
import { buildZip, deflateStored, type Frame, type Part } from "@svc/testkit/evidence/build-zip";
import { SERVICE } from "@svc/testkit/evidence/service";
import { encodeHex, type Json, type JsonObject, MANIFEST_PATH, referenceKernel } from "../src/index.ts";
import { sealedBytes } from "../src/seal.ts";
import { isObject } from "../src/tamper/places.ts";
import type { Corpus, Seed } from "./never-throws-corpus.ts";
import { editedBytes, editedBytesOften, editedOften } from "./never-throws-edits.ts";
import type { Random } from "./never-throws-random.ts";

const kernel = referenceKernel;
const MAX_DAMAGES = 2;
/** A stored block holds no more. */
const MAX_BLOCK_BYTES = 65_535;
const NAMES = [
  "events.csv",
  "EVENTS.csv",
  "x",
  "../x",
  "",
  "\u00e9",
  "e\u0301",
  "a/b/",
  "nul",
  "\u0000",
  MANIFEST_PATH,
];
const NUMBERS = [0, 1, 2, 8, 20, 45, 0x0800, 0xffff, 0x10000, 0xfffffffe, 0xffffffff];
const HEADER = ["versionNeeded", "flags", "method", "time", "date", "crc32", "packedBytes", "sizeBytes"] as const;
const CENTRAL = ["signature", "madeBy", "disk", "internal", "attributes", "offset"] as const;
const END = ["signature", "disk", "firstDisk", "here", "count", "directoryBytes", "directory"] as const;

/** Returns a package made of a good one. */
export function otherPackage(random: Random, corpus: Corpus, { entries }: Seed): Uint8Array {
  let parts = editedContents(random, corpus, entries);
  if (random.chance(1, 2)) parts = sealedAnew(parts);
  if (random.chance(1, 2)) parts = parts.map((part) => (random.chance(1, 2) ? packed(random, corpus, part) : part));
  const damages = random.chance(1, 3) ? 1 + random.below(MAX_DAMAGES) : 0;
  for (let damage = 0; damage < damages; damage++) parts = damaged(random, corpus, parts);
  return buildZip(parts, random.chance(1, 15) ? otherFrame(random, parts.length) : {});
}

/** Returns the entries, mostly with another content in one of them. */
function editedContents(random: Random, corpus: Corpus, entries: readonly Part[]): readonly Part[] {
  const at = random.below(entries.length);
  const entry = entries[at] as Part;
  switch (random.below(8)) {
    case 0:
      return entries;
    case 1:
      return entries.with(at, { ...entry, content: editedBytesOften(random, corpus, entry.content) });
    case 2:
      return entries.with(at, { ...entry, content: random.pick(random.pick(corpus.packages).entries).content });
    case 3: {
      const other = random.pick(corpus.packages).entries.find(({ name }) => name === entry.name);
      return entries.with(at, other ?? entry);
    }
    default:
      return entries.map((part) => (isValue(part) && random.chance(1, 2) ? withEdits(random, corpus, part) : part));
  }
}

function isValue({ name }: Part): boolean {
  return `${name}`.endsWith(".json");
}

function withEdits(random: Random, corpus: Corpus, part: Part): Part {
  const value = editedOften(random, corpus, parsed(part.content));
  return { ...part, content: new TextEncoder().encode(JSON.stringify(value)) };
}

/** Returns the entries with a manifest that names them, sealed by the service; unchanged without a manifest to seal. */
function sealedAnew(parts: readonly Part[]): readonly Part[] {
  const at = parts.findIndex(({ name }) => name === MANIFEST_PATH);
  // Strictly, because there is nothing to seal of a value that is no JSON.
  const read = at < 0 ? null : kernel.parseJson((parts[at] as Part).content);
  const manifest = read?.ok ? read.value : null;
  if (!isObject(manifest) || !isObject(manifest.seal) || !Array.isArray(manifest.artifacts)) return parts;
  const artifacts = manifest.artifacts.map((artifact: Json) => {
    const part = isObject(artifact) ? parts.find(({ name }) => name === artifact.path) : undefined;
    if (part === undefined) return artifact;
    const sha256 = encodeHex(kernel.sha256(part.content));
    return { ...(artifact as JsonObject), sha256, size_bytes: part.content.length };
  });
  const { key_hints, key_endorsements, seal, ...body } = { ...manifest, artifacts } as JsonObject;
  const { kid } = seal as JsonObject;
  if (typeof kid !== "string") return parts;
  const signature = SERVICE.sign(sealedBytes(kernel, "truth-package", body, kid)) as Uint8Array;
  const sealed = { ...manifest, artifacts, seal: { ...(seal as JsonObject), signature: encodeHex(signature) } };
  return parts.with(at, { ...(parts[at] as Part), content: new TextEncoder().encode(JSON.stringify(sealed)) });
}

/** Packed by method 8, and sometimes wrongly. */
function packed(random: Random, corpus: Corpus, part: Part): Part {
  const { content } = part;
  const isShort = content.length <= MAX_BLOCK_BYTES;
  const stream = isShort && random.chance(1, 3) ? deflateStored(content) : new Uint8Array(deflateRawSync(content));
  const own = random.chance(1, 10) ? editedBytes(random, corpus, stream) : stream;
  return { ...part, packed: own, method: 8 };
}

/** An entry that is gone, repeated, moved or renamed, or with a lie in its headers. */
function damaged(random: Random, corpus: Corpus, parts: readonly Part[]): readonly Part[] {
  const at = random.below(parts.length);
  const part = parts[at];
  if (part === undefined) return parts;
  switch (random.below(8)) {
    case 0:
      return parts.toSpliced(at, 1);
    case 1:
      return parts.toSpliced(at, 0, part);
    case 2:
      return parts.toReversed();
    case 3:
      return parts.with(at, { ...part, name: random.pick(NAMES) });
    case 4:
      return [...parts, random.pick(random.pick(corpus.packages).entries)];
    case 5:
      return parts.with(at, { ...part, header: { ...part.header, ...lie(random, HEADER) } });
    case 6:
      return parts.with(at, { ...part, local: { ...part.local, ...lie(random, HEADER) } });
    default:
      return parts.with(at, { ...part, central: { ...part.central, ...lie(random, [...HEADER, ...CENTRAL]) } });
  }
}

function otherFrame(random: Random, count: number): Frame {
  const some = Uint8Array.from({ length: random.below(30) }, () => random.below(256));
  switch (random.below(5)) {
    case 0:
      return { beforeDirectory: some };
    case 1:
      return { afterDirectory: some };
    case 2:
      return { behind: some };
    case 3:
      return { order: Array.from({ length: count }, () => random.below(count)) };
    default:
      return { end: random.chance(1, 4) ? { comment: some } : lie(random, END) };
  }
}

function lie<Name extends string>(random: Random, names: readonly Name[]): Partial<Record<Name, number>> {
  const value = random.chance(1, 2) ? random.pick(NUMBERS) : random.below(0x10000);
  return { [random.pick(names)]: value } as Partial<Record<Name, number>>;
}

function parsed(content: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder().decode(content)) as Json;
  } catch {
    return null;
  }
}
