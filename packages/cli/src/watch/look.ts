/**
 * One look at a stream: verifies the newest checkpoint that a service shows under the watcher's own pins, and that it
 * extends the last one remembered (protocol sections 9 and 11). A contradiction becomes evidence that convinces others.
 */
import {
  type Checkpoint,
  type Consistency,
  checkpointHash,
  type ForkEvidence,
  findFork,
  type Json,
  type Kernel,
  type Report,
  randomId,
  type TrustPolicy,
  verify,
} from "@svc/core";
import { Refusal } from "../exit.ts";
import type { WatchedService } from "./service.ts";

/** How long the list of checkpoints is searched: what is wrong without it must be said at some time. */
const SEARCH_MS = 600_000;

/** The result of a look. */
export type Looked =
  /** The service shows no checkpoint, and none was seen before. */
  | { readonly found: "nothing" }
  /** A first checkpoint, the remembered one, or one that extends it. */
  | { readonly found: "first" | "same" | "grown"; readonly checkpoint: Checkpoint }
  /** Something that is no evidence by itself, and that a service in order does not do. */
  | { readonly found: "shrunk" | "not linked"; readonly words: string }
  /** The service shows something that does not hold, or that is sealed by a key that the watcher does not trust. */
  | { readonly found: "rejected" | "untrusted"; readonly report: Report }
  /** Proof that the service told two histories. */
  | { readonly found: "fork"; readonly fork: ForkEvidence };

/**
 * The watcher: the keys that it trusts, without demands on files, and the checkpoints that it remembers, ascending; the
 * last one is the newest.
 */
export interface Watcher {
  readonly kernel: Kernel;
  readonly trust: TrustPolicy;
  readonly remembered: readonly Checkpoint[];
}

/** Looks once. Rejects with Refusal for an invalid answer. */
export async function look(service: WatchedService, watcher: Watcher): Promise<Looked> {
  const { kernel } = watcher;
  const remembered = watcher.remembered.at(-1);
  const id = await service.newestCheckpointId();
  if (id === null)
    return remembered === undefined
      ? { found: "nothing" }
      : shrunk(remembered, "The service shows no checkpoint of the stream any more.");
  const shown = await service.checkpoint(id);
  if (shown === null)
    return { found: "not linked", words: `The service names a checkpoint and does not show it: ${id}.` };
  const report = verify(shown.bytes, { kind: "checkpoint", kernel, trust: expecting(watcher.trust, service.streamId) });
  if (report.verdict === "rejected") return { found: report.verdict, report };
  const checkpoint = shown.value as unknown as Checkpoint;
  // A lone checkpoint does not carry the endorsements by which a pinned key leads to its own.
  const carried = report.verdict === "verified" ? {} : await endorsing(service, watcher, checkpoint);
  if (carried === null) return { found: "untrusted", report };
  return compare(service, { ...watcher, carried }, checkpoint);
}

/** The keys and endorsements that relate a pinned key to that of a checkpoint; empty if it is pinned itself. */
type Carried = Pick<ForkEvidence, "key_hints" | "key_endorsements">;
type Equipped = Watcher & { readonly carried: Carried };

/**
 * Resolves to the endorsements with which the service shows that a pinned key leads to that of a checkpoint: evidence
 * that it grew out of the first one carries them. Null if they do not.
 */
async function endorsing(
  service: WatchedService,
  { kernel, trust }: Watcher,
  checkpoint: Checkpoint,
): Promise<Carried | null> {
  const { checkpoint_id: firstId } = ((await firstListed(service)) ?? {}) as { readonly checkpoint_id?: Json };
  if (typeof firstId !== "string" || firstId === checkpoint.checkpoint_id) return null;
  const said = await service.consistency(checkpoint.checkpoint_id, firstId);
  if (!said.ok) return null;
  const report = verify(said.bytes, { kind: "consistency", kernel, trust: expecting(trust, service.streamId) });
  if (report.verdict !== "verified") return null;
  const { to_checkpoint, key_hints = [], key_endorsements = [] } = said.value as unknown as Consistency;
  return checkpointHash(kernel, to_checkpoint) === checkpointHash(kernel, checkpoint)
    ? { key_hints, key_endorsements }
    : null;
}

/** Resolves to the first checkpoint of the list; null for a list that is empty or refused. */
async function firstListed(service: WatchedService): Promise<Json> {
  for await (const first of listed(service)) return first;
  return null;
}

