/** The events that a package was asked for. */
import { addTo } from "../../grouping.ts";
import type { PackageRange } from "./schema.ts";

/**
 * The ranges of a manifest, by stream (protocol section 15). They ascend and do not overlap, which nothing here checks.
 *
 * @example
 * const asked = new AskedEvents([{ stream_id: receipt.stream_id, from_seq_no: 1, to_seq_no: 2 }]);
 * console.log(asked.has(receipt.stream_id, 2), asked.has(receipt.stream_id, 3)); // true false
 */
export class AskedEvents {
  readonly #ranges = new Map<string, PackageRange[]>();

  constructor(ranges: readonly PackageRange[]) {
    for (const range of ranges) addTo(this.#ranges, range.stream_id, range);
  }

  /** The streams in their order, each with its ranges. */
  get streams(): Iterable<readonly [string, readonly PackageRange[]]> {
    return this.#ranges;
  }

  /**
   * Says whether a range names this event, or all events up to `last`, by a binary search: a package may have many
   * ranges, and bundles many events.
   */
  has(streamId: string, seqNo: number, last = seqNo): boolean {
    const ranges = this.#ranges.get(streamId) ?? [];
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle] as PackageRange).to_seq_no < seqNo) low = middle + 1;
      else high = middle;
    }
    const range = ranges[low];
    return range !== undefined && range.from_seq_no <= seqNo && range.to_seq_no >= last;
  }

  /** Says whether a stream was asked for. */
  hasStream(streamId: string): boolean {
    return this.#ranges.has(streamId);
  }
}
