/**
 * Decides whether bundles of one stream are in a row: no gap between them, the same windows and checkpoints where
 * they overlap, and each tree grown out of the one before (protocol sections 9 and 14). It compares bundles and
 * verifies none: verify each first, under one trust policy. It is apart from core's main entry, so that verifiers that
 * do not need it stay small.
 */
import { encodeHex, hexToBytes } from "./encoding/hex.ts";
import type { Kernel, NodeHash } from "./kernel/kernel.ts";
import type { Bundle } from "./objects/bundle/schema.ts";
import { type Checkpoint, checkpointHash } from "./objects/checkpoint.ts";
import { windowHash } from "./objects/window.ts";
import type { ProblemCode } from "./report/codes.ts";
import type { HashHex } from "./schema/atoms.ts";

/** The parts of a bundle that decide about its place in a row. They are small; the bundle need not be kept. */
export interface BundleLink {
  readonly bundle_id: string;
  readonly stream_id: string;
  readonly origin: string;
  readonly policy_id: string;
  readonly from_seq_no: number;
  readonly to_seq_no: number;
  /** The number of the first window, from 1. */
  readonly first_window: number;
  readonly last_window: number;
  /** The frontier of the checkpoint tree before the first window. */
  readonly prior_frontier: readonly HashHex[];
  /** The window hashes, in order. */
  readonly windows: readonly HashHex[];
  readonly checkpoints: readonly LinkedCheckpoint[];
  /** `previous_event_hash` of the first event, and `event_hash` of the last. */
  readonly previous_event_hash: HashHex;
  readonly last_event_hash: HashHex;
}

/** A checkpoint of a link. */
export interface LinkedCheckpoint {
  readonly checkpoint_no: number;
  readonly hash: HashHex;
  readonly previous_checkpoint_hash: HashHex;
}

/** A place where two bundles that follow each other do not fit; `earlier` and `later` are indexes into `links`. */
export interface ContinuityBreak {
  readonly code: Extract<
    ProblemCode,
    | "stream_mismatch"
    | "origin_changed"
    | "policy_changed"
    | "range_incomplete"
    | "fork_detected"
    | "previous_checkpoint_mismatch"
    | "previous_hash_mismatch"
    | "sequence_broken"
  >;
  readonly earlier: number;
  readonly later: number;
  /** A sentence: the fault, and its window, checkpoint or event. */
  readonly message: string;
}

/** The result for a row of bundles. */
export interface Continuity {
  /** No break: all windows from the first bundle's first to the last one's last are there, in one history. */
  readonly continuous: boolean;
  /** The links in the order of their windows. */
  readonly links: readonly BundleLink[];
  readonly breaks: readonly ContinuityBreak[];
}

/**
 * Returns the link of a bundle that has been verified. Throws RangeError for a bundle without a window, an event or a
 * checkpoint.
 */
export function linkOf(kernel: Kernel, { manifest, artifacts }: Bundle): BundleLink {
  const records = artifacts["receipts.json"];
  const [first] = records;
  const last = records.at(-1);
  const newest = artifacts["checkpoints.json"].at(-1);
  const { window_count, frontier } = manifest.prior_windows;
  const windows = artifacts["windows.json"].map((window) => windowHash(kernel, window));
  if (first === undefined || last === undefined || newest === undefined || windows.length === 0)
    throw new RangeError("a bundle in a row holds an event, a window and a checkpoint");
  return {
    bundle_id: manifest.bundle_id,
    stream_id: manifest.stream_id,
    origin: newest.origin,
    policy_id: newest.policy_id,
    from_seq_no: manifest.from_seq_no,
    to_seq_no: manifest.to_seq_no,
    first_window: window_count + 1,
    last_window: window_count + windows.length,
    prior_frontier: frontier,
    windows,
    checkpoints: artifacts["checkpoints.json"].map((checkpoint) => linkedCheckpoint(kernel, checkpoint)),
    previous_event_hash: first.previous_event_hash,
    last_event_hash: last.event_hash,
  };
}

/**
 * Examines links, which may come in any order. Codes of breaks: `stream_mismatch`; `range_incomplete`, a gap;
 * `fork_detected`, two histories; `origin_changed`, `policy_changed`, `previous_checkpoint_mismatch`,
 * `previous_hash_mismatch`, `sequence_broken` as in protocol section 16. It does not compare policy versions and times.
 * Throws RangeError for no link.
 */
export function examineContinuity(kernel: Kernel, given: readonly BundleLink[]): Continuity {
  const links = [...given].sort((a, b) => a.first_window - b.first_window || a.last_window - b.last_window);
  const [first] = links;
  if (first === undefined) throw new RangeError("a row holds at least one bundle");
  const breaks: ContinuityBreak[] = [];
  let row = new Row(first, 0);
  for (const [later, link] of links.entries()) {
    if (later === 0) continue;
    const found = row.breaksWith(kernel, link);
    for (const [code, message] of found) breaks.push({ code, earlier: row.newest, later, message });
    // After a break the later bundle is the measure for the rest: one cause is reported once.
    if (found.length === 0) row.append(link, later);
    else row = new Row(link, later);
  }
  return { continuous: breaks.length === 0, links, breaks };
}

type Found = readonly [ContinuityBreak["code"], string];

