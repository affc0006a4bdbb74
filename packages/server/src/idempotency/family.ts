/** Repeated requests: what is kept to recognise them, and for how long. */
import type { ServerFamily } from "../context.ts";
import { createForgetting } from "./forget-old.ts";
import { idempotencySettings } from "./settings.ts";

export const idempotency = {
  name: "idempotency",
  settings: idempotencySettings,
  open: (context) => ({ jobs: [createForgetting(context, context.settings(idempotencySettings))] }),
} satisfies ServerFamily;
