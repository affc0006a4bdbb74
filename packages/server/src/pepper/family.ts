/** Rotations of the pepper, under which secrets and requests are hashed. */
import type { ServerFamily } from "../context.ts";
import { diagnosePepper } from "./diagnose.ts";
import { earlierPepper } from "./migrations/0026-earlier-pepper.ts";

/** The family of the pepper. It has no route: the operator's command rotates. */
export const pepper = {
  name: "pepper",
  migrations: [earlierPepper],
  diagnose: diagnosePepper,
} satisfies ServerFamily;
