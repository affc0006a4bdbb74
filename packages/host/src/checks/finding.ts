/** What doctor says of one thing. */

export interface Finding {
  /** What was looked at, in one or two words. */
  readonly check: string;
  readonly state: "ok" | "warn" | "fail";
  /** What is so; of a warning or failure also what to do. */
  readonly says: string;
}

export const ok = (check: string, says: string): Finding => ({ check, state: "ok", says });
export const warn = (check: string, says: string): Finding => ({ check, state: "warn", says });
export const fail = (check: string, says: string): Finding => ({ check, state: "fail", says });

/** Runs a check; one that cannot be run is a failure with its reason, and holds up no other. */
export async function looked(check: string, look: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [fail(check, `could not be looked at: ${(error as Error).message}`)];
  }
}