/** Yields the list of checkpoints, and nothing more where it is refused: a refusal must not hide what is wrong. */
async function* listed(service: WatchedService): AsyncGenerator<Json> {
  try {
    yield* service.checkpoints();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Compares a checkpoint that holds with those that are remembered. */
async function compare(service: WatchedService, watcher: Equipped, checkpoint: Checkpoint): Promise<Looked> {
  const { kernel } = watcher;
  const remembered = watcher.remembered.at(-1);
  if (remembered === undefined) return { found: "first", checkpoint };
  if (checkpointHash(kernel, checkpoint) === checkpointHash(kernel, remembered)) return { found: "same", checkpoint };
  const fork = contradiction(watcher, checkpoint as unknown as Json);
  if (fork !== null) return { found: "fork", fork };
  if (checkpoint.window_count <= remembered.window_count)
    return (
      (await searchList(service, watcher, remembered)) ??
      shrunk(remembered, `The newest checkpoint that the service shows is over ${checkpoint.window_count}: an old one.`)
    );
  return extension(service, watcher, remembered, checkpoint);
}

/** Resolves to `grown` if the service proves that the later checkpoint extends the remembered one. */
async function extension(
  service: WatchedService,
  watcher: Equipped,
  remembered: Checkpoint,
  checkpoint: Checkpoint,
): Promise<Looked> {
  const { kernel, trust } = watcher;
  const said = await service.consistency(checkpoint.checkpoint_id, remembered.checkpoint_id);
  if (said.ok) {
    const { stream_id, window_count, checkpoint_root } = remembered;
    const known_checkpoints = [{ stream_id, window_count, checkpoint_root }];
    const linking = { ...expecting(trust, service.streamId), known_checkpoints };
    const report = verify(said.bytes, { kind: "consistency", kernel, trust: linking });
    if (report.verdict === "verified" && links(kernel, said.value, remembered, checkpoint))
      return { found: "grown", checkpoint };
    if (report.verdict === "untrusted") return { found: "untrusted", report };
  }
  const fork = said.ok ? contradiction(watcher, said.value) : null;
  if (fork !== null) return { found: "fork", fork };
  const listed = await searchList(service, watcher, remembered);
  const why = said.ok ? "its proof does not hold" : `it answered ${said.code}`;
  const words =
    `The service does not show that checkpoint ${checkpoint.checkpoint_no} extends the remembered checkpoint ` +
    `${remembered.checkpoint_no}: ${why}.`;
  return listed ?? { found: "not linked", words };
}

/** Says whether consistency evidence is about exactly these two checkpoints. */
function links(kernel: Kernel, value: Json, from: Checkpoint, to: Checkpoint): boolean {
  const { from_checkpoint, to_checkpoint } = value as unknown as Record<
    "from_checkpoint" | "to_checkpoint",
    Checkpoint
  >;
  const isSame = (one: Checkpoint, other: Checkpoint) => checkpointHash(kernel, one) === checkpointHash(kernel, other);
  return isSame(from_checkpoint, from) && isSame(to_checkpoint, to);
}

/**
 * Searches the list of the service's checkpoints for one that contradicts the remembered one. The one of the same
 * number does, if the histories differ there. A list that does not rise ends there: it could go on for ever.
 */
async function searchList(service: WatchedService, watcher: Equipped, remembered: Checkpoint): Promise<Looked | null> {
  const endsAt = performance.now() + SEARCH_MS;
  let before = 0;
  for await (const value of listed(service)) {
    const fork = contradiction(watcher, value);
    if (fork !== null) return { found: "fork", fork };
    const { checkpoint_no: number } = (value ?? {}) as { readonly checkpoint_no?: Json };
    if (typeof number !== "number" || !Number.isSafeInteger(number) || number <= before) return null;
    if (number >= remembered.checkpoint_no || performance.now() > endsAt) return null;
    before = number;
  }
  return null;
}

/**
 * Returns evidence that an object contradicts a remembered checkpoint, under keys that the watcher trusts; null if it
 * contradicts none.
 */
function contradiction({ kernel, trust, remembered, carried }: Equipped, shown: Json): ForkEvidence | null {
  const names = {
    fork_id: randomId("frk", Date.now(), crypto.getRandomValues(new Uint8Array(16))),
    detected_at: new Date().toISOString(),
    trust,
    kernel,
  };
  for (const one of [...remembered].reverse()) {
    const found = findFork(one as unknown as Json, shown, { ...names, kinds: ["checkpoint", "note"] });
    const fork = found === null ? null : { ...found, ...carried };
    if (fork !== null && verify(kernel.canonicalize(fork as unknown as Json), { kind: "fork", trust, kernel }).ok)
      return fork;
  }
  return null;
}

function expecting(trust: TrustPolicy, streamId: string): TrustPolicy {
  return { ...trust, expect: { stream_id: streamId } };
}

function shrunk({ checkpoint_no, window_count }: Checkpoint, words: string): Looked {
  return { found: "shrunk", words: `${words} Checkpoint ${checkpoint_no} over ${window_count} windows is remembered.` };
}
