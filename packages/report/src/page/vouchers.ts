/** Who vouches for each step of the ladder, and what it takes to fake it. */
import type { StepName } from "../ladder.ts";

interface Voucher {
  readonly who: string;
  readonly faked: string;
}

/** Returns who vouches for a step. `isKnown`: whether a pin of the reader leads to the signer. */
export function voucherOf(step: StepName, isKnown: boolean): Voucher {
  return (isKnown ? undefined : OF_A_STRANGER[step]) ?? VOUCHERS[step];
}

const FAKED = "Anybody with a key can make this.";

/** A stranger's word, in place of the service's. */
const OF_A_STRANGER: Readonly<Partial<Record<StepName, Voucher>>> = {
  signed: { who: "The holder of the key that sealed it.", faked: FAKED },
  included: { who: "The same signer: one root stands for all events under it.", faked: FAKED },
  witnessed: { who: "Witnesses, who sign what extends what they saw before, for any signer.", faked: FAKED },
  published: { who: "The signer's own log, and those who watch it.", faked: FAKED },
  anchored: { who: "A public blockchain, which takes an anchor of anybody.", faked: FAKED },
};

const VOUCHERS: Readonly<Record<StepName, Voucher>> = {
  signed: {
    who: "The holder of the service's key.",
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
    faked: "To fake it the service and the witnesses of its log would have to show different logs to different people.",
  },
  anchored: {
    who: "A public blockchain, whose block has a time.",
    faked: "To fake it the chain itself would have to be rewritten.",
  },
  vault: {
    who: "The holder of the vault's key: that should be the owner of the content, and not the service.",
    faked: "To fake it takes that key; where you have not pinned it, the service could name its own.",
  },
  level: {
    who: "A maker's certificates, custodians, a TPM; or the service alone.",
    faked: "To fake it takes the vault's owner, and one of those.",
  },
};
