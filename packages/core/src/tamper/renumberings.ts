/**
 * Takes an event out of a run of records or a bundle, adds one, or exchanges two, and makes all numbers and ranges
 * after them fit: the edits of somebody who wants an event never to have been there. The caller computes the hashes.
 */
import type { Json } from "../kernel/kernel.ts";
import type { Bundle, ProvenanceArtifact, RecordedEnvelope } from "../objects/bundle/schema.ts";
import type { Checkpoint } from "../objects/checkpoint.ts";
import type { ReceiptRecord } from "../objects/receipt.ts";
import type { StreamSegment } from "../objects/stream.ts";
import type { Window } from "../objects/window.ts";
import { ZERO_HASH } from "../protocol.ts";
import type { JsonKind } from "../report/checks.ts";
import type { Edit } from "./mutant.ts";

type Renumbering = Omit<Edit, "class">;

/** Yields the renumberings of an object; none for a kind without runs of records. */
export function* renumberings(kind: JsonKind, good: Json): Generator<Renumbering> {
  if (kind !== "stream" && kind !== "bundle") return;
  const bundle = kind === "bundle" ? (good as Bundle) : null;
  const records = bundle?.artifacts["receipts.json"] ?? (good as StreamSegment).records;
  const folder = bundle === null ? "/records" : "/artifacts/receipts.json";
  for (const [index, record] of records.entries()) {
    for (const [description, others, growth] of rearranged(records, index, record)) {
      const numbered = others.map((one, at) => inPlace(one, at, records, growth));
      const value =
        bundle === null ? { ...(good as object), records: numbered } : resized(bundle, numbered, record, growth);
      if (value !== null) yield { path: `${folder}/${index}`, description, value };
    }
  }
}

/**
 * Returns a record with the number of its new place, following the event that the first record followed. An exchanged
 * record gets the time of its new place.
 */
function inPlace(record: ReceiptRecord, at: number, records: readonly ReceiptRecord[], growth: number): ReceiptRecord {
  const [first = record] = records;
  const { received_at } = (growth === 0 ? records[at] : undefined) ?? record;
  const previous_event_hash = at === 0 ? first.previous_event_hash : record.previous_event_hash;
  return { ...record, seq_no: first.seq_no + at, received_at, previous_event_hash };
}

type Rearranged = readonly [description: string, records: readonly ReceiptRecord[], growth: number];

function rearranged(records: readonly ReceiptRecord[], index: number, record: ReceiptRecord): Rearranged[] {
  // An id far in the future, a different one for each event.
  const added = { ...record, stream_event_id: record.stream_event_id.replace(/^sev_./, "sev_7") };
  const next = records[index + 1];
  const all: Rearranged[] = [
    ["removed, with the numbers after it", records.toSpliced(index, 1), -1],
    ["put in, with the numbers after it", records.toSpliced(index, 0, added), 1],
  ];
  if (next !== undefined) all.push(["exchanged with the next", records.with(index, next).with(index + 1, record), 0]);
  return all.filter(([, others]) => others.length > 0);
}

/**
 * Returns the bundle with these records, with the window around one of them grown; null if that window would be empty.
 */
function resized(
  bundle: Bundle,
  records: readonly ReceiptRecord[],
  { seq_no }: ReceiptRecord,
  growth: number,
): Bundle | null {
  const { artifacts, manifest, payloads = {} } = bundle;
  const moved = (no: number) => (no >= seq_no ? no + growth : no);
  const ranged = <Part extends Pick<Window, "from_seq_no" | "to_seq_no">>(part: Part): Part => ({
    ...part,
    from_seq_no: part.from_seq_no > seq_no ? part.from_seq_no + growth : part.from_seq_no,
    to_seq_no: moved(part.to_seq_no),
  });
  const windows = artifacts["windows.json"].map(ranged);
  if (windows.some(({ from_seq_no, to_seq_no }) => to_seq_no < from_seq_no)) return null;
  const checkpoints = artifacts["checkpoints.json"].map(
    (checkpoint): Checkpoint => ({
      ...checkpoint,
      window_roots: checkpoint.window_roots.map(ranged),
      to_seq_no: moved(checkpoint.to_seq_no),
    }),
  );
  const isHere = (id: string) => records.some(({ stream_event_id }) => stream_event_id === id);
  const provenance = renumbered(artifacts["provenance.json"], records);
  const counted = manifest.provenance_event_count === undefined ? {} : { provenance_event_count: records.length };
  const { contents } = bundle;
  return {
    ...bundle,
    manifest: { ...manifest, to_seq_no: moved(manifest.to_seq_no), ...counted },
    payloads: Object.fromEntries(Object.entries(payloads).filter(([id]) => isHere(id))),
    ...(contents && { contents: Object.fromEntries(Object.entries(contents).filter(([id]) => isHere(id))) }),
    artifacts: {
      ...artifacts,
      ...(provenance && { "provenance.json": provenance }),
      "receipts.json": [...records],
      "windows.json": windows,
      "checkpoints.json": checkpoints,
    },
  };
}

/** Returns the provenance part with one envelope for each record, each vault's numbered in a row. */
function renumbered(
  artifact: ProvenanceArtifact | undefined,
  records: readonly ReceiptRecord[],
): ProvenanceArtifact | undefined {
  if (artifact === undefined) return undefined;
  const newest = new Map<string, number>();
  const envelopes = records.flatMap(({ seq_no, source_ref }): RecordedEnvelope[] => {
    const one = artifact.envelopes.find(({ envelope }) => envelope.sourceRef === source_ref);
    if (one === undefined) return [];
    const { installationId, vaultSeq } = one.envelope;
    const before = newest.get(installationId);
    const own = before === undefined ? (seq_no === 1 ? 1 : vaultSeq) : before + 1;
    newest.set(installationId, own);
    const first = own === 1 ? { previousEnvelopeHash: ZERO_HASH } : {};
    return [{ ...one, seq_no, envelope: { ...one.envelope, vaultSeq: own, ...first } }];
  });
  return { ...artifact, envelopes };
}
