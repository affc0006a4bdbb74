/** The keys that seal. */

import { keys as contracts } from "@svc/api";
import { administrationTable } from "@svc/host/store";
import type { ServerFamily } from "../context.ts";
import { keyVariables } from "../signing/key-settings.ts";
import { checkKeys } from "./check-keys.ts";
import { diagnoseKeys } from "./diagnose.ts";
import { signingKeyRotated } from "./events.ts";
import { ReadKeys } from "./read-keys.ts";
import { signaturesPart } from "./remote-signer.ts";
import { keyRoutes } from "./routes.ts";

/** The family of sealing keys. */
export const keys = {
  name: "keys",
  events: [signingKeyRotated],
  contracts: [contracts.keys],
  settings: keyVariables,
  tables: [administrationTable("signing_keys", "kid"), administrationTable("key_endorsements", "endorser_kid")],
  parts: [signaturesPart],
  open: (context) => ({ routes: keyRoutes(new ReadKeys(context)) }),
  check: checkKeys,
  diagnose: diagnoseKeys,
} satisfies ServerFamily;
