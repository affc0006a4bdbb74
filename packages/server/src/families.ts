/** The families of the server, in the order in which they are opened. To add one, add it here. */
import { administration } from "./administration/family.ts";
import { anchoring } from "./anchoring/family.ts";
import { archive } from "./archive/family.ts";
import { docs } from "./docs/family.ts";
import { erasure } from "./erasure/family.ts";
import { eventLog } from "./event-log/family.ts";
import { exports } from "./exports/family.ts";
import { feeding } from "./feeding/family.ts";
import { forks } from "./forks/family.ts";
import { idempotency } from "./idempotency/family.ts";
import { keys } from "./keys/family.ts";
import { metrics } from "./metrics/family.ts";
import { packs } from "./packs/family.ts";
import { pepper } from "./pepper/family.ts";
import { policies } from "./policies/family.ts";
import { readiness } from "./readiness/family.ts";
import { sealing } from "./sealing/family.ts";
import { serviceLog } from "./service-log/family.ts";
import { streams } from "./streams/family.ts";
import { tenancy } from "./tenancy/family.ts";
import { verify } from "./verify/family.ts";
import { verifyPage } from "./verify-page/family.ts";

/** All families of the server. */
export const FAMILIES = [
  metrics,
  tenancy,
  administration,
  keys,
  pepper,
  policies,
  streams,
  eventLog,
  feeding,
  sealing,
  serviceLog,
  anchoring,
  packs,
  erasure,
  forks,
  exports,
  archive,
  idempotency,
  verify,
  verifyPage,
  readiness,
  docs,
] as const;
