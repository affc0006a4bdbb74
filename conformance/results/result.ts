/** The result of a run of the kit, in the members that the page shows (docs/conformance.md). The runner writes it. */

/** The counts of one level. Level 0 is the handshake. */
export interface LevelResult {
  readonly level: number;
  readonly passed: number;
  readonly failed: number;
  readonly unsupported: number;
  readonly cases: number;
}

/** The JSON of `run.mjs --json`. */
export interface Result {
  readonly runner: string;
  readonly case_set: { readonly sha256: string; readonly cases: number };
  /** Null for a program that does not say what it is. */
  readonly implementation: { readonly version: string | null; readonly kernel_sha256: string | null } | null;
  readonly levels: readonly LevelResult[];
  readonly failures: readonly { readonly name: string }[];
}
