/**
 * Makes fork evidence of two notes that one log has signed (protocol section 11, kind `note`): one size and two roots.
 * Two sizes are no evidence by themselves: a divergence needs leaves of both trees, which a witness never sees.
 */
import { type ForkEvidence, findFork, type Kernel, keyHint, pinKeys, type VerificationKey, verify } from "@svc/core";

/** The identifier and the time of evidence. */
export interface ForkNames {
  readonly fork_id: string;
  readonly detected_at: string;
}

/**
 * Returns evidence that core verifies for one who pins these keys; null if the notes do not contradict each other under
 * them. `keys`: one that has signed both notes, or one of each.
 */
export function proveFork(
  kernel: Kernel,
  left: string,
  right: string,
  keys: readonly VerificationKey[],
  names: ForkNames,
): ForkEvidence | null {
  const trust = pinKeys(
    kernel,
    keys.map(({ publicKeyHex }) => publicKeyHex),
  );
  const found = findFork(left, right, { ...names, kinds: ["note"], trust, kernel });
  if (found === null) return null;
  // A note names its key by four bytes alone; with the whole key anybody can check the signatures.
  const evidence = { ...found, key_hints: keys.map(({ publicKeyHex }) => keyHint(kernel, publicKeyHex)) };
  return verify(kernel.canonicalize(evidence), { kind: "fork", trust, kernel }).ok ? evidence : null;
}
