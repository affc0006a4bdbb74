/** The operator's question about anchoring: whether it goes on, and what it waits for. */
import { statSync } from "node:fs";
import { type Finding, ok, warn } from "@svc/host/checks";
import { readAnchoringKey } from "../chain/anchoring-key.ts";
import { type AnchoringConfig, anchoringOf, anchoringSettings, chainOf } from "../chain/settings.ts";
import type { DiagnoseContext } from "../check-context.ts";
import { anchoringFigures } from "./figures.ts";

const CHECK = "anchoring";
/** Beyond the time that the confirmations take, nothing that goes on takes so long. */
const LONG_S = 3600;
/** The permissions of everybody but the owner. */
const OTHERS = 0o077;

/** The command that makes the contract needs the other settings, so this is no mistake in them. */
const WITHOUT_CONTRACT = warn(
  CHECK,
  "nothing is anchored, since SVC_ANCHOR_CONTRACT is not set: svc-server anchor deploy makes the contract",
);

/** Resolves to the finding about anchoring. It asks no node. */
export async function diagnoseAnchoring({ read, now, settings }: DiagnoseContext): Promise<Finding[]> {
  const values = settings(anchoringSettings);
  const config = anchoringOf(values);
  if (config === null) return [chainOf(values) === null ? ok(CHECK, "off") : WITHOUT_CONTRACT];
  const unusable = unusableKey(config);
  if (unusable !== null) return [unusable];
  const state = await read(CHECK, async (reader) => {
    const { newest, inFlight, lagSeconds, spentGwei, status } = await anchoringFigures(reader, now);
    const state =
      `epoch ${newest.confirmed} of ${newest.published} is anchored in ${config.network}, ${inFlight} on their ` +
      `way, ${spentGwei} of ${config.dayBudgetGwei} gwei spent today`;
    if (status?.problem != null) return [warn(CHECK, `${state}; since ${status.problem_since}: ${status.problem}`)];
    if (lagSeconds > LONG_S)
      return [warn(CHECK, `${state}; the newest is an hour old and not anchored. Is a server running?`)];
    return [ok(CHECK, state)];
  });
  return [...openKey(config), ...state];
}

function unusableKey({ keyFile }: AnchoringConfig): Finding | null {
  try {
    readAnchoringKey(keyFile);
    return null;
  } catch (error) {
    return warn(CHECK, (error as Error).message);
  }
}

function openKey({ keyFile }: AnchoringConfig): Finding[] {
  if ((statSync(keyFile).mode & OTHERS) === 0) return [];
  return [warn(CHECK, `others than its owner may use ${keyFile}, the anchoring key: chmod 600 it`)];
}
