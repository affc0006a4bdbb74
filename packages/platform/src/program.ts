/** The program `svc-platform`: the thin server's families and the platform's, on the same data folder. */
import { programOf } from "@svc/server/program";
import { PLATFORM_FAMILIES } from "./families.ts";
import { secretsCommand } from "./secrets/commands.ts";

const end = import.meta.url.endsWith(".ts") ? "ts" : "mjs";

/** The program. */
export const PLATFORM = programOf({
  name: "svc-platform",
  description: "Records events as evidence that anyone can verify, offline, for teams that sign in.",
  callInRepository: "npx -y pnpm@12 run svc-platform",
  added: PLATFORM_FAMILIES,
  commands: (program) => [secretsCommand(program)],
  threads: {
    // The built program has its threads beside it.
    recording: new URL(`./recording-thread.${end}`, import.meta.url),
    reading: new URL(`./reading-thread.${end}`, import.meta.url),
  },
});
