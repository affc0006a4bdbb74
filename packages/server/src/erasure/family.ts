/** Erasure of payloads, and its completion in the files of the database. */

import { erasure as contracts } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { idempotencyOf } from "../idempotency/idempotency.ts";
import { checkErasures } from "./check-erasures.ts";
import { createFileClearing } from "./clear-files.ts";
import { diagnoseErasures } from "./diagnose.ts";
import { EraseEvent } from "./erase-event.ts";
import { erased } from "./erased.ts";
import { erasure as erasures } from "./migrations/0003-erasure.ts";
import { erasureRoutes } from "./routes.ts";

/** The family of erasure. */
export const erasure = {
  name: "erasure",
  contracts: [contracts.erase],
  migrations: [erasures],
  open: (context) => {
    const fileClearing = createFileClearing(context);
    context.channel.subscribe(erased, () => fileClearing.nudge());
    return { routes: erasureRoutes(new EraseEvent(context, idempotencyOf(context))), jobs: [fileClearing] };
  },
  check: checkErasures,
  diagnose: diagnoseErasures,
} satisfies ServerFamily;
