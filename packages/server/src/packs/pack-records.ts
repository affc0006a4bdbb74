/** The records of packs, made before the first piece of a pack is read. */

import type { JsonObject } from "@svc/core";
import { failpoint } from "@svc/host/failpoint";
import { part } from "@svc/host/parts";
import type { Principal } from "@svc/host/principal";
import type { Context } from "../context.ts";
import { type Idempotency, idempotencyOf, type RepeatableRequest } from "../idempotency/idempotency.ts";
import { recordAccess } from "../tenancy/access-log-store.ts";
import type { PackRecord } from "./write-pack.ts";

/** A pack that is about to be handed out. */
export interface NewPack {
  readonly principal: Principal;
  readonly request: RepeatableRequest;
  readonly streamId: string;
  readonly record: PackRecord;
  /** The detail of the audit log's entry. */
  readonly detail: JsonObject;
}

/** Records the packs of a deployment. */
export class PackRecords {
  readonly #context: Pick<Context, "database">;
  readonly #idempotency: Idempotency;

  constructor(context: Pick<Context, "database">, idempotency: Idempotency) {
    this.#context = context;
    this.#idempotency = idempotency;
  }

  /** Resolves to whether the pack was recorded: false if another request with its key was quicker. */
  async keep({ principal, request, streamId, record, detail }: NewPack): Promise<boolean> {
    const isFirst = await this.#context.database.write(async (writer) => {
      if ((await this.#idempotency.replay(writer, request)) !== null) return false;
      await recordAccess(writer, principal, "audit_pack.created", streamId, detail, record.created_at);
      const kept = { streamId, fromSeqNo: 0, toSeqNo: 0, result: record };
      await this.#idempotency.keep(writer, request, kept, record.created_at);
      return true;
    });
    failpoint("pack: recorded");
    return isFirst;
  }
}

/** The records, as others call them. */
export const packRecordsPart = part(
  "pack records",
  (context: Context) => new PackRecords(context, idempotencyOf(context)),
);
