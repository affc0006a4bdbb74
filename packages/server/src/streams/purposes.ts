/**
 * The purposes of a tenant's lifecycle streams. Each has one open stream, whose use case is the text of its purpose;
 * `evidence` has had its text since there was one stream alone.
 */
import { mayDo, type Principal } from "@svc/host/principal";

/** The use cases of lifecycle streams, by purpose. */
export const PURPOSES = {
  evidence: "what was done to evidence",
  administration: "administration",
  publications: "publications",
  ledger: "ledger",
} as const;

/** A purpose: what was done to evidence; who may do what; what was made public; the operator's ledger. */
export type Purpose = keyof typeof PURPOSES;

/**
 * Returns whether a principal may see the lifecycle stream of its tenant with a use case. The action that its request
 * needs is another question, which the route asks.
 */
export function mayReadUseCase(principal: Principal, useCase: string): boolean {
  if (useCase === PURPOSES.administration) return mayDo(principal, "read_administration");
  return useCase !== PURPOSES.ledger;
}

/** Returns the use cases of the lifecycle streams that a principal may not read. */
export function hiddenUseCases(principal: Principal): string[] {
  return Object.values(PURPOSES).filter((useCase) => !mayReadUseCase(principal, useCase));
}
