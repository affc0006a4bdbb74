/** An example of the page: shell that really runs, and its expected result. */
import type { ErrorCode } from "@svc/api";

/** A command of the page. It runs under `sh` in one folder with all others, in the order of the page. */
export interface Example {
  /** A sentence in front of the command. */
  readonly says: string;
  readonly command: string;
  /** The HTTP status of the last answer; missing if the command shows no answer of the server. */
  readonly status?: number;
  /** How many levels of the answer are shown; by default 4. */
  readonly levels?: number;
  /** Shell variables for later commands: the member of the answer that each keeps, as names with dots between. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Set if the command starts a server: the variable for its URL, its data folder, and its settings. */
  readonly serves?: {
    readonly variable: string;
    readonly data: string;
    readonly settings: Readonly<Record<string, string>>;
  };
}

/** A refusal: its status follows from its code. */
export interface RefusalExample extends Pick<Example, "says" | "command"> {
  readonly code: ErrorCode;
}

/** A code or limit that no command of the page can show: when it occurs, and the test that shows it. */
export interface ShownByTest {
  readonly comes: string;
  /** A path from the root of the repository. The test names the code, or the limit. */
  readonly test: string;
}
