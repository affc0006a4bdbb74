/**
 * The hashes and seals of the envelopes and contents of a large bundle, computed by the kernel as they are in its
 * bytes (protocol sections 20 and 27). They save work and decide nothing: a value that is not here is computed from the
 * object itself, and every comparison is made in examine.ts.
 */
import { encodeHex, hexToBytes } from "../../../encoding/hex.ts";
import { parseUtf8 } from "../../../encoding/utf8.ts";
import {
  type JsonDocument,
  type MemberPath,
  type MemberSpans,
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
  /** The key under which the seal holds; null if it holds under none of the given keys. */
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
    for (const one of envelopesIn(columns, byKid)) envelopes.push(one);
  const contents = new Map<string, HashHex>();
  for (const columns of document.records(["contents"], CONTENT_RECIPE) ?? []) {
    const names = new Lines(columns.names, columns.count).texts() as readonly string[];
    hashesIn(columns.digests[0] as Uint8Array).forEach((hash, row) => {
      if (columns.regular[row] === 1) contents.set(names[row] as string, hash);
    });
  }
  return { artifactHash, envelopes, contents };
}

function hashOfArtifact(document: JsonDocument, canonical: Uint8Array): HashHex | null {
  const { count, names, values } = document.members(ARTIFACTS) as MemberSpans;
  const texts = Array.from({ length: count }, (_, at) =>
    parseUtf8(canonical.subarray(names[2 * at], names[2 * at + 1])),
  );
  const at = texts.indexOf(JSON.stringify(NAME));
  if (at < 0) return null;
  const [start, end] = values.subarray(2 * at) as unknown as [number, number];
  return encodeHex(document.hashPart(NONE, { start, end })) as HashHex;
}

function envelopesIn(
  { count, regular, digests, verdicts, literals }: RecordColumns,
  byKid: ReadonlyMap<string | undefined, PublicKeyHex>,
): (EnvelopeDigests | null)[] {
  // Null where a record is irregular: the column has no text for it.
  const kids = new Lines(literals[0] as Uint8Array, count).texts();
  const [payloadHashes, envelopeHashes] = digests.map(hashesIn) as [HashHex[], HashHex[]];
  return payloadHashes.map((payloadHash, row) => {
    if (regular[row] !== 1) return null;
    const isValid = verdicts[0]?.[row] === SIGNATURE.valid;
    const holdsUnder = (isValid && byKid.get(kids?.[row])) || null;
    return { payloadHash, envelopeHash: envelopeHashes[row] as HashHex, holdsUnder };
  });
}

const NONE = new Uint8Array();
