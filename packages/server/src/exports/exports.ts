/**
 * Exports from the side of their makers: requesting and deleting; read-exports.ts shows them. Packages are built beside
 * the requests (build-exports.ts) and given out for tickets (download.ts).
 */
import { MAX_EXPORTS_KEPT, MAX_SYSTEM_EXPORTS_KEPT } from "@svc/api/limits";
import { serviceTime } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import { part } from "@svc/host/parts";
import type { Principal } from "@svc/host/principal";
import type { Reader } from "@svc/host/store";
import type { Context } from "../context.ts";
import { type Idempotency, idempotencyOf } from "../idempotency/idempotency.ts";
import { newId } from "../ids.ts";
import { hasOtherSystem } from "../tenancy/tenants-store.ts";
import { exportsChanged } from "./built.ts";
import { chooseEvents, type ExportRequest } from "./choose-events.ts";
import { deleteExport } from "./delete-export.ts";
import { exportCreated } from "./events.ts";
import { insertExport, storedExports } from "./exports-store.ts";
import { exportView, queuedView } from "./view.ts";
import { visibleExport } from "./visible-export.ts";

type Needs = Pick<Context, "administration" | "clock" | "channel">;

/** Requests and deletes the exports of a deployment. */
export class Exports {
  readonly #context: Needs;
  readonly #idempotency: Idempotency;

  constructor(context: Needs, idempotency: Idempotency) {
    this.#context = context;
    this.#idempotency = idempotency;
  }

  /**
   * Requests a package of events, and resolves to the queued export. The events are settled here; the package follows.
   * Rejects with `too_many_exports` and the refusals of `chooseEvents` and of Idempotency-Keys.
   */
  async create(principal: Principal, request: ExportRequest, idempotencyKey: string) {
    const repeatable = {
      principal,
      route: "POST /v1/exports",
      key: idempotencyKey,
      target: "",
      body: request,
    };
    const view = await this.#context.administration.write(async (writer, record) => {
      const made = await this.#idempotency.replay(writer, repeatable);
      if (made !== null) return queuedView(await visibleExport(writer, principal, String(made.result?.export_id)));
      const ranges = await chooseEvents(writer, principal, request);
      await requireRoom(writer, principal);
      const created_at = serviceTime(this.#context.clock());
      const { payloads = "included" } = request;
      const export_id = newId("exp");
      await insertExport(writer, principal, { export_id, payloads, created_at }, ranges);
      const after = { payloads, ranges };
      await record(principal, { type: exportCreated, objectId: export_id, before: null, after }, created_at);
      const kept = { streamId: ranges[0]?.stream_id ?? "", fromSeqNo: 0, toSeqNo: 0, result: { export_id } };
      await this.#idempotency.keep(writer, repeatable, kept, created_at);
      return queuedView(await visibleExport(writer, principal, export_id));
    });
    this.#context.channel.publish(exportsChanged, null);
    return view;
  }

  /**
   * Deletes the package, or the request for it, and resolves to the export. The row of the export stays; deleting it
   * again changes nothing. Rejects with `export_not_found` and `export_forbidden`.
   */
  async delete(principal: Principal, exportId: string) {
    const view = await this.#context.administration.write(async (writer, record) => {
      const { row } = await visibleExport(writer, principal, exportId);
      await deleteExport(writer, principal, row, "requested", serviceTime(this.#context.clock()), record);
      return exportView(await visibleExport(writer, principal, exportId));
    });
    this.#context.channel.publish(exportsChanged, null);
    return view;
  }
}

/** The same, as the routes call it. */
export const exportsPart = part("exports", (context: Context) => new Exports(context, idempotencyOf(context)));

/**
 * Rejects with `too_many_exports`. The exports of a tenant are shared by all of its systems: one of several systems may
 * have half of them, and a system without exports may always have one. So a tenant keeps MAX_EXPORTS_KEPT and, at
 * worst, one more for each of its systems, which only its operator can add.
 */
async function requireRoom(reader: Reader, principal: Principal): Promise<void> {
  const { ofTenant, ofActor } = await storedExports(reader, principal);
  if (ofActor === 0) return;
  const isAlone = !(await hasOtherSystem(reader, principal.tenantId, principal.id));
  const share = isAlone ? MAX_EXPORTS_KEPT : MAX_SYSTEM_EXPORTS_KEPT;
  if (ofActor < share && ofTenant < MAX_EXPORTS_KEPT) return;
  const [who, max_exports] = ofActor < share ? ["tenant", MAX_EXPORTS_KEPT] : ["system", share];
  throw new ServiceError(
    "too_many_exports",
    `Your ${who} has ${max_exports} exports, as many as are kept at a time. Delete one that you no longer need.`,
    { max_exports },
  );
}
