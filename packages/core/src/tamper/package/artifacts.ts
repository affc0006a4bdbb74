/**
 * Edits the artifacts that the manifest of a package lists: alone, so that their hashes tell; with the hashes made
 * again, so that the seal tells; and sealed by a stranger, so that only contradictions between them tell. No edit is
 * free.
 */
import { concatBytes } from "../../encoding/bytes.ts";
import { encodeUtf8, parseUtf8 } from "../../encoding/utf8.ts";
import type { Bundle } from "../../objects/bundle/schema.ts";
import type { ProblemCode } from "../../report/codes.ts";
import { edits } from "../edits.ts";
import type { Mutant, MutantClass } from "../mutant.ts";
import { mutants, type Select } from "../mutants.ts";
import { otherValues } from "../values.ts";
import { codes, type PackageEdit } from "./edit.ts";
import { archiveOf } from "./files.ts";
import type { Parts } from "./parts.ts";
import { artifactsAgain, tableOf, withContents } from "./reseal.ts";

/** The edit of an artifact. */
interface Change {
  readonly class: MutantClass;
  readonly description: string;
  readonly content: Uint8Array;
}

const HASHED = codes("artifact_hash_mismatch");
const SEALED = codes("signature_invalid");

/** Yields every edit of the table of events. */
export function* tableEdits(parts: Parts): Generator<PackageEdit> {
  const text = parseUtf8(contentOf(parts, "events.csv")) ?? "";
  for (const change of tableChanges(text)) yield* inEachWay(parts, "events.csv", change, codes("export_mismatch"));
}

function* tableChanges(text: string): Generator<Change> {
  const lines: readonly string[] = text.match(/.*\r\n/g) ?? [];
  const of = (all: readonly string[]) => encodeUtf8(all.join(""));
  const whole = { class: "misencoded" } as const;
  yield { ...whole, description: "empty", content: of([]) };
  yield { ...whole, description: "cut by one byte", content: of([text.slice(0, -1)]) };
  yield { ...whole, description: "with an empty line more", content: of([text, "\r\n"]) };
  yield { ...whole, description: "behind a byte-order mark", content: of(["\ufeff", text]) };
  yield { ...whole, description: "in lines of another system", content: of([text.replaceAll("\r\n", "\n")]) };
  for (const [index, line] of lines.entries()) {
    const about = `line ${index + 1}`;
    const next = lines[index + 1];
    yield { class: "dropped", description: `${about} dropped`, content: of(lines.toSpliced(index, 1)) };
    yield { class: "repeated", description: `${about} repeated`, content: of(lines.toSpliced(index, 0, line)) };
    if (next !== undefined) {
      const swapped = lines.with(index, next).with(index + 1, line);
      yield { class: "swapped", description: `${about} swapped with the next`, content: of(swapped) };
    }
    // Fields are quoted, and a quote inside one is doubled.
    const fields: readonly string[] = line.slice(0, -2).match(/"(?:[^"]|"")*"/g) ?? [];
    for (const [at, field] of fields.entries())
      for (const other of otherValues(field.slice(1, -1)).slice(0, 2)) {
        const changed = lines.with(index, `${fields.with(at, `"${other}"`).join(",")}\r\n`);
        yield { class: "changed", description: `field ${at + 1} of ${about} changed`, content: of(changed) };
      }
  }
}

/** Yields every edit of the text for people. Only its hash binds it, so a stranger may say anything there. */
export function* aboutEdits(parts: Parts): Generator<PackageEdit> {
  const { kernel } = parts;
  const bytes = contentOf(parts, "manifest.json");
  const parsed = kernel.parseJson(bytes);
  const untold = codes("key_not_pinned");
  for (const { class: own, path, description, value } of edits(parsed.ok ? parsed.value : null)) {
    const change = { class: own, description: `${path} ${description}`, content: kernel.canonicalize(value) };
    yield* inEachWay(parts, "manifest.json", change, untold);
  }
  const longer = {
    class: "misencoded",
    description: "with a byte more",
    content: concatBytes([bytes, bytes.subarray(-1)]),
  };
  yield* inEachWay(parts, "manifest.json", longer as Change, untold);
}

/**
 * Yields an edit alone, with the hashes made again, and signed again by a stranger, who is refused with these codes.
 */
function* inEachWay(
  parts: Parts,
  file: string,
  { class: own, description, content }: Change,
  byStranger: ReadonlySet<ProblemCode>,
): Generator<PackageEdit> {
  const { kernel, files, manifest } = parts;
  const said = { path: `/${file}`, free: false } as const;
  const others = { [file]: content };
  const again = (signs: boolean) => () => artifactsAgain({ kernel, signs }, files, manifest, others);
  const bytes = () => archiveOf(withContents(files, others)).bytes;
  yield { ...said, class: own, description, bytes, expected: HASHED };
  const hashed = { ...said, class: "rehashed", description: `${description}, hashed again` } as const;
  yield { ...hashed, bytes: again(false), expected: SEALED };
  const signed = { ...said, class: "resealed", description: `${description}, signed again by a stranger` } as const;
  yield { ...signed, bytes: again(true), expected: byStranger };
}

