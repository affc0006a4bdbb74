/**
 * Seeded mutants of good fixtures that are sealed again, by a key that the verifier trusts: edits that no signature
 * gives away, so that the checks behind them are reached. Values come from all fixtures.
 */
import { type Json, type JsonObject, referenceKernel as kernel, kidOf } from "@svc/core";
import {
  forged,
  forgedPackage,
  isObject,
  otherValues,
  type PackageValues,
  places,
  UNTRUSTED_SIGNER,
  untrustedSigner,
} from "@svc/core/tamper";
import type { Random } from "../src/mutants/random.ts";
import { type Good, type Goods, nameOf } from "./goods.ts";
import type { Made } from "./requests.ts";

const MAX_EDITS = 3;

/** Returns a request of `verify` for a mutant; null where the edit left nothing that can be sealed. */
export function sealedMutant(goods: Goods, random: Random): Made | null {
  const kind = random.pick([...goods.byKind.keys(), "truth-package" as const]);
  const made =
    kind === "truth-package"
      ? editedPackage(goods, random)
      : editedObject(random.pick(goods.byKind.get(kind) ?? []), goods, random);
  if (made === null) return null;
  const { bytes, name, trust, links } = made;
  const trusting = trustIn(random.below(4) === 0 ? editedTrust(trust, goods, random) : trust);
  const request = { op: "verify", bytes: Buffer.from(bytes).toString("base64"), kind, trust: trusting };
  return { name: `sealed ${name}`, request: links === undefined ? request : { ...request, links } };
}

type Edited = Pick<Good, "name" | "trust" | "links"> & { readonly bytes: Uint8Array };

/** Some keep the old seals. */
const signs = (random: Random) => random.below(8) > 0;

function editedObject(good: Good, goods: Goods, random: Random): Edited | null {
  const edited = editedOften(good.object, goods, random);
  const forger = { kernel, signs: signs(random) };
  const make = () => Buffer.from(JSON.stringify(forged(forger, good.kind, good.object, edited)));
  return withBytes(good, make);
}

/** Edits a package in its manifest or in one of its bundles. */
function editedPackage(goods: Goods, random: Random): Edited | null {
  const good = random.pick(goods.packages);
  const change = ({ manifest, bundles }: PackageValues): PackageValues => {
    const [what, index] = [random.below(4), random.below(bundles.length)];
    if (what === 0) return { manifest: editedOften(manifest, goods, random), bundles };
    const edited = bundles.with(index, editedOften(bundles[index] ?? null, goods, random));
    return { manifest, bundles: what === 1 ? reordered(edited, random) : edited };
  };
  const forger = { kernel, signs: signs(random) };
  const options = { keepsTable: random.below(4) === 0 };
  return withBytes(good, () => forgedPackage(forger, good.bytes, change, options));
}

/** Returns null where an edit left nothing that can be sealed. */
function withBytes({ name, trust, links }: Omit<Edited, "bytes">, make: () => Uint8Array): Edited | null {
  try {
    return { name, trust, bytes: make(), ...(links === undefined ? {} : { links }) };
  } catch {
    return null;
  }
}

function editedOften(value: Json, goods: Goods, random: Random): Json {
  let edited = value;
  for (let left = 1 + random.below(MAX_EDITS); left > 0; left--) edited = edit(edited, goods, random);
  return edited;
}

/** Changes one place: a value of the same name, its neighbour, one member less, a list in another order. */
function edit(value: Json, { seen }: Goods, random: Random): Json {
  const inside = [...places(value)].slice(1);
  if (inside.length === 0) return value;
  const { path, value: old, replaced } = random.pick(inside);
  const way = random.below(10);
  if (Array.isArray(old) && old.length > 0 && way < 5) return replaced(reordered(old, random));
  if (isObject(old) && Object.keys(old).length > 0 && way === 9) {
    const gone = random.pick(Object.keys(old));
    return replaced(Object.fromEntries(Object.entries(old).filter(([name]) => name !== gone)));
  }
  if (typeof old === "number" && way < 4) return replaced(Math.max(0, old + random.pick([-1, 1, 1, 2])));
  const others = seen.get(nameOf(path)) ?? [];
  if (way < 8 && others.length > 0) return replaced(random.pick(others));
  if (typeof old === "object") return value;
  const neighbours = otherValues(old);
  return neighbours.length === 0 ? value : replaced(random.pick(neighbours));
}

function reordered(list: readonly Json[], random: Random): Json[] {
  const [one, other] = [random.below(list.length), random.below(list.length)];
  const item = list[one] as Json;
  return random.pick([
    list.toSpliced(one, 1),
    list.toSpliced(other, 0, item),
    list.with(one, list[other] as Json).with(other, item),
    list.slice(0, one),
  ]);
}

function editedTrust(trust: JsonObject, goods: Goods, random: Random): JsonObject {
  const edited = edit({ trust }, goods, random);
  return isObject(edited) && isObject(edited.trust) ? edited.trust : trust;
}

/** Returns the policy with the forger's keys: as a signer, and as those of the installations that it pins. */
function trustIn({ signers, vaults, ...others }: JsonObject): JsonObject {
  const own = { kid: kidOf(kernel, UNTRUSTED_SIGNER.publicKeyHex), public_key_hex: UNTRUSTED_SIGNER.publicKeyHex };
  const pinned = (vault: Json) =>
    isObject(vault)
      ? { ...vault, public_key_hex: untrustedSigner(`vault ${vault.installation_id}`).publicKeyHex }
      : vault;
  return {
    ...others,
    ...(signers === undefined ? {} : { signers: Array.isArray(signers) ? [...signers, own] : signers }),
    ...(vaults === undefined ? {} : { vaults: Array.isArray(vaults) ? vaults.map(pinned) : vaults }),
  };
}
