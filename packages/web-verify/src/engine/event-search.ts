/** Finds events of a file by text, by type, and by their faults. */
import type { Report } from "@svc/core";
import { type Contents, isDistrust } from "@svc/report";
import type { EventFilter } from "./messages.ts";

/** A type as the protocol allows it. A rejected file can have any text as a type, which the text search finds. */
const EVENT_TYPE = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/;
/** How many problems are looked up among the events. */
const LOOKED_UP = 10_000;

/** A search in the events of one file; it starts with all of them. */
export class EventSearch {
  readonly contents: Contents;
  readonly #broken: ReadonlySet<number>;
  /** The indexes that pass the filter; null for all. */
  #found: Uint32Array | null = null;

  constructor(contents: Contents, { problems }: Report) {
    this.contents = contents;
    // A problem of trust is no fault.
    const wrong = problems.filter((problem) => !isDistrust(problem)).slice(0, LOOKED_UP);
    const places = wrong.map(({ path }) => contents.eventAt(path));
    this.#broken = new Set(places.filter((place) => place !== null));
  }

  /** The number of events in the file. */
  get count(): number {
    return this.contents.count;
  }

  isBroken(index: number): boolean {
    return this.#broken.has(index);
  }

  /** Filters, and returns how many events pass. */
  apply({ text, type, onlyBroken }: EventFilter): number {
    const wanted = text.trim().toLowerCase();
    if (wanted === "" && type === "" && !onlyBroken) {
      this.#found = null;
      return this.count;
    }
    // A number matches as the table shows it, or without its commas.
    const number = wanted.replaceAll(",", "");
    const places = onlyBroken
      ? [...this.#broken].sort((a, b) => a - b)
      : Array.from({ length: this.count }, (_, at) => at);
    this.#found = Uint32Array.from(
      places.filter((at) => {
        const { seqNo, id, eventType, sourceRef } = this.contents.row(at);
        if (type !== "" && eventType !== type) return false;
        return (
          wanted === "" ||
          `${seqNo}` === number ||
          [eventType, sourceRef, id].some((each) => each.toLowerCase().includes(wanted))
        );
      }),
    );
    return this.#found.length;
  }

  /** Returns the indexes of some of the events that pass. */
  places(from: number, count: number): number[] {
    const all = this.#found;
    const length = all === null ? this.count : all.length;
    const end = Math.min(length, from + count);
    return Array.from({ length: Math.max(0, end - from) }, (_, at) => all?.[from + at] ?? from + at);
  }

  /** Returns the first types of events, at most as many as asked for. */
  types(most: number): string[] {
    const types = new Set<string>();
    for (let at = 0; at < Math.min(this.count, 10_000) && types.size < most; at++) {
      const { eventType } = this.contents.row(at);
      if (EVENT_TYPE.test(eventType)) types.add(eventType);
    }
    return [...types].sort();
  }
}
