/** Who vouches for each step of the ladder, and who would have to act together to fake it. */
import type { StepName } from "../ladder.ts";

export const VOUCHERS: Readonly<Record<StepName, { readonly who: string; readonly faked: string }>> = {
  signed: {
    who: "Whoever holds the service's key.",
    faked: "To fake it takes that key.",
  },
  included: {
    who: "The service: one root stands for all events under it.",
    faked: "To fake it the service would have to sign another history, which anyone who keeps a checkpoint can show.",
  },
  witnessed: {
    who: "Witnesses, who sign only what extends what they saw before.",
    faked: "To fake it the service and the witnesses that you pin would have to act together.",
  },
  published: {
    who: "The service's log over all its streams, and those who watch it.",
    faked:
      "To fake it the service would have to show different logs to different people, and the witnesses of the log would have to help.",
  },
  anchored: {
    who: "A public blockchain, whose block has a time.",
    faked: "To fake it the chain itself would have to be rewritten.",
  },
  vault: {
    who: "Whoever holds the vault's key: that should be the owner of the content, and not the service.",
    faked: "To fake it takes that key; where you have not pinned it, the service could name a key of its own.",
  },
  level: {
    who: "Whoever vouches for the attestations: a maker's certificates, custodians, a TPM; or the service alone.",
    faked: "To fake it takes the vault's owner, and one of those.",
  },
};
