/** The end of `svc`: the exit codes of protocol section 16, and the one error that means "refused, and this is why". */
import type { Verdict } from "@svc/core";

/** The exit codes: the three verdicts, then the reasons why `svc` reached none. */
export const EXIT = { verified: 0, rejected: 1, untrusted: 2, usage: 64, input: 66, internal: 70 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Returns the exit code of a verdict. */
export function exitCodeOf(verdict: Verdict): ExitCode {
  return EXIT[verdict];
}

/**
 * Ends the command without a verdict. `message` says in one sentence what was wrong and where; `action` says the next
 * step. Both are escaped when they are printed, so they may hold text from files and arguments.
 */
export class Refusal extends Error {
  readonly exitCode: ExitCode;
  readonly action: string;

  constructor(exitCode: ExitCode, message: string, action: string) {
    super(message);
    this.exitCode = exitCode;
    this.action = action;
  }
}
