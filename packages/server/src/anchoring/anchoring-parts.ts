/** The parts that the steps of anchoring share. */

import type { AnchoringKey } from "../chain/anchoring-key.ts";
import type { Chain } from "../chain/chain.ts";
import type { AnchoringConfig } from "../chain/settings.ts";
import type { Context } from "../context.ts";
import type { AnchorStep } from "./anchor-step.ts";

/** The parts of a deployment that anchors. */
export interface AnchoringParts {
  readonly context: Pick<
    Context,
    "database" | "clock" | "kernel" | "issuing" | "signingKey" | "channel" | "settings" | "origin"
  >;
  readonly config: AnchoringConfig;
  /** As the node tells it that is asked at present. */
  readonly chain: Chain;
  /** As the other nodes tell it. */
  readonly others: readonly Chain[];
  /** Returns the key. Throws AnchorFault with `key_unusable`. */
  readonly key: () => AnchoringKey;
  /** Tells of a step of an epoch. */
  readonly tell: (step: AnchorStep, epochNo: number, words?: string) => void;
}
