/** The thin server with the throw-away family. */
import { programOf } from "../../../src/entries/program.ts";
import { notes } from "./family.ts";

/** The program. */
export const WITH_NOTES = programOf({
  name: "svc-notes",
  description: "A program for tests.",
  callInRepository: "svc-notes",
  added: [notes],
  threads: {
    recording: new URL("./recording-thread.ts", import.meta.url),
    reading: new URL("./reading-thread.ts", import.meta.url),
  },
});
