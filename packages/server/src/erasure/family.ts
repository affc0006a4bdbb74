/** Erasure of payloads, and its completion in the files of the database. */

import { erasure as contracts } from "@svc/api";
import { administrationTable } from "@svc/host/store";
import type { ServerFamily } from "../context.ts";
import { checkErasures } from "./check-erasures.ts";
import { createFileClearing } from "./clear-files.ts";
import { diagnoseErasures } from "./diagnose.ts";
import { erasurePart } from "./erase-event.ts";
import { erased } from "./erased.ts";
import { eventErased } from "./events.ts";
import { erasure as erasures } from "./migrations/0003-erasure.ts";
import { erasureRoutes } from "./routes.ts";

/** The family of erasure. */
export const erasure = {
  name: "erasure",
  events: [eventErased],
  contracts: [contracts.erase],
  tables: [administrationTable("erasures", "stream_event_id")],
  migrations: [erasures],
  parts: [erasurePart],
  open: ({ parts }) => ({ routes: erasureRoutes(parts.use(erasurePart)) }),
  work: (context) => {
    const { embedded } = context;
    // A server of the database has files, copies and logs that only its operator can make forget.
    if (embedded === null) return {};
    const fileClearing = createFileClearing({ ...context, database: embedded });
    context.channel.subscribe(erased, () => fileClearing.wake());
    return { jobs: [fileClearing] };
  },
  check: checkErasures,
  diagnose: diagnoseErasures,
} satisfies ServerFamily;
