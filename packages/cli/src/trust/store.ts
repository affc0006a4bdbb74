/**
 * Reads and changes a trust file (protocol section 16) together with the names beside it. A change is made to the
 * policy as written, under a lock, and changes only the parts that it names. A policy that would not be well formed is
 * never written.
 */
import { existsSync } from "node:fs";
import { type Kernel, parseTrustPolicy, TRUST_PATH, type TrustPolicy } from "@svc/core";
import { EXIT, Refusal } from "../exit.ts";
import { readInput } from "../input.ts";
import { parseTrustFile } from "../trust.ts";
import { withLock } from "./lock.ts";
import { type Names, namesFile, readNames } from "./names.ts";
import { placeToWrite, replaceFile } from "./replace-file.ts";

/** A trust file as written: the pins of its quorum's text are in that text alone. */
export type TrustFile = {
  readonly policy: TrustPolicy;
  readonly names: Names;
};

/** Reads a trust file; a missing one pins nobody. Refuses a malformed one with its first fault. */
export async function readTrustFile(kernel: Kernel, path: string): Promise<TrustFile> {
  const policyBytes = existsSync(path) ? await readInput(path) : null;
  return {
    policy: policyBytes === null ? { signers: [] } : parseTrustFile(kernel, path, policyBytes).written,
    names: await readNames(kernel, path),
  };
}

/**
 * Changes a trust file. `change` gets the present content and returns the new one; if it returns the same, nothing is
 * written. Refuses as `change` does, and refuses a malformed file, a change that would make it malformed (64), and a
 * file that cannot be written (70).
 */
export async function changeTrustFile(
  kernel: Kernel,
  path: string,
  change: (file: TrustFile) => TrustFile,
): Promise<TrustFile> {
  try {
    const place = placeToWrite(path);
    return await withLock(place, async () => {
      const before = await readTrustFile(kernel, place);
      const after = change(before);
      requireWellFormed(kernel, after.policy);
      if (differ(before.policy, after.policy)) replaceFile(place, textOf(after.policy));
      if (differ(before.names, after.names)) replaceFile(namesFile(place), textOf(after.names));
      return after;
    });
  } catch (error) {
    const { code, errno } = error as NodeJS.ErrnoException;
    // Only errors of the system: any other error is svc's own.
    if (errno === undefined) throw error;
    throw new Refusal(
      EXIT.internal,
      `The trust file "${path}" could not be written: the system says ${code}. What was there is unchanged.`,
      "Make sure that its folder is there, that you may write in it, and that the disk is not full.",
    );
  }
}

function requireWellFormed(kernel: Kernel, policy: TrustPolicy): void {
  const read = parseTrustPolicy(kernel, policy);
  if (read.ok) return;
  const [fault] = read.problems;
  if (fault === undefined) throw new TypeError("a policy was refused without a problem");
  throw new Refusal(
    EXIT.usage,
    `What you gave is not well formed: ${fault.code} at ${fault.path.slice(TRUST_PATH.length)} of the trust ` +
      `policy. ${fault.message}`,
    "Nothing was changed. Correct the option; protocol section 16 has the form of each value.",
  );
}

function differ(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) !== JSON.stringify(right);
}

function textOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
