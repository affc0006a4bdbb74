/**
 * Writes docs/api.md: `pnpm docs:api`. The examples run to make the page, so the test that compares the committed page
 * with a new one runs every example too.
 */
import { writeFileSync } from "node:fs";
import { contractsOf } from "@svc/api";
import { buildPage } from "../../packages/web-verify/build.ts";
import { apiPage, missing } from "./page.ts";

await buildPage();
const contracts = contractsOf({ withMetrics: true });
const faults = missing(contracts);
if (faults.length > 0) throw new Error(faults.join("\n"));
writeFileSync(new URL("../../docs/api.md", import.meta.url), await apiPage(contracts));
