/** The migrations of the server, in order: they bring a database to this release's schema. */
import { type Migration, newestSchema } from "@svc/host/store";
import { initial } from "./0001-initial.ts";
import { idempotentWrites } from "./0002-idempotent-writes.ts";
import { erasure } from "./0003-erasure.ts";
import { closedStreams } from "./0004-closed-streams.ts";
import { policies } from "./0005-policies.ts";
import { forks } from "./0006-forks.ts";
import { requestScopes } from "./0007-request-scopes.ts";
import { sealingOnDemand } from "./0008-sealing-on-demand.ts";
import { eventLog } from "./0009-event-log.ts";
import { exports } from "./0010-exports.ts";
import { recordsByTime } from "./0011-records-by-time.ts";
import { sealedTimes } from "./0012-sealed-times.ts";
import { lists } from "./0013-lists.ts";
import { packageChallenges } from "./0014-package-challenges.ts";
import { policiesOfTenants } from "./0015-policies-of-tenants.ts";

/** Those of this release. A released one is never edited. */
export const MIGRATIONS: readonly Migration[] = [
  initial,
  idempotentWrites,
  erasure,
  closedStreams,
  policies,
  forks,
  requestScopes,
  sealingOnDemand,
  eventLog,
  exports,
  recordsByTime,
  sealedTimes,
  lists,
  packageChallenges,
  policiesOfTenants,
];

/** The schema version of this release. */
export const NEWEST_SCHEMA = newestSchema(MIGRATIONS);
