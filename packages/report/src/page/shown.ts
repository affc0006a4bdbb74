/** Everything that a page about one file is made from. */
import type { Report } from "@svc/core";
import type { Contents } from "../contents.ts";
import type { Reader } from "../signers.ts";

export interface Shown extends Reader {
  /** As it was made: it is escaped where it is shown. */
  readonly report: Report;
  /** What was verified. */
  readonly bytes: Uint8Array;
  /** Null where nothing can be read from the file. */
  readonly contents: Contents | null;
  readonly file: { readonly name: string; readonly bytes: number; readonly sha256Hex: string };
  /** The time by the clock of who checked it, as ISO 8601, and how long it took. */
  readonly checked: { readonly at: string; readonly seconds: number };
}
