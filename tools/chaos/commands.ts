/**
 * Steps of commands that run without the server, or beside it: how each is brought to one, and what must hold after it was cut off there. By the
 * first word of the step's name; all other steps are the server's own.
 */
import { join } from "node:path";
import type { Program } from "./program.ts";
import { must } from "./violation.ts";

/** Cuts a command off at a step, in a folder of its own. Throws Violation. */
type Trial = (program: Program, folder: string, step: string) => Promise<void>;

export const COMMANDS: Readonly<Record<string, Trial>> = {
  /** A deployment is there whole or not at all: either it is made again, or it works and wants a key. */
  init: async (program, folder, step) => {
    const data = join(folder, "data");
    const init = ["init", "--origin", "chaos.example/evidence", "--data", data, "--json"];
    const { code } = await program.run(init, { kill: { step, nth: 1 } });
    must(code === null, `init ended with ${code} before its step ${step}`);
    const again = await program.run(init);
    if (again.code !== 0) {
      const key = await program.run(["keys", "create", "--data", data, "--json"]);
      must(key.code === 0, `a deployment that was cut off can neither be made nor used: ${again.err}${key.err}`);
    }
    const fsck = await program.run(["fsck", "--data", data, "--json"]);
    must(fsck.code === 0, `fsck ends with ${fsck.code}: ${fsck.out}${fsck.err}`);
    const running = await program.mustStart(data);
    running.kill("SIGTERM");
    await running.ended;
  },
};
