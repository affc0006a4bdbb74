/** The reading thread of the platform. */
import { readFor } from "@svc/server/program";
import { PLATFORM } from "./program.ts";

readFor(PLATFORM);
