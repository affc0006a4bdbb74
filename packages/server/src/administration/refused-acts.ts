/**
 * Acts that system keys were refused, of those that are granted only by name. A tenant should hear of a key that tries
 * one, and the holder of the key must not be able to fill the tenant's stream with it.
 */
import { type Contract, ruleOf } from "@svc/api";
import { serviceTime } from "@svc/host/clock";
import type { FoundKey } from "@svc/host/http";
import { type Part, part } from "@svc/host/parts";
import { perContext } from "@svc/host/per-context";
import type { Principal } from "@svc/host/principal";
import type { AnsweringContext, Context } from "../context.ts";
import { administrationRefused } from "./events.ts";

/** For so long, a key's further tries of one action are not recorded again by this process. */
const QUIET_MS = 3_600_000;
/** As many keys and actions are kept in mind; beyond it, the one that was noted first is forgotten. */
const KEPT = 10_000;

/** An act that was refused. */
interface RefusedAct {
  readonly keyId: string;
  readonly action: string;
  /** The method and the template of the path. */
  readonly route: string;
}

/** The recording of refused acts. */
interface RefusedActRecords {
  record(actor: Principal, act: RefusedAct): Promise<void>;
}

/** The part that records refused acts. */
export const refusedActsPart: Part<Context, RefusedActRecords> = part(
  "refused acts",
  ({ administration, clock }: Context) => ({
    record: (actor, { keyId, action, route }) =>
      administration.write((_, record) => {
        const after = { action, route, code: "action_forbidden" };
        const change = { type: administrationRefused, objectId: keyId, before: null, after } as const;
        return record(actor, change, serviceTime(clock()));
      }),
  }),
);

/** Notes the refused acts of a deployment. */
export class RefusedActs {
  readonly #context: Pick<AnsweringContext, "clock">;
  readonly #records: RefusedActRecords;
  /** When an act was recorded, by key and action. */
  readonly #noted = new Map<string, number>();

  constructor(context: Pick<AnsweringContext, "clock">, records: RefusedActRecords) {
    this.#context = context;
    this.#records = records;
  }

  /**
   * Records that a key was refused the action of a route: the first time in an hour, and only an action that is granted
   * by name. Nobody waits for the record, and after a failure the next try is recorded.
   */
  note({ keyId, principal }: FoundKey, { action, method, path }: Contract): void {
    if (ruleOf(action).key === "usual") return;
    const act = `${keyId} ${action}`;
    const now = this.#context.clock();
    const last = this.#noted.get(act);
    if (last !== undefined && Math.abs(now - last) < QUIET_MS) return;
    this.#noted.delete(act);
    for (const [first] of this.#noted) {
      if (this.#noted.size < KEPT) break;
      this.#noted.delete(first);
    }
    this.#noted.set(act, now);
    const { limits: _, ...actor } = principal;
    this.#records.record(actor, { keyId, action, route: `${method} ${path}` }).catch(() => this.#noted.delete(act));
  }
}

/** The refused acts of a deployment. */
export const refusedActsOf = perContext(
  (context: AnsweringContext) => new RefusedActs(context, context.parts.use(refusedActsPart)),
);
