/**
 * `svc ivc epochs verify`: verifies an epoch by computing it again on this machine (protocol section 32), or, if the
 * call names a server, has that server verify it.
 */
import { Command, Option } from "commander";
import { once, withFile } from "../evidence-file/options.ts";
import { askServer } from "../online/verify.ts";
import { verifyFile } from "../verify/file.ts";
import { type VerifyFlags, withVerifyOptions } from "../verify/options.ts";

interface Flags extends VerifyFlags {
  readonly file: string;
  readonly server?: string;
  readonly local?: true;
}

/** The options that no server gets: it must not look as if it had met what they demand. */
const ONLY_HERE = ["stream", "from", "to", "quorum", "require", "link", "report", "crossCheck", "kernel", "jobs"];

/** Returns `svc ivc epochs` with `verify`. */
export function ivcCommand(): Command {
  return new Command("ivc")
    .description("ivc: checkpoints of a stream, folded into one state")
    .addCommand(
      new Command("epochs").description("epochs: runs of checkpoints that are folded").addCommand(epochsVerify()),
    );
}

function epochsVerify(): Command {
  const command = withVerifyOptions(new Command("verify"))
    .description("Verify an epoch by computing it again on this machine; no connection is opened.")
    .addOption(
      new Option("--server <url>", "ask this server instead; the whole file is sent to it")
        .argParser(once)
        .conflicts(ONLY_HERE),
    )
    .option("--local", "with --server: verify here as well, under your own trust, and list the differences")
    .addHelpText("after", "\nIt is computed again: not short, hiding nothing, and reviewed by nobody.")
    .addHelpText("after", "A later epoch starts from a state that it only states, unless --link gives the")
    .addHelpText("after", "epoch before.")
    .addHelpText("after", "\nExample:\n  svc ivc epochs verify epoch.json --trust acme.trust.json")
    .addHelpText("after", "\nExit codes: 0 verified, 1 rejected, 2 untrusted,")
    .addHelpText("after", "64 wrong call, 66 a file that cannot be read or is no evidence at all,")
    .addHelpText("after", "or a --report that cannot be written, 70 an error of svc itself, or no answer.");
  return withFile(command, (flags: Flags) =>
    flags.server === undefined ? verifyFile("ivc-epoch", flags) : askServer("ivc-epoch", flags),
  );
}
