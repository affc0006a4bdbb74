/**
 * The hashes and seals of the envelopes and contents of a large bundle, computed by the kernel as they stand in its
 * bytes (protocol sections 20 and 27). They save work and decide nothing: a value that is not here is computed from the
 * object itself, and every comparison is made in examine.ts.
 */
import { encodeHex, hexToBytes } from "../../../encoding/hex.ts";
import {
  type JsonDocument,
  type MemberPath,
  type RecordColumns,
  type RecordRecipe,
  SIGNATURE,
} from "../../../kernel/document.ts";
import type { Kernel } from "../../../kernel/kernel.ts";
import { ALGORITHM, PROVENANCE } from "../../../protocol.ts";
import type { HashHex, PublicKeyHex } from "../../../schema/atoms.ts";
import { kidOf } from "../../../seal.ts";
import { BODY_MEMBERS } from "../../envelope/issue.ts";
import { Lines } from "../lines.ts";
import { own, projection } from "../receipts.ts";
import { hashesIn } from "./described.ts";

/** The digests of one envelope, and the verdict on its seal. */
export interface EnvelopeDigests {
  readonly payloadHash: HashHex;
  readonly envelopeHash: HashHex;
  /** The key under which the seal holds; null if it holds under none that is told here. */
  readonly holdsUnder: PublicKeyHex | null;
}

/** The digests of the provenance part of a bundle. */
export interface ProvenanceDigests {
  readonly artifactHash: HashHex;
  /** By the index of the envelope; null for one that the kernel could not take as it stands. */
  readonly envelopes: readonly (EnvelopeDigests | null)[];
  /** The hashes of contents, by the identifier of the event. */
  readonly contents: ReadonlyMap<string, HashHex>;
}

const ARTIFACTS: MemberPath = ["artifacts"];
const NAME = "provenance.json";

const within = (place: MemberPath, ...names: string[]): Readonly<Record<string, MemberPath>> =>
  Object.fromEntries(names.map((name) => [name, [...place, name]]));

const BODY = within(["envelope"], ...BODY_MEMBERS);
const KID: MemberPath = ["envelope", "seal", "kid"];

function envelopeRecipe(keys: ReadonlyMap<string, Uint8Array>): RecordRecipe {
  const sealed = projection("envelope", { ...BODY, protocol: PROVENANCE, alg: ALGORITHM, kid: KID });
  return {
    digests: [projection("payload", { payload: ["envelope"], salt: ["payload_salt"] }), projection("envelope", BODY)],
    signatures: [{ ...sealed, signature: ["envelope", "seal", "signature"], key: KID, keys }],
    hashes: [],
    literals: [KID],
    objects: [],
    closed: false,
  };
}

const CONTENT_RECIPE: RecordRecipe = {
  digests: [
    projection(
      "content",
      own(
        "occurredAt",
        "sealedAt",
        "eventType",
        "commitments",
        "capsuleSize",
        "slotSalt",
        "capsulePath",
        "assurance",
        "metadata",
      ),
    ),
  ],
  signatures: [],
  hashes: [],
  literals: [],
  objects: [],
  // The projection is the whole content only if it has no other member.
  closed: true,
};

/** Computes the digests of a canonical document of a bundle. `keys`: of vaults, as anybody may have told them. */
export function digestProvenance(
  kernel: Kernel,
  document: JsonDocument,
  canonical: Uint8Array,
  keys: readonly PublicKeyHex[],
): ProvenanceDigests | null {
  const artifactHash = hashOfArtifact(document, canonical);
  if (artifactHash === null) return null;
  // If two keys have one kid, only the last is here: a seal by the other is checked by itself.
  const byKid = new Map(keys.map((key): [string, PublicKeyHex] => [kidOf(kernel, key), key]));
  const recipe = envelopeRecipe(new Map([...byKid].map(([kid, key]) => [kid, hexToBytes(key)])));
  const envelopes: (EnvelopeDigests | null)[] = [];
  for (const columns of document.records([...ARTIFACTS, NAME, "envelopes"], recipe) ?? [])
    envelopes.push(...envelopesIn(columns, byKid));
  const contents = new Map<string, HashHex>();
  for (const columns of document.records(["contents"], CONTENT_RECIPE) ?? []) {
    const names = new Lines(columns.names, columns.count).texts() ?? [];
    hashesIn(columns.digests[0] ?? NONE).forEach((hash, row) => {
      if (columns.regular[row] === 1) contents.set(names[row] ?? "", hash);
    });
  }
  return { artifactHash, envelopes, contents };
}

function hashOfArtifact(document: JsonDocument, canonical: Uint8Array): HashHex | null {
  const spans = document.members(ARTIFACTS);
  const wanted = JSON.stringify(NAME);
  for (let index = 0; index < (spans?.count ?? 0); index++) {
    const [from, to] = spans?.names.subarray(2 * index, 2 * index + 2) ?? [];
    if (String.fromCharCode(...canonical.subarray(from, to)) !== wanted) continue;
    const [start = 0, end = 0] = spans?.values.subarray(2 * index, 2 * index + 2) ?? [];
    return encodeHex(document.hashPart(NONE, { start, end })) as HashHex;
  }
  return null;
}

function envelopesIn(
  { count, regular, digests, verdicts, literals }: RecordColumns,
  byKid: ReadonlyMap<string, PublicKeyHex>,
): (EnvelopeDigests | null)[] {
  // The column has no text for an irregular record.
  const kids = regular.every((mark) => mark === 1) ? new Lines(literals[0] ?? NONE, count).texts() : null;
  const envelopeHashes = hashesIn(digests[1] ?? NONE);
  return hashesIn(digests[0] ?? NONE).map((payloadHash, row) => {
    const envelopeHash = envelopeHashes[row];
    if (regular[row] !== 1 || envelopeHash === undefined) return null;
    const isValid = verdicts[0]?.[row] === SIGNATURE.valid;
    return { payloadHash, envelopeHash, holdsUnder: isValid ? (byKid.get(kids?.[row] ?? "") ?? null) : null };
  });
}

const NONE = new Uint8Array();
