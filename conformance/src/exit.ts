/** The end of the runner: its exit codes (sysexits.h), and the one error that ends it before or without a result. */

/**
 * The exit codes: no failure, failures, a wrong call, a faulty set of cases, an error of the runner, a file that cannot
 * be written.
 */
export const EXIT = { passed: 0, failed: 1, usage: 64, input: 66, internal: 70, output: 73 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the run without a result. `message` says what was wrong, where, and what to do next. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