/** Bundles that fit, as one: everything from the first one's start to the furthest end. */
class Row {
  readonly #start: BundleLink;
  readonly #windows: HashHex[];
  readonly #checkpoints: Map<number, LinkedCheckpoint>;
  #end: BundleLink;
  /** The index of the bundle that reaches furthest. */
  newest: number;

  constructor(link: BundleLink, place: number) {
    this.#start = link;
    this.#end = link;
    this.#windows = [...link.windows];
    this.#checkpoints = new Map(link.checkpoints.map((checkpoint) => [checkpoint.checkpoint_no, checkpoint]));
    this.newest = place;
  }

  /** Adds a link that fits. */
  append(link: BundleLink, place: number): void {
    for (const window of link.windows.slice(this.#end.last_window - link.first_window + 1)) this.#windows.push(window);
    for (const checkpoint of link.checkpoints) this.#checkpoints.set(checkpoint.checkpoint_no, checkpoint);
    if (link.last_window <= this.#end.last_window) return;
    this.#end = link;
    this.newest = place;
  }

  /** Returns the reasons why a link, which starts at or after the row's start, does not fit; empty if it fits. */
  breaksWith(kernel: Kernel, link: BundleLink): Found[] {
    const end = this.#end;
    if (link.stream_id !== end.stream_id)
      return [["stream_mismatch", `${link.bundle_id} is of the stream ${link.stream_id}, not of ${end.stream_id}.`]];
    if (link.origin !== end.origin)
      return [["origin_changed", `The origin changes from ${end.origin} to ${link.origin}.`]];
    if (link.policy_id !== end.policy_id)
      return [["policy_changed", `The policy changes from ${end.policy_id} to ${link.policy_id}.`]];
    if (link.first_window > end.last_window + 1) return [["range_incomplete", this.#gapBefore(link)]];
    const fork = this.#forkWith(kernel, link);
    if (fork !== null) return [["fork_detected", fork]];
    return [...this.#eventBreak(link), ...this.#checkpointBreak(link)];
  }

  #gapBefore({ first_window, from_seq_no }: BundleLink): string {
    const windows = between("window", this.#end.last_window + 1, first_window - 1);
    const events = between("event", this.#end.to_seq_no + 1, from_seq_no - 1);
    return `A gap: ${windows}, ${events}, are in no bundle.`;
  }

  /** Compares the windows first, which tell where the histories part; then the tree before them, if they are equal. */
  #forkWith(kernel: Kernel, link: BundleLink): string | null {
    const { windows, first_window } = link;
    const offset = first_window - this.#start.first_window;
    for (const [index, window] of windows.entries()) {
      const own = this.#windows[offset + index];
      if (own === undefined) break;
      if (own !== window) return `Window ${first_window + index} is another one in each: two histories of one stream.`;
    }
    const own = frontierAt(kernel, this.#start, this.#windows.slice(0, offset));
    if (own.join() !== link.prior_frontier.join())
      return (
        `The tree before window ${first_window} does not hold the windows that came before: two histories of one ` +
        `stream.`
      );
    for (const { checkpoint_no, hash } of link.checkpoints) {
      const known = this.#checkpoints.get(checkpoint_no);
      if (known !== undefined && known.hash !== hash)
        return `Checkpoint ${checkpoint_no} is another one in each: two histories of one stream.`;
    }
    return null;
  }

  /** If the windows overlap they are equal, and so are the events in them. */
  #eventBreak(link: BundleLink): Found[] {
    const end = this.#end;
    if (link.first_window !== end.last_window + 1) return [];
    const { from_seq_no } = link;
    const due = end.to_seq_no + 1;
    if (from_seq_no > due)
      return [["range_incomplete", `A gap: ${between("event", due, from_seq_no - 1)} are in no window.`]];
    if (from_seq_no < due) return [["sequence_broken", `Event ${from_seq_no} is in two windows.`]];
    if (link.previous_event_hash === end.last_event_hash) return [];
    return [["previous_hash_mismatch", `Event ${from_seq_no} does not chain to event ${end.to_seq_no}.`]];
  }

  #checkpointBreak({ checkpoints }: BundleLink): Found[] {
    const next = checkpoints.find(({ checkpoint_no }) => !this.#checkpoints.has(checkpoint_no));
    if (next === undefined) return [];
    const { checkpoint_no, previous_checkpoint_hash } = next;
    if (this.#checkpoints.get(checkpoint_no - 1)?.hash === previous_checkpoint_hash) return [];
    return [["previous_checkpoint_mismatch", `Checkpoint ${checkpoint_no} does not follow the checkpoint before it.`]];
  }
}

function frontierAt(kernel: Kernel, start: BundleLink, windows: readonly HashHex[]): string[] {
  const prior: NodeHash[] = start.prior_frontier.map(hexToBytes);
  const leaves = windows.map((hash) => kernel.leafHash(hexToBytes(hash)));
  return kernel.appendToFrontier(start.first_window - 1, prior, leaves).map(encodeHex);
}

function linkedCheckpoint(kernel: Kernel, checkpoint: Checkpoint): LinkedCheckpoint {
  const { checkpoint_no, previous_checkpoint_hash } = checkpoint;
  return { checkpoint_no, hash: checkpointHash(kernel, checkpoint), previous_checkpoint_hash };
}

function between(what: string, from: number, to: number): string {
  return from === to ? `${what} ${from}` : `${what}s ${from} to ${to}`;
}
