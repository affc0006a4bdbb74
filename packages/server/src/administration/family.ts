/** The administration of tenants as evidence: each change of it is an event of the tenant's own stream. */

import type { ServerFamily } from "../context.ts";
import { checkAdministration } from "./check-administration.ts";
import { administrationRefused, lossAccepted } from "./events.ts";
import { administrationEvents } from "./migrations/0032-administration.ts";
import { recorderOf } from "./recorder.ts";
import { refusedActsPart } from "./refused-acts.ts";

/** The family of administration. */
export const administration = {
  name: "administration",
  migrations: [administrationEvents],
  events: [administrationRefused, lossAccepted],
  parts: [refusedActsPart],
  work: (context) => ({ jobs: [recorderOf(context)] }),
  check: checkAdministration,
} satisfies ServerFamily;
