/**
 * Writes docs/api.md: `pnpm docs:api`. The page is what the examples show when they run, so that the test which holds the committed page
 * against a new one runs every example too.
 */
import { writeFileSync } from "node:fs";
import { buildPage } from "../../packages/web-verify/build.ts";
import { apiPage, missing } from "./page.ts";
import { withRoutes } from "./routes.ts";

await buildPage();
const target = new URL("../../docs/api.md", import.meta.url);
await withRoutes(async (routes) => {
  const faults = missing(routes);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  writeFileSync(target, await apiPage(routes));
});
