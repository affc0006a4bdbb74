/** The figures of anchoring for operators. */
import { serviceTime } from "@svc/host/clock";
import type { Reader } from "@svc/host/store";
import { newestEpoch } from "../service-log/epochs-store.ts";
import { logState } from "../service-log/log-store.ts";
import { newestMinedNo } from "../service-log/mined-store.ts";
import {
  type AnchoringState,
  type AnchoringStatus,
  anchoringStatus,
  anchoringsInFlight,
  newestFailed,
  spentSince,
} from "./anchorings-store.ts";

/** The figures. */
export interface AnchoringFigures {
  /** The number of the newest epoch in each state; 0 for none. */
  readonly newest: Readonly<Record<"published" | AnchoringState, number>>;
  /** The epochs that are sent and not yet final. */
  readonly inFlight: number;
  /** The age of the newest epoch if it is not final; 0 if it is, or if the log has ended and nothing is on its way. */
  readonly lagSeconds: number;
  /** Since midnight (UTC); at most, for what is not mined. */
  readonly spentGwei: number;
  readonly status: AnchoringStatus | null;
}

/** Resolves to the figures. `now`: in ms since 1970. */
export async function anchoringFigures(reader: Reader, now: number): Promise<AnchoringFigures> {
  const epoch = await newestEpoch(reader);
  const inFlight = await anchoringsInFlight(reader);
  const confirmed = await newestMinedNo(reader);
  const newestIn = (state: AnchoringState) => inFlight.findLast((one) => one.state === state)?.epoch_no ?? 0;
  const published = epoch?.epoch_no ?? 0;
  const hasEnded = inFlight.length === 0 && (await logState(reader)).closedAt !== null;
  return {
    newest: {
      published,
      pending: newestIn("pending"),
      mined: newestIn("mined"),
      confirmed,
      failed: (await newestFailed(reader))?.epoch_no ?? 0,
    },
    inFlight: inFlight.length,
    lagSeconds:
      epoch === null || confirmed >= published || hasEnded
        ? 0
        : Math.max(0, (now - Date.parse(epoch.anchored_at)) / 1000),
    spentGwei: await spentSince(reader, dayOf(now)),
    status: await anchoringStatus(reader),
  };
}

/** Returns the beginning of the day (UTC) of a time, as a service time. */
export function dayOf(now: number): string {
  return `${serviceTime(now).slice(0, 10)}T00:00:00.000Z`;
}
