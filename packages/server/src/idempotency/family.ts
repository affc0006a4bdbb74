/** Repeated requests: the records that recognise them, and their expiry. */

import { requestTable } from "@svc/host/store";
import type { ServerFamily } from "../context.ts";
import { createForgetting } from "./forget-old.ts";
import { idempotentWrites } from "./migrations/0002-idempotent-writes.ts";
import { requestScopes } from "./migrations/0007-request-scopes.ts";
import { forgetting } from "./migrations/0019-forgetting.ts";
import { idempotencySettings } from "./settings.ts";

/** The family of repeated requests. */
export const idempotency = {
  name: "idempotency",
  settings: idempotencySettings,
  tables: [{ ...requestTable("idempotency_records", "scope_hash", "record_no"), numbered: "record_no" }],
  migrations: [idempotentWrites, requestScopes, forgetting],
  work: (context) => ({ jobs: [createForgetting(context, context.settings(idempotencySettings))] }),
} satisfies ServerFamily;
