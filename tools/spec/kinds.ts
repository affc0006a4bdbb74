/** The kinds of object: how each is recognised, its schemas, its lists of checks, and the most bytes it may have. */
import type { JsonKind, Kind } from "@svc/core";
import type { CheckList } from "../../packages/core/src/report/checks.ts";
import { MARKS } from "../../packages/core/src/verify/kinds.ts";
import { MAX_BYTES } from "../../packages/core/src/verify/vaults.ts";
import { nounOf } from "../../packages/report/src/words.ts";

/** Files of spec/schemas/ without their ending, the usual one first: others of a kind have other members. */
interface KindForms {
  readonly schemas: readonly string[];
  /** Lists of checks of objects of the kind that have others than most. */
  readonly lists?: readonly Exclude<CheckList, Kind>[];
}

/** In the order of the protocol, in which the earlier of two equally good kinds counts (section 16). */
const KINDS: Readonly<Record<Kind, KindForms>> = {
  receipt: { schemas: ["receipt-record"] },
  "portable-receipt": { schemas: ["portable-receipt"] },
  stream: { schemas: ["stream"] },
  window: { schemas: ["window"] },
  inclusion: { schemas: ["inclusion"] },
  checkpoint: { schemas: ["checkpoint"] },
  consistency: { schemas: ["consistency", "anchor-consistency"], lists: ["anchor-consistency"] },
  witness: { schemas: ["witness-statement"] },
  anchor: { schemas: ["anchor"] },
  fork: { schemas: ["fork"] },
  key: { schemas: ["key-endorsement"] },
  bundle: { schemas: ["bundle"], lists: ["provenance-bundle"] },
  "truth-package": { schemas: ["truth-package"], lists: ["provenance-package"] },
  envelope: { schemas: ["envelope"] },
  "vault-attestation": { schemas: ["vault-attestation"] },
  "provenance-inclusion": { schemas: ["shown-provenance-inclusion", "provenance-inclusion"] },
  disclosure: { schemas: ["disclosure"] },
  "key-status": { schemas: ["key-status"] },
  "provider-result": { schemas: ["provider-result", "earlier-provider-result"] },
  "ivc-epoch": { schemas: ["ivc-epoch"] },
};

/** Every list of checks, those of kinds first. */
export const CHECK_LISTS: readonly CheckList[] = [
  ...(Object.keys(KINDS) as Kind[]),
  ...Object.values(KINDS).flatMap(({ lists = [] }) => lists),
];

/** Returns the kinds. */
export function kinds() {
  return {
    kinds: Object.fromEntries(
      Object.entries(KINDS).map(([kind, { schemas, lists = [] }]) => [
        kind,
        {
          noun: nounOf(kind as Kind),
          is_json: kind !== "truth-package",
          schemas: schemas.map((name) => `schemas/${name}.json`),
          check_lists: [kind, ...lists],
          // Kinds without marks are recognised by most of their members (protocol section 16).
          marks: (MARKS as Readonly<Record<string, readonly (readonly string[])[]>>)[kind] ?? [],
          max_bytes: MAX_BYTES[kind as JsonKind] ?? null,
        },
      ]),
    ),
  };
}
