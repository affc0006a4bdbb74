/**
 * Compares files that were verified together: two histories of one stream may each hold by themselves. Both of a pair
 * that contradict each other are read again, to make proof that convinces others (protocol section 11).
 */
import {
  type Compared,
  type Contradiction,
  contradictions,
  decode,
  type ForkEvidence,
  findFork,
  type Json,
  type Kernel,
  randomId,
  type TrustPolicy,
  type VerifyOptions,
} from "@svc/core";
import { isStandardInput, readInput } from "../../input.ts";
import type { Checked } from "./check.ts";

const NOTHING: Compared = { histories: [], kids: [], reached: false };
/** Proof is made of so many pairs of files: the makers of the files decide how many there are. */
const MOST_PROOFS = 10;

/** Two files that contradict each other; or one file, whose evidence shows a fork. */
export interface Fork extends Partial<Pick<Contradiction, "place">> {
  readonly stream_id: string | null;
  readonly files: readonly string[];
  /** More files that contradict the first one. */
  readonly more: readonly string[];
  /** Portable proof; null if none can be made of the two alone. */
  readonly proof: ForkEvidence | null;
  /** Whether trust reaches everybody who sealed it. */
  readonly reached: boolean;
  /** Those of the two of which not every signature was checked: proof of them convinces nobody. */
  readonly unchecked: readonly string[];
}

/** Resolves to the forks that files show: first what pairs of them show, then what fork evidence among them proves. */
export async function forksAmong(
  kernel: Kernel,
  all: readonly Checked[],
  { trust }: Pick<VerifyOptions, "trust">,
): Promise<Fork[]> {
  const found = contradictions(all.map((one) => ("compared" in one ? one.compared : NOTHING)));
  const forks: Fork[] = [];
  for (const [number, group] of grouped(found).entries()) {
    const [first] = group;
    if (first === undefined) continue;
    const files = [first.left, first.right].map((index) => all[index]?.file ?? "");
    const more = group.slice(1).map(({ right }) => all[right]?.file ?? "");
    const { stream_id, place, reached } = first;
    const unchecked = reached ? [] : [first.left, first.right].flatMap((index) => unsigned(all[index]));
    forks.push({
      stream_id,
      files,
      more,
      place,
      reached,
      unchecked,
      proof: number < MOST_PROOFS && unchecked.length === 0 ? await proofOf(kernel, files, trust) : null,
    });
  }
  return [...forks, ...all.flatMap(provenBy)];
}

/** Returns the name of a file whose signatures were not all checked; nothing for another. */
function unsigned(one: Checked | undefined): string[] {
  return one !== undefined && "signed" in one && !one.signed ? [one.file] : [];
}

/** Groups contradictions by their first object: one proof is enough for all of them. */
function grouped(found: readonly Contradiction[]): Contradiction[][] {
  const groups = new Map<string, Contradiction[]>();
  for (const one of found) {
    const key = `${one.reached} ${one.stream_id} ${one.left}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

/** Says whether a file is verified evidence of a fork: a good verdict that is bad news. */
export function isProvenFork(one: Checked): boolean {
  return one.verdict === "verified" && one.kind === "fork";
}

function provenBy(one: Checked): Fork[] {
  if (!isProvenFork(one) || !("streamId" in one)) return [];
  return [{ stream_id: one.streamId, files: [one.file], more: [], unchecked: [], proof: null, reached: true }];
}

async function proofOf(
  kernel: Kernel,
  [left = "", right = ""]: readonly string[],
  trust: TrustPolicy | Json | undefined,
): Promise<ForkEvidence | null> {
  const [a, b] = [await sideOf(kernel, left), await sideOf(kernel, right)];
  if (a === null || b === null) return null;
  const now = {
    fork_id: randomId("frk", Date.now(), crypto.getRandomValues(new Uint8Array(16))),
    detected_at: new Date().toISOString(),
  };
  return findFork(a, b, { ...now, kernel, ...(trust === undefined ? {} : { trust }) });
}

/** Resolves to the object in a file; null for standard input, a package, and a file that has changed. */
async function sideOf(kernel: Kernel, file: string): Promise<Json | null> {
  if (isStandardInput(file)) return null;
  try {
    const decoded = decode(kernel, await readInput(file));
    return decoded.ok ? decoded.value : null;
  } catch {
    return null;
  }
}

/** Returns the line about a fork for programs, which comes behind those of the files. */
export function forkLine({ stream_id, files, more, place, proof, reached }: Fork): Json {
  return {
    fork_detected: true,
    stream_id,
    files: [...files, ...more],
    reached,
    ...(place === undefined ? {} : { place, proof: proof as unknown as Json }),
  };
}
