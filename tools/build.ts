/** Builds what ships. */
import { buildCli } from "../packages/cli/build.ts";
import { buildServer } from "../packages/server/build.ts";

await buildCli();
console.log("built packages/cli/dist/svc.mjs");
await buildServer();
console.log("built packages/server/dist/svc-server.mjs");
