/**
 * The faults of an attestation that its schema cannot express (protocol sections 23 to 25): the challenge stands whole
 * or not at all, and the evidence has the form of its kind.
 */
import type { Json } from "../../kernel/kernel.ts";
import type { ShapeFault } from "../../report/shape.ts";
import { validatorOf } from "../../schema/check.ts";
import { shapeProblems } from "../../schema/validate.ts";
import { type AttestationKind, CustodyEvidence, QuoteEvidence, type VaultAttestation } from "./schema.ts";

const EVIDENCE = {
  "pkcs11-key-custody": validatorOf(CustodyEvidence),
  "tpm2-quote": validatorOf(QuoteEvidence),
} as const satisfies Readonly<Record<AttestationKind, unknown>>;

/** Returns the faults of an attestation at a path. */
export function attestationFaults({ record }: VaultAttestation, path: string): ShapeFault[] {
  const { attestationKind, challengeId, nonce, evidence } = record;
  const at = `${path}/record`;
  const faults: ShapeFault[] = [];
  if ((challengeId === null) !== (nonce === null)) {
    const message = "A challenge and its nonce come together or not at all.";
    faults.push({ path: `${at}/nonce`, message });
  }
  if (evidence === undefined) return faults;
  const ofForm = shapeProblems(EVIDENCE[attestationKind], evidence as Json);
  const problems = ofForm.map((problem) => ({ ...problem, path: `${at}/evidence${problem.path}` }));
  if (problems.length > 0) return [...faults, ...problems];
  return attestationKind === "pkcs11-key-custody"
    ? [...faults, ...basisFaults(evidence as unknown as CustodyEvidence, `${at}/evidence`)]
    : faults;
}

/** A chain stands with the basis x509, statements with the basis ceremony, and neither with another one. */
function basisFaults({ basis, chain, ceremony }: CustodyEvidence, path: string): ShapeFault[] {
  const faults: ShapeFault[] = [];
  if (basis !== "x509" && chain.length > 0)
    faults.push({ path: `${path}/chain`, message: "Only the basis x509 has a chain." });
  if (basis !== "ceremony" && ceremony.length > 0)
    faults.push({ path: `${path}/ceremony`, message: "Only the basis ceremony has statements." });
  return faults;
}
