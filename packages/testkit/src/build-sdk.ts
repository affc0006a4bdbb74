/** A thread that builds the SDK's package: its declarations take a processor as long as the page's script does. */
import { workerData } from "node:worker_threads";
import { buildSdk } from "../../sdk/build.ts";

await buildSdk(workerData);
