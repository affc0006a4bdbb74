/** The thread of the platform that records. */
import { recordFor } from "@svc/server/program";
import { PLATFORM } from "./program.ts";

await recordFor(PLATFORM);
