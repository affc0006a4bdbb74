/** The families whose single objects a server verifies: windows, checkpoints, anchors. */
import { Command } from "commander";
import { onlineVerifyCommand } from "./verify.ts";

const AT = "--server https://evidence.example";

/** Returns `svc windows`, `svc checkpoints` and `svc anchors`, each with `verify`. */
export function onlineCommands(): Command[] {
  return [
    new Command("windows")
      .description("windows: a range of events under one root")
      .addCommand(onlineVerifyCommand("window", `svc windows verify window.json ${AT}`)),
    new Command("checkpoints")
      .description("checkpoints: the state of a stream after some windows")
      .addCommand(onlineVerifyCommand("checkpoint", `svc checkpoints verify checkpoint.json ${AT}`)),
    new Command("anchors")
      .description("anchors: an epoch of the service's log, in a public chain")
      .addCommand(onlineVerifyCommand("anchor", `svc anchors verify anchor.json ${AT}`)),
  ];
}
