/** Builds what ships. */
import { buildCli } from "../packages/cli/build.ts";

await buildCli();
console.log("built packages/cli/dist/svc.mjs");
