/** The families of the platform, in the order in which they are opened behind the server's. To add one, add it here. */
import type { ServerFamily } from "@svc/server/program";
import { faces } from "./faces/family.ts";
import { secrets } from "./secrets/family.ts";

/** All families of the platform. */
export const PLATFORM_FAMILIES: readonly ServerFamily[] = [faces, secrets];
