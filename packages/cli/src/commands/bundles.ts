/** `svc bundles ...`: evidence of a whole range of a stream, in one file (protocol section 14). */
import { Command } from "commander";
import { verifyFileCommand } from "./verify-file.ts";

/** The family of commands about bundles. */
export function bundlesCommand(): Command {
  return new Command("bundles")
    .description("bundles: all events of a range, with everything that proves them")
    .addCommand(
      verifyFileCommand(
        "offline-verify",
        "bundle",
        "Verify a bundle on this machine alone; no connection is opened.",
        "svc bundles offline-verify --file march.bundle.json --trust acme.trust.json",
      ),
    );
}
