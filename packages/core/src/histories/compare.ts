/**
 * Compares what many objects show of the history of a stream. Each hash commits to all before it: so two runs of events
 * that are the same at the last place that both show are the same before it, and one comparison is enough for them.
 */
import { addTo } from "../grouping.ts";
import { type EventRun, historiesOf, type ShownHistory } from "../report/histories.ts";
import type { Report } from "../report/report.ts";

/** Where two histories differ: at an event, at a window, or at the tree of so many windows. */
export type HistoryPlace =
  | { readonly seq_no: number }
  | { readonly window_no: number }
  | { readonly window_count: number };

/** One object as it is compared. It is plain data, so that a thread can send it to another. */
export interface Compared {
  readonly histories: readonly ShownHistory[];
  /** The keys that sealed something of them; where trust reaches all of these, those too that endorse them. */
  readonly kids: readonly string[];
  /** Whether the trust of the verifier reaches all of these keys. */
  readonly reached: boolean;
}

/** They seal nothing of a stream's history. */
const OTHERS: readonly string[] = ["vault", "witness"];

/**
 * Returns the part of an object by which it is compared. `report`: as a function of this library returned it, and no
 * copy. A rejected object shows nothing, and so does a kind without a stream.
 *
 * @example
 * const report = verify(pack, { trust });
 * console.log(comparedOf(report).histories.length); // 1
 */
export function comparedOf(report: Report): Compared {
  const histories = historiesOf(report);
  if (histories.length === 0) return NOTHING;
  const own = report.signers.filter(({ role }) => !OTHERS.includes(role));
  const reached = own.every(({ reached }) => reached !== "none");
  const kids = new Set<string>(own.map(({ kid }) => kid));
  // An endorsement alone is anybody's word, so that a stranger's object would be taken for the service's.
  if (reached) addEndorsing(kids, histories);
  return { histories, kids: [...kids], reached };
}

/** Adds each key that endorses one of these, and those that endorse it. */
function addEndorsing(kids: Set<string>, histories: readonly ShownHistory[]): void {
  const endorsing = new Map<string, string[]>();
  for (const { endorsed } of histories) for (const [by, kid] of endorsed) addTo(endorsing, kid, by);
  // A set that grows while it is gone through is gone through to its end.
  for (const kid of kids) for (const by of endorsing.get(kid) ?? []) kids.add(by);
}

const NOTHING: Compared = { histories: [], kids: [], reached: false };

/** Two objects that cannot both be of one history. */
export interface Contradiction {
  readonly stream_id: string;
  /** The places of the two in the list that was compared. */
  readonly left: number;
  readonly right: number;
  /** The earliest place that shows it; events are looked at before windows, and windows before trees. */
  readonly place: HistoryPlace;
  /** Whether the trust of the verifier reaches everybody who sealed the two histories. */
  readonly reached: boolean;
}

const HASH_CHARACTERS = 64;

/** A run of events, and the object that shows it. */
interface Run extends EventRun {
  readonly to: number;
  readonly index: number;
}

/** One stream as an object shows it. */
type Shown = readonly [index: number, history: ShownHistory];

/**
 * Returns contradictions between objects that hold by themselves: for each one that contradicts an earlier one of the
 * same stream under the same keys, one. Keys are the same if an object has signatures of both, or if trust reaches them
 * and one endorses the other, so a stranger's object contradicts nobody. `objects`: what `comparedOf` returns. It takes
 * time that is linear in what is shown, but for sorting. To find none is no proof of one history: a contradiction can
 * lie in what no object shows.
 *
 * @example
 * const reports = verifyAll([{ bytes: pack }, { bytes: pack }], { trust });
 * console.log(contradictions(reports.map(comparedOf)).length); // 0
 */
export function contradictions(objects: readonly Compared[]): Contradiction[] {
  const streams = new Map<string, Shown[]>();
  for (const [index, { histories, reached }] of objects.entries())
    for (const history of histories) addTo(streams, `${reached} ${history.stream_id}`, [index, history] as const);
  return [...streams].flatMap(([key, shown]) => {
    if (shown.length < 2) return [];
    const kidsOf = ([index]: Shown) => objects[index]?.kids ?? [];
    return bySigner(shown, kidsOf).flatMap((group) => inStream(group, key.startsWith("true")));
  });
}

