/** Preloaded (`--import`): ends the process with SIGKILL in the step that SVC_TEST_KILL_AT names, as a power cut would. */
import { subscribe } from "node:diagnostics_channel";
import { STEP_CHANNEL } from "../src/steps.ts";

subscribe(STEP_CHANNEL, (step) => {
  if (step === process.env.SVC_TEST_KILL_AT) process.kill(process.pid, "SIGKILL");
});
