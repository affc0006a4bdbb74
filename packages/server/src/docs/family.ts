/** The service's description of itself: its front page, the OpenAPI document and the page of routes. */
import { docs as contracts, contractsOf } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { faceSettings } from "../faces.ts";
import { metricsSettings } from "../metrics/settings.ts";
import { docsRoutes } from "./routes.ts";

/** The family of documentation. */
export const docs = {
  name: "docs",
  contracts: [contracts.front, contracts.document, contracts.page],
  settings: faceSettings,
  open: ({ settings, origin }) => {
    const { metricsPort, metricsToken } = settings(metricsSettings);
    const withMetrics = metricsPort === null && metricsToken !== null;
    return { routes: docsRoutes(contractsOf({ withMetrics }), settings(faceSettings).apiUrl, origin) };
  },
} satisfies ServerFamily;
