/** Everything that a page about one file is made from. */
import type { Report, TrustPolicy } from "@svc/core";
import type { Contents } from "../contents.ts";
import type { Evidence } from "../evidence.ts";

export interface Shown {
  /** As it was made: it is escaped where it is shown. */
  readonly report: Report;
  readonly evidence: Evidence;
  /** Null where nothing can be read from the file. */
  readonly contents: Contents | null;
  /** What it was verified under; undefined where nobody is pinned. */
  readonly trust: TrustPolicy | undefined;
  /** The kids of keys that nobody but the link to the page has named. */
  readonly linkKids: readonly string[];
  readonly file: { readonly name: string; readonly bytes: number; readonly sha256Hex: string };
  /** The time by the clock of who checked it, as ISO 8601, and how long it took. */
  readonly checked: { readonly at: string; readonly seconds: number };
}
