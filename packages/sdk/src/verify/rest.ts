/** The rest of the verifier, in a separate module, so that a page loads it only for evidence that needs it. */
export { examineEvidence } from "@svc/core/chain-evidence";
export { examineTruthPackage } from "@svc/core/truth-package";
export { vaultEvidence } from "@svc/core/vaults";
