/** The program `svc-server`: the thin server. */
import { programOf } from "../program/program-of.ts";

const isBuilt = !import.meta.url.endsWith(".ts");

/** The thin server's families, and no others. */
export const THIN_SERVER = programOf({
  name: "svc-server",
  description: "Records events as evidence that anyone can verify, offline.",
  callInRepository: "npx -y pnpm@12 run svc-server",
  added: [],
  threads: {
    // The built program has its threads beside it.
    recording: new URL(isBuilt ? "./recording-thread.mjs" : "./recording-thread.ts", import.meta.url),
    reading: new URL(isBuilt ? "./reading-thread.mjs" : "./reading-thread.ts", import.meta.url),
  },
});
