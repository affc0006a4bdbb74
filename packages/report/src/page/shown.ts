/** The inputs of a page about one file. */
import type { Report } from "@svc/core";
import type { Contents } from "../contents.ts";
import type { Reader } from "../signers.ts";

export interface Shown extends Reader {
  /** Not escaped: the page escapes it. */
  readonly report: Report;
  /** The bytes that were verified. */
  readonly bytes: Uint8Array;
  /** Null if nothing can be read from the file. */
  readonly contents: Contents | null;
  readonly file: { readonly name: string; readonly bytes: number; readonly sha256Hex: string };
  /** The words about a fork that this file and another show, where trust reaches it; escaped. */
  readonly fork?: string;
  /** The time of the check by the checker's clock, as ISO 8601, and how long it took. */
  readonly checked: { readonly at: string; readonly seconds: number };
}
