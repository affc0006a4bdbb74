/** Whose word on a key counts (protocol section 26). */
import type { Examination } from "../../report/examination.ts";
import type { Kid } from "../../schema/atoms.ts";
import type { Scope } from "../../trust/key-ring.ts";
import type { KeyStatusBody } from "./schema.ts";

/** A status that a trusted signer sealed, and its place. */
export interface CountedStatus {
  readonly body: KeyStatusBody;
  readonly path: string;
}

/**
 * Says whether the word of a key counts that it gave at a time, for an object of this scope: trust reaches the key, and
 * the time is within the key's own. It proves no time: the seal of a key with an end is judged where it stands.
 */
export function mayVouch(exam: Examination, kid: Kid, at: string, scope: Scope): boolean {
  const standing = exam.keys.standing(kid, scope);
  return standing.trusted && (standing.validFrom ?? "") <= at && at <= (standing.validTo ?? at);
}
