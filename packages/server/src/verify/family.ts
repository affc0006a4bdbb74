/** Verification of any object that anybody sends. */
import { verify as contracts } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { Forks } from "../forks/forks.ts";
import { verifyRoutes } from "./routes.ts";
import { VerifyEvidence } from "./verify-evidence.ts";

/** The family of verification. */
export const verify = {
  name: "verify",
  contracts: [contracts.verify, contracts.verifyReceipt, contracts.verifyProof],
  open: (context) => {
    const verifyEvidence = new VerifyEvidence(context, new Forks(context));
    return { routes: verifyRoutes(verifyEvidence), close: () => verifyEvidence.close() };
  },
} satisfies ServerFamily;
