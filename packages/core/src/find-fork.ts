/**
 * Finds contradictions between two objects, and makes portable evidence of them (protocol section 11). It verifies the
 * evidence that it returns, as the kind `fork`. A contradiction that it does not find may still exist, in parts that
 * neither object shows.
 */
import type { Json, JsonObject, Kernel } from "./kernel/kernel.ts";
import { selectKernel } from "./kernel/select.ts";
import { type Candidate, SEARCHES } from "./objects/fork/candidates.ts";
import { issueForkEvidence } from "./objects/fork/issue.ts";
import { isParted, type Parts, partsOf, partsOfNote } from "./objects/fork/parts.ts";
import type { ForkEvidence, ForkKind } from "./objects/fork/schema.ts";
import type { Policy } from "./objects/policy.ts";
import { kidOf } from "./seal.ts";
import { parseTrustPolicy } from "./trust/parse.ts";
import { TRUST_NOBODY, type TrustPolicy } from "./trust/policy.ts";
import { detectKind, isObject, kindEntry } from "./verify/kinds.ts";
import { vaultEvidence } from "./verify/vaults.ts";
import { verify } from "./verify/verify.ts";

/** The bounds of the search, and the members of the evidence that are not found in the objects. */
export interface FindForkOptions {
  /** The identifier of the evidence: `frk_` and a ULID. */
  readonly fork_id: string;
  /** The time at which the contradiction was found, YYYY-MM-DDTHH:MM:SS.mmmZ. Core reads no clock. */
  readonly detected_at: string;
  /**
   * Keys for signatures of objects that do not carry them. Without a key, a signature that cannot be checked is not
   * held against the evidence.
   */
  readonly trust?: TrustPolicy | Json;
  /** Policies that neither object shows, and by which an omission is judged. */
  readonly policies?: readonly Policy[];
  /** Look for evidence of these kinds only. */
  readonly kinds?: readonly ForkKind[];
  /** As in `verify`. */
  readonly kernel?: Kernel;
}

/**
 * Looks for a contradiction between two objects (protocol section 11). `a`, `b`: each a strictly parsed value, or the
 * text of a signed note: a receipt, a stream segment, a window, a checkpoint, consistency evidence, a bundle, a
 * portable receipt or an anchor. `options`: the id and the time of the evidence, and perhaps a trust policy and kinds.
 * Returns the simplest evidence that holds, about the earliest place in the stream that shows it; null if it finds
 * none. The evidence holds if `verify` does not reject it as a fork. Parts that do not hold convict nobody, and an
 * object of another kind, or without the shape of its kind, has no parts. Throws as `verify` does.
 *
 * @example
 * const found = { fork_id: "frk_01k3zjv5c7m5n0rhd0sxkqgx2t", detected_at: new Date().toISOString() };
 * const mine = JSON.parse(JSON.stringify(receipt));
 * const theirs = JSON.parse(new TextDecoder().decode(pack));
 * console.log(findFork(mine, theirs, found)); // null
 */
export function findFork(a: Json, b: Json, options: FindForkOptions): ForkEvidence | null {
  const { kernel = selectKernel(), kinds, policies = [], fork_id, detected_at } = options;
  const trust = whom(kernel, options.trust);
  const [ofA, ofB] = [readParts(kernel, a), readParts(kernel, b)];
  if (ofA === null || ofB === null) return null;
  ofA.policies.push(...policies);
  for (const [kind, search] of SEARCHES) {
    if (kinds !== undefined && !kinds.includes(kind)) continue;
    for (const candidate of search(kernel, ofA, ofB)) {
      const { left, right, ...claim } = candidate;
      const keys = carriedBy(kernel, ofA, ofB, candidate);
      const evidence = issueForkEvidence(left, right, { fork_id, detected_at, ...claim, ...keys });
      const bytes = kernel.canonicalize(evidence);
      if (verify(bytes, { kind: "fork", trust, kernel }).verdict !== "rejected") return evidence;
    }
  }
  return null;
}

/** Returns the trust policy for keys alone: the verifier's expectations of an object do not matter here. */
function whom(kernel: Kernel, trust: TrustPolicy | Json = TRUST_NOBODY): TrustPolicy {
  const read = parseTrustPolicy(kernel, trust as Json);
  if (!read.ok) throw new TypeError(`the trust policy is not well formed: ${read.problems[0]?.message ?? ""}`);
  const { signers, witnesses = [], revoked = [] } = read.policy;
  return { signers, witnesses, revoked };
}

function readParts(kernel: Kernel, value: Json): Parts | null {
  if (typeof value === "string") return partsOfNote(kernel, value);
  const kind = detectKind(value);
  if (kind === null || !isParted(kind) || !isObject(value)) return null;
  const { validator, faults } = kindEntry(kind, value, vaultEvidence);
  if (validator(value).length > 0 || faults(value as never).length > 0) return null;
  return partsOf(kernel, kind, value);
}

/**
 * Returns the keys that come with the evidence: those that its sides name, and, if these differ, all keys that could
 * relate them.
 */
function carriedBy(kernel: Kernel, a: Parts, b: Parts, { left, right }: Candidate) {
  const own = [...a.hints, ...b.hints].filter((hint) => hint.kid === kidOf(kernel, hint.public_key_hex));
  const hints = [...new Map(own.map((hint) => [hint.kid, hint])).values()];
  const kids = new Set([left, right].map((side) => (typeof side === "string" ? undefined : signerOf(side))));
  if (kids.size === 1 && !kids.has(undefined)) return { key_hints: hints.filter(({ kid }) => kids.has(kid)) };
  const endorsements = [...a.endorsements, ...b.endorsements].map((one) => [JSON.stringify(one), one] as const);
  return { key_hints: hints, key_endorsements: [...new Map(endorsements).values()] };
}

function signerOf(side: JsonObject): string | undefined {
  const { seal, receipt } = side as { readonly seal?: { kid: string }; readonly receipt?: { kid: string } };
  return (seal ?? receipt)?.kid;
}
