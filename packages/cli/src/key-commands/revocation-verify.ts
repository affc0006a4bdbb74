/**
 * `svc keys revocation-verify`: tells what the status of a vault's key means for one event that the key sealed: the
 * cell of the table in protocol section 26. It makes a disclosure that opens nothing of the receipt and the status, so
 * that one verifier judges both.
 */
import { discloseNothing, type Json, type JsonObject, type Kernel } from "@svc/core";
import { Command, Option } from "commander";
import { openBytes } from "../evidence-file/open.ts";
import { once } from "../evidence-file/options.ts";
import { shellWord } from "../evidence-file/shell-word.ts";
import { EXIT, Refusal } from "../exit.ts";
import { readInput } from "../input.ts";
import { readByAll } from "../kernels-agree.ts";
import { type Preparation, verifyFile } from "../verify/file.ts";
import { type VerifyFlags, withVerifyOptions } from "../verify/options.ts";

interface Flags extends VerifyFlags {
  readonly status: string;
  readonly receipt: string;
}

/** Returns the command. */
export function revocationVerifyCommand(): Command {
  return withVerifyOptions(new Command("revocation-verify"))
    .description("Tell what the status of a vault's key means for one event; no connection is opened.")
    .addOption(new Option("--status <path>", "the status of the key").argParser(once).makeOptionMandatory())
    .addOption(
      new Option("--receipt <path>", "the portable receipt of the event, with its payload")
        .argParser(once)
        .makeOptionMandatory(),
    )
    .addHelpText(
      "after",
      "\nExample:\n  svc keys revocation-verify --status key.status.json --receipt contract.portable.json " +
        "--trust acme.trust.json",
    )
    .addHelpText("after", "\nExit codes: 0 verified, 1 rejected, 2 untrusted,")
    .addHelpText("after", "64 wrong call, 66 a file that cannot be read or is no evidence at all,")
    .addHelpText("after", "or a --report that cannot be written, 70 an error of svc itself.")
    .action((flags: Flags) => verifyFile("disclosure", { ...flags, file: flags.receipt }, WITH_STATUS));
}

const WITH_STATUS: Preparation<Flags> = {
  addOptions: (command) => command,
  paths: ({ status, receipt }) => ({ "--status": status, "--receipt": receipt }),
  words: ({ status, receipt }) => [`--status ${shellWord(status)}`, `--receipt ${shellWord(receipt)}`],
  command: "svc keys revocation-verify",
  isMade: true,
  prepare: async (kernels, bytes, { status, receipt }) => {
    const other = await readInput(status);
    const joined = (kernel: Kernel): Uint8Array => {
      const portable = openBytes(kernel, receipt, bytes, ["portable-receipt"]).value as JsonObject;
      const keyStatus = openBytes(kernel, status, other, ["key-status"]).value as JsonObject;
      return kernel.canonicalize(withStatus(kernel, portable, keyStatus));
    };
    return readByAll(kernels, "receipt", joined, (joint) => Buffer.from(joint).toString("latin1"));
  },
};

function withStatus(kernel: Kernel, receipt: JsonObject, keyStatus: JsonObject): Json {
  const disclosure = discloseNothing(kernel, receipt as never, keyStatus as never);
  if (disclosure !== null) return disclosure as unknown as Json;
  throw new Refusal(
    EXIT.input,
    "The receipt holds no sealed envelope: its payload is left out, or no vault has sealed it.",
    "Ask for the receipt with its payload.",
  );
}
