/**
 * Writes docs/api: `pnpm docs:api`. The examples run to make the pages, so the test that compares the committed pages
 * with new ones runs every example too.
 */
import { contractsOf } from "@svc/api";
import { buildPage } from "../../packages/web-verify/build.ts";
import { writePages } from "./committed.ts";
import { missing } from "./missing.ts";
import { apiPages } from "./page.ts";

await buildPage();
const contracts = contractsOf({ withMetrics: true });
const faults = missing(contracts);
if (faults.length > 0) throw new Error(faults.join("\n"));
writePages(await apiPages(contracts));
