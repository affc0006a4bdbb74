/** The page on which a browser verifies. */
import { verifyPage as contracts } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { verifyPageRoutes } from "./routes.ts";

/** The family of the verify page. */
export const verifyPage = {
  name: "verify-page",
  contracts: [contracts.page],
  open: () => ({ routes: verifyPageRoutes() }),
} satisfies ServerFamily;
