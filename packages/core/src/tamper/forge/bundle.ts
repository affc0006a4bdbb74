/** Makes a whole bundle consistent again, from its events up to its manifest (protocol section 14). */
import { artifactHash } from "../../objects/bundle/issue.ts";
import type { Bundle, Manifest } from "../../objects/bundle/schema.ts";
import { type Checkpoint, checkpointHash } from "../../objects/checkpoint.ts";
import type { RedactedRecord } from "../../objects/receipt.ts";
import type { Window } from "../../objects/window.ts";
import { coveringAgain } from "./anchors.ts";
import { checkpointAgain, endingWith, listingOf, treesAfter } from "./checkpoints.ts";
import { type Forger, sealAgain } from "./forger.ts";
import { runAgain } from "./records.ts";
import { partAgain } from "./vaults.ts";
import { windowOver } from "./windows.ts";
import { policiesAgain, type RenamedDigests, statementsAgain } from "./witnesses.ts";

/** Returns a bundle in the place of the good one. */
export function bundleAgain(forger: Forger, good: Bundle, edited: Bundle): Bundle {
  const { manifest, artifacts, payloads = {} } = edited;
  const { witnesses, renamed } = policiesAgain(forger, good.artifacts["witnesses.json"], artifacts["witnesses.json"]);
  const part = partAgain(forger, edited);
  const recorded = new Map(part?.artifact.envelopes.map((one) => [one.seq_no, one]));
  const records = runAgain(forger, artifacts["receipts.json"], ({ stream_event_id, seq_no }) => {
    const one = recorded.get(seq_no);
    if (one !== undefined) return { payload: one.envelope, payload_salt: one.payload_salt };
    return Object.hasOwn(payloads, stream_event_id) ? (payloads[stream_event_id] ?? null) : null;
  });
  const windows = artifacts["windows.json"].map((window) =>
    windowOver(
      forger,
      renamed(window),
      recordsOf(window, records).map(({ event_hash }) => event_hash),
    ),
  );
  const before = good.artifacts["checkpoints.json"];
  const checkpoints = checkpointsAgain(forger, edited, records, windows, renamed);
  const again = {
    ...artifacts,
    "receipts.json": records,
    "windows.json": windows,
    "checkpoints.json": checkpoints,
    "witnesses.json": { ...witnesses, statements: statementsAgain(forger, witnesses, before, checkpoints) },
    "anchors.json": artifacts["anchors.json"].map((anchor, index) =>
      coveringAgain(forger, good.artifacts["anchors.json"][index] ?? anchor, anchor, before, checkpoints),
    ),
    ...(part === null ? {} : { "provenance.json": part.artifact }),
  };
  const hashes = Object.entries(again).map(([name, artifact]) => [name, artifactHash(forger.kernel, artifact)]);
  const named: Manifest = {
    ...manifest,
    artifact_hashes: Object.fromEntries(hashes) as Manifest["artifact_hashes"],
    ...part?.members(records, manifest),
  };
  return { ...edited, manifest: named, artifacts: again, seal: sealAgain(forger, "bundle", named, edited.seal) };
}

function recordsOf(window: Window, records: readonly RedactedRecord[]): RedactedRecord[] {
  return records.filter(({ seq_no }) => seq_no >= window.from_seq_no && seq_no <= window.to_seq_no);
}

function checkpointsAgain(
  forger: Forger,
  { manifest, artifacts }: Bundle,
  records: readonly RedactedRecord[],
  windows: readonly Window[],
  renamed: RenamedDigests,
): Checkpoint[] {
  const prior = manifest.prior_windows;
  const trees = treesAfter(forger, prior, windows);
  let previous: Checkpoint | null = null;
  return artifacts["checkpoints.json"].map((checkpoint) => {
    const { window_count } = checkpoint;
    const shown = (windowNo: number) => windows[windowNo - prior.window_count - 1];
    const last = shown(window_count);
    const latest = last === undefined ? undefined : recordsOf(last, records).at(-1)?.event_hash;
    const ended = last === undefined ? renamed(checkpoint) : endingWith(checkpoint, last, latest);
    const before = trees.get((checkpoint.window_roots[0]?.window_no ?? 1) - 1)?.frontier;
    const again: Checkpoint = checkpointAgain(forger, {
      ...ended,
      window_roots: checkpoint.window_roots.map((listed) => {
        const window = shown(listed.window_no);
        return window === undefined ? listed : listingOf(forger, window);
      }),
      checkpoint_root: trees.get(window_count)?.root ?? checkpoint.checkpoint_root,
      ...(checkpoint.frontier === undefined || before === undefined ? {} : { frontier: [...before] }),
      previous_checkpoint_hash:
        previous === null ? checkpoint.previous_checkpoint_hash : checkpointHash(forger.kernel, previous),
    });
    previous = again;
    return again;
  });
}
