/**
 * Issues a bundle from evidence that a service already holds (protocol section 14). It collects and seals; the caller
 * has extended the range to whole windows, and verifies the result as any verifier does.
 */
import { encodeHex } from "../../encoding/hex.ts";
import type { Json, Kernel, NodeHash } from "../../kernel/kernel.ts";
import { PROTOCOL } from "../../protocol.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { makeSeal, type Signer } from "../../seal.ts";
import type { Anchor } from "../anchor/schema.ts";
import type { Checkpoint } from "../checkpoint.ts";
import type { ForkEvidence } from "../fork/schema.ts";
import type { KeyEndorsement, KeyHint } from "../key-endorsement.ts";
import { type ReceiptRecord, redactRecord } from "../receipt.ts";
import type { Window } from "../window.ts";
import type { ProvenancePart } from "./provenance/issue.ts";
import type { Bundle, Manifest, PayloadEntry, WitnessArtifact } from "./schema.ts";

/** The input of a bundle. All arrays ascend. */
export interface BundleInput {
  readonly bundle_id: string;
  readonly created_at: string;
  readonly stream_id: string;
  /** The records of all windows; those with payload and salt carry them into the bundle. */
  readonly records: readonly ReceiptRecord[];
  readonly windows: readonly Window[];
  readonly checkpoints: readonly Checkpoint[];
  readonly witnesses: WitnessArtifact;
  /** By epoch_no; each covers one of the checkpoints. */
  readonly anchors?: readonly Anchor[];
  /**
   * Evidence of forks of the stream that the service knows of. A bundle with some is rejected: its purpose is to show
   * them.
   */
  readonly forks?: readonly ForkEvidence[];
  /** The statements of vaults about the events, for a provenance stream. */
  readonly provenance?: ProvenancePart;
  /** The checkpoint tree before the first window. */
  readonly prior: { readonly window_count: number; readonly frontier: readonly NodeHash[] };
  readonly key_hints: readonly KeyHint[];
  readonly key_endorsements: readonly KeyEndorsement[];
}

/** Returns the hash by which a manifest names an artifact: plain SHA-256 of its canonical JSON. */
export function artifactHash(kernel: Kernel, artifact: Json): HashHex {
  return encodeHex(kernel.sha256(kernel.canonicalize(artifact))) as HashHex;
}

/**
 * Makes and seals a bundle (protocol section 14). `signer`: the service's key. `input`: the records, windows,
 * checkpoints and witnesses of whole windows, in order; `created_at` is YYYY-MM-DDTHH:MM:SS.mmmZ. Resolves to the
 * bundle. Rejects with RangeError for no record, and as `signer.sign` does. It does not check that the parts hold and
 * fit each other: `verify` does.
 *
 * @example
 * const issued = await issueBundle(kernel, signer, { ...input, records });
 * const both = pinKeys(kernel, [service.publicKeyHex, signer.publicKeyHex]);
 * console.log(verify(kernel.canonicalize(issued), { trust: both }).verdict); // verified
 */
export async function issueBundle(kernel: Kernel, signer: Signer, input: BundleInput): Promise<Bundle> {
  const first = input.records[0];
  const last = input.records.at(-1);
  if (first === undefined || last === undefined) throw new RangeError("a bundle holds at least one event");
  const { forks = [], provenance } = input;
  const artifacts = {
    "receipts.json": input.records.map(redactRecord),
    "windows.json": [...input.windows],
    "checkpoints.json": [...input.checkpoints],
    "witnesses.json": input.witnesses,
    "anchors.json": [...(input.anchors ?? [])],
    ...(forks.length === 0 ? {} : { "forks.json": [...forks] }),
    ...(provenance === undefined ? {} : { "provenance.json": provenance.artifact }),
  };
  const range = { from_seq_no: first.seq_no, to_seq_no: last.seq_no };
  const manifest = manifestOf(
    { ...input, ...range },
    {
      "receipts.json": artifactHash(kernel, artifacts["receipts.json"]),
      "windows.json": artifactHash(kernel, artifacts["windows.json"]),
      "checkpoints.json": artifactHash(kernel, artifacts["checkpoints.json"]),
      "witnesses.json": artifactHash(kernel, artifacts["witnesses.json"]),
      "anchors.json": artifactHash(kernel, artifacts["anchors.json"]),
      ...(forks.length === 0 ? {} : { "forks.json": artifactHash(kernel, [...forks]) }),
      ...(provenance === undefined ? {} : { "provenance.json": artifactHash(kernel, provenance.artifact) }),
    },
  );
  return {
    manifest,
    artifacts,
    payloads: payloadsOf(input.records),
    ...contentsOf(provenance),
    key_hints: [...input.key_hints],
    key_endorsements: [...input.key_endorsements],
    seal: await makeSeal(kernel, "bundle", manifest, signer),
  };
}

/** Returns the manifest of a bundle's input. */
export function manifestOf(
  input: Pick<BundleInput, "bundle_id" | "created_at" | "stream_id" | "prior" | "provenance"> &
    Pick<Manifest, "from_seq_no" | "to_seq_no">,
  artifact_hashes: Manifest["artifact_hashes"],
): Manifest {
  const { bundle_id, created_at, stream_id, from_seq_no, to_seq_no, prior } = input;
  return {
    bundle_id,
    protocol: PROTOCOL,
    created_at,
    stream_id,
    from_seq_no,
    to_seq_no,
    artifact_hashes,
    prior_windows: {
      window_count: prior.window_count,
      frontier: prior.frontier.map((hash) => encodeHex(hash) as HashHex),
    },
    ...input.provenance?.members,
  };
}

/** Returns the member of a bundle that holds the contents of a provenance part, if there are any. */
export function contentsOf(provenance: ProvenancePart | undefined): Pick<Bundle, "contents"> {
  const contents = provenance?.contents ?? null;
  return contents === null ? {} : { contents };
}

function payloadsOf(records: readonly ReceiptRecord[]): Record<string, PayloadEntry> {
  const payloads: Record<string, PayloadEntry> = {};
  for (const { stream_event_id, payload, payload_salt } of records) {
    if (payload !== undefined && payload_salt !== undefined) payloads[stream_event_id] = { payload, payload_salt };
  }
  return payloads;
}
