/** Tenants, their systems, and the keys by which the server knows them. */
import type { ServerFamily } from "../context.ts";
import { checkTenancy } from "./check-tenancy.ts";
import { diagnoseSystemKeys } from "./diagnose.ts";
import { keyUsesPart } from "./system-keys.ts";

/** The family of tenants and system keys. */
export const tenancy = {
  name: "tenancy",
  parts: [keyUsesPart],
  check: checkTenancy,
  diagnose: diagnoseSystemKeys,
} satisfies ServerFamily;
