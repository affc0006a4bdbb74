/**
 * The one table of problem codes: the check that finds each, and the next step of a person (protocol section 16).
 * Types, command-line text and documentation come from here; meanings.ts says in words what each means. Codes are
 * stable: one cause, one code. It is made of two parts, because a verifier may do without the evidence of vaults.
 * Problems at one place are in a report in the order of their codes here, so causes come before what follows.
 */
import { PLAIN_CODES } from "./plain-codes.ts";
import { VAULT_CODES } from "./vault-codes.ts";

/** For every problem code the check that finds it, and the next step of a person. */
export const CODES = { ...PLAIN_CODES, ...VAULT_CODES };

/** A code of the verifier; docs/verdicts.md says what each means. */
export type ProblemCode = keyof typeof CODES;
