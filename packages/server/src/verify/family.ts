/** Verification of any object that anybody sends, and of the fork evidence that is kept. */
import { verify as contracts, forks as forkContracts } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { Forks } from "../forks/forks.ts";
import { HandInFork } from "./hand-in-fork.ts";
import { verifyRoutes } from "./routes.ts";
import { VerifyEvidence } from "./verify-evidence.ts";

/** The family of verification. */
export const verify = {
  name: "verify",
  contracts: [contracts.verify, contracts.verifyReceipt, contracts.verifyProof, forkContracts.handIn],
  open: (context) => {
    const forks = new Forks(context);
    const verifyEvidence = new VerifyEvidence(context, forks);
    const handInFork = new HandInFork(verifyEvidence, forks);
    return { routes: verifyRoutes(verifyEvidence, handInFork), close: () => verifyEvidence.close() };
  },
} satisfies ServerFamily;
