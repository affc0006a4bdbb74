/** The histories that the object of a report shows. They are beside the report, whose members the protocol names. */
import type { HashHex } from "../schema/atoms.ts";
import type { Report } from "./report.ts";

/** Event hashes of consecutive events. */
export interface EventRun {
  /** The sequence number of the first. */
  readonly from: number;
  /** 64 lowercase hex characters for each: a text takes less room than bytes where there is one, as in most files. */
  readonly hashes: string;
}

/** A key that names another one as its successor, by an endorsement that holds. */
export type Endorsed = readonly [by: string, kid: string];

/** The history of one stream as an object shows it. It is plain data, so that a thread can send it to another. */
export interface ShownHistory {
  readonly stream_id: string;
  /** Null where it shows no event. */
  readonly events: EventRun | null;
  /** Hashes of windows, by number; null where it shows none. */
  readonly windows: ReadonlyMap<number, HashHex> | null;
  /** Roots of the tree of windows, by the number of windows in it; null where it shows none. */
  readonly roots: ReadonlyMap<number, HashHex> | null;
  /** The endorsements of keys that came with it. */
  readonly endorsed: readonly Endorsed[];
}

const SHOWN = new WeakMap<Report, readonly ShownHistory[]>();

/** Notes what the object of a report shows. */
export function noteHistories(report: Report, histories: readonly ShownHistory[]): void {
  SHOWN.set(report, histories);
}

/** Returns what the object of a report shows; nothing for a rejected one, and for a copy of a report. */
export function historiesOf(report: Report): readonly ShownHistory[] {
  return SHOWN.get(report) ?? [];
}
