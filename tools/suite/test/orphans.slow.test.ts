/**
 * A script that ends, however it ends, leaves none of its processes behind: real scripts, in a short form. That of the
 * demo stands with its stories, which share a folder with it.
 */
import { describe, test } from "node:test";
import { type Ending, leavesNothing, NO_PROC } from "@svc/testkit/left-behind";

const SERVER = /(?:svc-server\.mjs|server\/src\/main\.ts) start /;
const ENDINGS: readonly Ending[] = [
  { signal: "SIGTERM", to: "script" },
  { signal: "SIGKILL", to: "script" },
];
/** By script: a process that it has when it is ended. */
const SCRIPTS = [
  { script: ["bench", "export", "--quick"], form: SERVER },
  { script: ["chaos", "--rounds", "1000"], form: SERVER },
  { script: ["test", "tools/suite/test/samples/starts.mjs"], form: / started-by-a-test $/ },
  { script: ["test:again", "tools/suite/test/samples/starts.mjs"], form: / started-by-a-test $/ },
];

for (const { script, form } of SCRIPTS)
  describe(`pnpm ${script[0]} leaves no process behind`, { skip: NO_PROC }, () => {
    for (const ending of ENDINGS)
      test(`after ${ending.signal} to the ${ending.to}`, (t) =>
        leavesNothing(t, ["tools/run.mjs", ...script], form, ending));
  });