/** Divides what is shown into groups that share no key. */
function bySigner(shown: readonly Shown[], kidsOf: (one: Shown) => readonly string[]): Shown[][] {
  // Leads from a key to another one of its group, and from the last of them nowhere. Each search halves its way.
  const next = new Map<string, string>();
  const lastOf = (kid: string) => {
    let last = kid;
    for (let onward = next.get(last); onward !== undefined; onward = next.get(last)) {
      const further = next.get(onward);
      if (further !== undefined) next.set(last, further);
      last = onward;
    }
    return last;
  };
  for (const one of shown) {
    const [first = "", ...more] = new Set(kidsOf(one).map(lastOf));
    for (const kid of more) next.set(kid, first);
  }
  const groups = new Map<string, Shown[]>();
  for (const one of shown) {
    const [kid] = kidsOf(one);
    if (kid !== undefined) addTo(groups, lastOf(kid), one);
  }
  return [...groups.values()];
}

function inStream(shown: readonly Shown[], reached: boolean): Contradiction[] {
  const found = new Map<number, Contradiction>();
  const stream_id = shown[0]?.[1].stream_id ?? "";
  const note = (one: number, other: number, place: HistoryPlace) => {
    const [left, right] = [Math.min(one, other), Math.max(one, other)];
    // Places come in order, so the first is kept.
    if (left !== right && !found.has(right)) found.set(right, { stream_id, left, right, place, reached });
  };
  for (const [one, other, seq_no] of differingEvents(shown)) note(one, other, { seq_no });
  for (const [one, other, window_no] of differing(shown, ({ windows }) => windows)) note(one, other, { window_no });
  for (const [one, other, window_count] of differing(shown, ({ roots }) => roots)) note(one, other, { window_count });
  return [...found.values()].sort((a, b) => a.right - b.right);
}

type Difference = readonly [one: number, other: number, at: number];

function differing(
  shown: readonly Shown[],
  hashesOf: (history: ShownHistory) => ReadonlyMap<number, string> | null,
): Difference[] {
  const known = new Map<number, readonly [hash: string, index: number]>();
  const found: Difference[] = [];
  for (const [index, history] of shown) {
    for (const [at, hash] of hashesOf(history) ?? []) {
      const before = known.get(at);
      if (before === undefined) known.set(at, [hash, index]);
      else if (before[0] !== hash) found.push([before[1], index, at]);
    }
  }
  return found.sort(([, , a], [, , b]) => a - b);
}

function differingEvents(shown: readonly Shown[]): Difference[] {
  const runs = shown
    .flatMap(([index, { events }]): Run[] =>
      events === null ? [] : [{ ...events, to: events.from + events.hashes.length / HASH_CHARACTERS - 1, index }],
    )
    // The longest of those that begin together comes first, so that it covers the others.
    .sort((a, b) => a.from - b.from || b.to - a.to || a.index - b.index);
  const found: Difference[] = [];
  // The run that reaches furthest so far.
  let furthest: Run | null = null;
  for (const run of runs) {
    const last = furthest === null ? 0 : Math.min(furthest.to, run.to);
    if (furthest !== null && last >= run.from && !isSame(furthest, run, last))
      found.push([furthest.index, run.index, firstDifference(furthest, run, last)]);
    else if (furthest === null || run.to > furthest.to) furthest = run;
  }
  return found.sort(([, , a], [, , b]) => a - b);
}

function isSame(one: Run, other: Run, seqNo: number): boolean {
  return hashAt(one, seqNo) === hashAt(other, seqNo);
}

function hashAt({ from, hashes }: Run, seqNo: number): string {
  return hashes.slice(HASH_CHARACTERS * (seqNo - from), HASH_CHARACTERS * (seqNo - from + 1));
}

/** Returns the first event that both show and that differs; the one at `last` does. */
function firstDifference(one: Run, other: Run, last: number): number {
  let [same, different] = [Math.max(one.from, other.from) - 1, last];
  while (different - same > 1) {
    const middle = Math.floor((same + different) / 2);
    if (isSame(one, other, middle)) same = middle;
    else different = middle;
  }
  return different;
}
