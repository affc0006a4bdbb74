/** `svc bundles ...`: evidence of a whole range of a stream, in one file (protocol section 14). */
import { Command } from "commander";
import { extractCommand } from "../cut/extract.ts";
import { noteCommand } from "../cut/note.ts";
import { redactCommand } from "../cut/redact.ts";
import { tlogPolicyCommand } from "../cut/tlog-policy.ts";
import { tlogProofCommand } from "../cut/tlog-proof.ts";
import { onlineVerifyCommand } from "../online/verify.ts";
import { verifyFileCommand } from "../verify/file.ts";
import { continuityCommand } from "./continuity.ts";
import { provenanceVerifyCommand } from "./provenance-verify.ts";
import { showCommand } from "./show.ts";

/** Returns the family of commands about bundles. */
export function bundlesCommand(): Command {
  return new Command("bundles")
    .description("bundles: all events of a range, with everything that proves them")
    .addCommand(
      verifyFileCommand(
        "offline-verify",
        "bundle",
        "Verify a bundle on this machine alone; no connection is opened.",
        "svc bundles offline-verify march.bundle.json --trust acme.trust.json",
      ),
    )
    .addCommand(provenanceVerifyCommand())
    .addCommand(onlineVerifyCommand("bundle", "svc bundles verify march.bundle.json --server https://evidence.example"))
    .addCommand(continuityCommand())
    .addCommand(showCommand())
    .addCommand(redactCommand())
    .addCommand(
      extractCommand("extract", "svc bundles extract march.bundle.json --seq 5 --out loan-1005.portable.json"),
    )
    .addCommand(noteCommand())
    .addCommand(tlogProofCommand())
    .addCommand(tlogPolicyCommand());
}
