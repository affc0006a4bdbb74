/**
 * Edits after which everything is made consistent again (protocol section 16): without a key, so that the old
 * signatures stand over something else, and by a stranger who signs everything. Only signatures, and trust in keys, can
 * tell.
 */
import type { Json, Kernel } from "../kernel/kernel.ts";
import type { JsonKind } from "../report/checks.ts";
import { type ForgedKind, forged } from "./forge/forged.ts";
import type { Edit } from "./mutant.ts";
import { places, withTexts } from "./places.ts";
import { renumberings } from "./renumberings.ts";
import { schemaCodes } from "./schema-codes.ts";
import { schemaPath } from "./schema-path.ts";
import { otherTypes, otherValues } from "./values.ts";

/** Members that are computed or signed, or whose place allows no other value: a forger computes them anew. */
const COMPUTED = new Set(
  [
    "signature kid endorsed_kid protocol alg format version note key_hints key_endorsements",
    "path leaves inclusions frontier artifact_hashes evidence divergence",
    "keyId initial_state final_state",
    "contentHash previousEnvelopeHash capsuleRoot envelopeHash evidenceHash attestationHash startId publicKeyHex",
    "startPublicKeyHex blind leaf_hash provenance_root inclusion_path capsulePath",
  ].flatMap((names) => names.split(" ")),
);
const COMPUTED_ENDING = /_(hash|root|digest|path|hex)$/;

type Said = Omit<Edit, "class">;

/**
 * Yields every forgery of an object of this kind. A stranger signs one edit of each member of the schema, at the
 * member's first place.
 */
export function* forgeries(kernel: Kernel, kind: JsonKind, good: Json): Generator<Edit> {
  if (kind === "witness" || kind === "provider-result") return;
  const signed = new Set<string>();
  for (const said of [...editsOfSaid(kind, good), ...renumberings(kind, good)]) {
    yield forgery(kernel, kind, good, said, false);
    const at = `${schemaPath(said.path)} ${said.description.split(" ")[0]}`;
    if (signed.has(at)) continue;
    signed.add(at);
    yield forgery(kernel, kind, good, said, true);
  }
  yield forgery(kernel, kind, good, { path: "", description: "as it is", value: good }, true);
}

/** The forgery is made when its value is read. */
function forgery(
  kernel: Kernel,
  kind: ForgedKind,
  good: Json,
  { path, description, value }: Said,
  signs: boolean,
): Edit {
  const done = signs ? "signed again by a stranger" : "hashed again";
  return {
    class: signs ? "resealed" : "rehashed",
    path,
    description: `${description}, ${done}`,
    get value() {
      return forged({ kernel, signs }, kind, good, value);
    },
  };
}

/**
 * Yields one other value of the right form for each value that somebody stated, and nobody computed. A name is changed
 * everywhere.
 */
function* editsOfSaid(kind: JsonKind, good: Json): Generator<Said> {
  const named = new Set<string>();
  for (const { path, value, replaced } of places(good)) {
    if (typeof value === "object" && value !== null) continue;
    if (path.split("/").some((name) => COMPUTED.has(name) || COMPUTED_ENDING.test(name))) continue;
    const others: Json[] = value === null ? otherTypes(null) : otherValues(value);
    const isFormed = (one: Json) => schemaCodes(kind, one).size === 0;
    const name = nameIn(path, value);
    if (name === null) {
      const edited = others.map(replaced).find(isFormed);
      if (edited !== undefined) yield { path, description: "changed", value: edited };
    } else if (!named.has(name)) {
      named.add(name);
      const edited = withTexts(good, (text) => text.replaceAll(name, otherName(name)));
      if (isFormed(edited)) yield { path, description: "changed everywhere", value: edited };
    }
  }
}

/**
 * Returns an identifier, or the origin of a service, if the value is one, since other parts name it too; null for any
 * other value.
 */
function nameIn(path: string, value: Json): string | null {
  if (typeof value !== "string") return null;
  if (path.endsWith("/origin")) return value.replace(/\/str_[0-9a-z]{26}$/, "");
  return /^[a-z]+_[0-7][0-9a-z]{25}$/.test(value) ? value : null;
}

function otherName(name: string): string {
  const [other = ""] = otherValues(name);
  return `${other}`;
}
