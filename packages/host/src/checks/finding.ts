/** A finding of doctor about one thing. */
import { machineAdvice } from "../command-line/machine-faults.ts";

/** The result of one check. */
export interface Finding {
  /** The object of the check, in one or two words. */
  readonly check: string;
  readonly state: "ok" | "warn" | "fail";
  /** The state in words; a warning or a failure also says what to do. */
  readonly says: string;
}

/** Returns a finding without a fault. */
export const ok = (check: string, says: string): Finding => ({ check, state: "ok", says });
/** Returns a warning: the deployment works, but the operator should act. */
export const warn = (check: string, says: string): Finding => ({ check, state: "warn", says });
/** Returns a failure. */
export const fail = (check: string, says: string): Finding => ({ check, state: "fail", says });

/** Runs a check. If it throws, resolves to a failure with its reason, so that it holds up no other check. */
export async function looked(check: string, look: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    const advice = machineAdvice(error);
    return [fail(check, `could not be looked at: ${(error as Error).message}${advice === null ? "" : `. ${advice}`}`)];
  }
}
