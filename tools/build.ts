/** Builds all products. */
import { buildCli } from "../packages/cli/build.ts";
import { buildPlatform } from "../packages/platform/build.ts";
import { buildSdk } from "../packages/sdk/build.ts";
import { buildServer } from "../packages/server/build.ts";
import { buildPage } from "../packages/web-verify/build.ts";
import { buildWitness } from "../packages/witness/build.ts";

await buildPage();
console.log("built packages/web-verify/dist/verify.html");
await buildCli();
console.log("built packages/cli/dist/svc.mjs, and svc-start.mjs with its parts beside it");
await buildServer();
console.log("built packages/server/dist/svc-server.mjs");
await buildPlatform();
console.log("built packages/platform/dist/svc-platform.mjs");
await buildWitness();
console.log("built packages/witness/dist/svc-witness.mjs");
await buildSdk();
console.log("built packages/sdk/dist (npm pack ./packages/sdk/dist)");
