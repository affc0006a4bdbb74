/** `svc receipts ...`: the service's signed answer to one event (protocol section 7). */
import { Command } from "commander";
import { extractCommand } from "../cut/extract.ts";
import { verifyFileCommand } from "../verify/file.ts";
import { withPayload } from "./payload.ts";

/** Returns the family of commands about receipts. */
export function receiptsCommand(): Command {
  return new Command("receipts")
    .description("receipts: what the service signed when it accepted one event")
    .addCommand(
      verifyFileCommand(
        "verify",
        "receipt",
        "Verify one receipt on this machine alone; no connection is opened.",
        "svc receipts verify loan-1005.receipt.json --trust acme.trust.json",
        withPayload,
      ),
    )
    .addCommand(
      extractCommand("export", "svc receipts export march.bundle.json --seq 5 --out loan-1005.portable.json"),
    );
}
