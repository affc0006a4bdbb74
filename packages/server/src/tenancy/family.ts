/** Tenants, their systems, and the keys by which these are known. */
import type { ServerFamily } from "../context.ts";
import { checkTenancy } from "./check-tenancy.ts";
import { diagnoseSystemKeys } from "./diagnose.ts";

export const tenancy = {
  name: "tenancy",
  check: checkTenancy,
  diagnose: diagnoseSystemKeys,
} satisfies ServerFamily;