/** Yields edits in which bundles are gone, repeated, in another order, or another package's. */
export function* listEdits(parts: Parts, donors: readonly (readonly Bundle[])[]): Generator<PackageEdit> {
  const { kernel, bundles } = parts;
  for (const [index, bundle] of bundles.entries()) {
    const changes: (readonly [MutantClass, string, readonly Bundle[]])[] = [
      ["dropped", "dropped", bundles.toSpliced(index, 1)],
      ["repeated", "repeated", bundles.toSpliced(index, 0, bundle)],
    ];
    const next = bundles[index + 1];
    if (next !== undefined) changes.push(["swapped", "swapped", bundles.with(index, next).with(index + 1, bundle)]);
    for (const donor of donors) {
      const other = donor[index];
      const isOther = other !== undefined && other.manifest.bundle_id !== bundle.manifest.bundle_id;
      if (isOther) changes.push(["spliced", "taken from the other package", bundles.with(index, other)]);
    }
    for (const [own, description, all] of changes) {
      const content = kernel.canonicalize(all);
      const change = { class: own, description: `bundle ${index} ${description}`, content };
      const refused = codes("malformed", "range_incomplete", "export_mismatch");
      // The order of bundles is part of their shape, which is checked first.
      for (const edit of inEachWay(parts, "proofs.json", change, refused))
        yield { ...edit, expected: codes("malformed", ...(edit.expected ?? [])) };
    }
  }
}

/**
 * Yields the selected mutations of every bundle, in its package. A forger who makes the bundle consistent again also
 * does so with the package. A change that the protocol leaves free in a bundle is not free in a package, since it
 * changes a hash there.
 */
export function* bundleMutants(
  parts: Parts,
  donors: readonly (readonly Bundle[])[],
  select: Select,
): Generator<Mutant> {
  const { kernel, bundles } = parts;
  for (const [index, bundle] of bundles.entries()) {
    const at = `/proofs.json/${index}`;
    const options = {
      kernel,
      donors: donors.flatMap((all) => all[index] ?? []),
      select: (own: MutantClass, path: string) => select(own, at + path),
    };
    for (const mutant of mutants("bundle", bundle, options)) {
      const { id, path, free } = mutant;
      const isAgain = free || mutant.class === "rehashed" || mutant.class === "resealed";
      const more: readonly ProblemCode[] = isAgain ? AGAIN[mutant.class === "resealed" ? 1 : 0] : [...HASHED];
      yield {
        ...mutant,
        id: `bundle-${index}-${id}`,
        class: free ? "rehashed" : mutant.class,
        path: at + path,
        bytes: isAgain ? proofsAgain(parts, index, mutant) : proofsWith(parts, index, mutant),
        expected: mutant.expected === null && !free ? null : codes(...(mutant.expected ?? []), ...more),
        free: false,
      };
    }
  }
}

/**
 * The codes for a package that was made consistent again, without a key and by a stranger: its ranges may no longer be
 * its bundles'.
 */
const AGAIN: readonly [readonly ProblemCode[], readonly ProblemCode[]] = [
  ["malformed", "signature_invalid"],
  ["malformed", "key_not_pinned", "range_incomplete", "export_mismatch"],
];

function contentOf({ files }: Parts, path: string): Uint8Array {
  return files.find((file) => file.path === path)?.content ?? new Uint8Array();
}

/** Returns the list of bundles with one of them replaced by these bytes, which may be anything. */
function listWith({ kernel, bundles }: Parts, index: number, bytes: Uint8Array): Uint8Array {
  const pieces = bundles.flatMap((bundle, at) => [
    encodeUtf8(at === 0 ? "[" : ","),
    at === index ? bytes : kernel.canonicalize(bundle),
  ]);
  return concatBytes([...pieces, encodeUtf8("]")]);
}

function proofsWith(parts: Parts, index: number, { bytes }: Mutant): Uint8Array {
  return archiveOf(withContents(parts.files, { "proofs.json": listWith(parts, index, bytes) })).bytes;
}

function proofsAgain(parts: Parts, index: number, mutant: Mutant): Uint8Array {
  const { kernel, files, manifest, bundles } = parts;
  const forger = { kernel, signs: mutant.class === "resealed" };
  const parsed = kernel.parseJson(mutant.bytes);
  const edited = (parsed.ok ? parsed.value : null) as Bundle;
  const others = {
    "proofs.json": listWith(parts, index, mutant.bytes),
    "events.csv": tableOf(forger, manifest, bundles.with(index, edited)),
  };
  return artifactsAgain(forger, files, manifest, others);
}
