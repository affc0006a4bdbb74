/** `svc conformance`: runs this implementation on cases of others, one JSON object a line (docs/conformance.md). */
import process from "node:process";
import { Command } from "commander";
import { standardInput } from "../input.ts";
import { type KernelChoice, kernelOption, openKernel } from "../kernel.ts";
import { wrap } from "../render/text.ts";
import { OPERATION_NAMES } from "./answer.ts";
import { converse } from "./converse.ts";

/** Returns the command. It ends with the input, and with 0: a bad case is an answer. */
export function conformanceCommand(): Command {
  return new Command("conformance")
    .description("Answer conformance cases: one JSON object a line on standard input, one answer a line.")
    .addOption(kernelOption())
    .addHelpText("after", '\nExample:\n  echo \'{"id":1,"op":"merkle.root","leaves":["00"]}\' | svc conformance\n')
    .addHelpText("after", `${wrap(OPERATION_NAMES.join(", "), { first: "Operations: ", rest: "  " }).join("\n")}\n`)
    .addHelpText("after", "Exit codes: 0 end of input, 64 wrong call, 66 input that cannot be read,")
    .addHelpText("after", "70 an error of svc itself. A bad case is an answer, never an exit.")
    .action(({ kernel }: KernelChoice) => converse(standardInput(), process.stdout, openKernel(kernel)));
}
