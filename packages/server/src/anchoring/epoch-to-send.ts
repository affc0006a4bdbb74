/** Which epoch is to be anchored next: the newest one, unless it was sent; all before it are under its root. */
import type { Anchor } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { newestEpoch } from "../service-log/epochs-store.ts";
import { logState } from "../service-log/log-store.ts";
import { type AnchoringRow, newestAnchoring } from "./anchorings-store.ts";

/** An epoch, and its anchoring if that has failed; null if it was never sent. */
export interface EpochToSend {
  readonly epoch: Anchor;
  readonly failed: AnchoringRow | null;
}

/** Resolves to the epoch, or null. */
export async function epochToSend(reader: Reader): Promise<EpochToSend | null> {
  const epoch = await newestEpoch(reader);
  if (epoch === null) return null;
  const last = await newestAnchoring(reader);
  if (last !== null && last.epoch_no >= epoch.epoch_no && last.state !== "failed") return null;
  // Another database may have published more under this origin: this one must not take its numbers in the contract.
  if ((await logState(reader)).closedAt !== null) return null;
  return { epoch, failed: last?.epoch_no === epoch.epoch_no ? last : null };
}
