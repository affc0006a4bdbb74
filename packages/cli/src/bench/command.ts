/**
 * `svc bench`: measures how fast this machine verifies, on evidence that it makes in memory. It reads no file and
 * writes none.
 */
import process from "node:process";
import { type Json, type Kernel, type Kind, VERSION, verify } from "@svc/core";
import { grouped } from "@svc/report";
import { Command } from "commander";
import { FORMATTERS, type FormatFlags, formatOf, withFormats } from "../formats/list.ts";
import { type KernelChoice, kernelOption, openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { type Row, table } from "../render/table.ts";
import { wrap } from "../render/text.ts";
import { type BenchEvidence, benchEvidence } from "./evidence.ts";
import { rateOf } from "./rate.ts";

/** Each of the three rates is measured for so long, in milliseconds. */
const MEASURED_MS = 1000;
/**
 * Events of the bundle: enough that the work for the bundle as a whole weighs little, and few enough for the reference
 * kernel.
 */
const EVENTS = 512;

interface Options extends KernelChoice, FormatFlags {}

/** The measured rates, per second. */
interface Rates {
  readonly receipts: number;
  readonly bundles: number;
  readonly signatures: number;
}

/** Returns the command. */
export function benchCommand(): Command {
  const command = new Command("bench")
    .description("Measure for about three seconds how fast this machine verifies.")
    .addOption(kernelOption());
  return withFormats(command, "rates")
    .addHelpText("after", "\nExample:\n  svc bench")
    .addHelpText(
      "after",
      "\nOne thread, all in memory; nothing is read or written. The reference kernel\ntakes longer.",
    )
    .action(bench);
}

async function bench({ kernel: name, ...flags }: Options): Promise<void> {
  const kernel = openKernel(name);
  const evidence = await benchEvidence(kernel, EVENTS);
  const rates = measured(kernel, evidence);
  const answer = { value: figures(kernel, evidence, rates), page: () => page(kernel, evidence, rates) };
  printLines(FORMATTERS[formatOf(flags)].answer(answer));
}

function measured(kernel: Kernel, { receipt, bundle, signatures, trust }: BenchEvidence): Rates {
  const verified = (kind: Kind, bytes: Uint8Array) => () => {
    const { verdict, problems } = verify(bytes, { kind, kernel, trust });
    // Fast and wrong must not count.
    if (verdict !== "verified") throw new Error(`the ${kind} that bench made is ${verdict}: ${problems[0]?.code}`);
  };
  const held = () => {
    if (!kernel.verifyEd25519(signatures).every(Boolean)) throw new Error("a signature that bench made does not hold");
  };
  return {
    receipts: rateOf(verified("receipt", receipt), MEASURED_MS),
    bundles: rateOf(verified("bundle", bundle), MEASURED_MS),
    signatures: rateOf(held, MEASURED_MS) * signatures.length,
  };
}

function figures(kernel: Kernel, { bundle }: BenchEvidence, { receipts, bundles, signatures }: Rates): Json {
  return {
    receipts_per_second: Math.round(receipts),
    bundle: {
      events: EVENTS,
      bytes: bundle.length,
      bundles_per_second: Number(bundles.toFixed(2)),
      events_per_second: Math.round(bundles * EVENTS),
    },
    signatures_per_second: Math.round(signatures),
    kernel: kernel.name,
    kernel_sha256: kernel.sha256Hex,
    svc: VERSION,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}

function page(kernel: Kernel, { bundle }: BenchEvidence, { receipts, bundles, signatures }: Rates): string[] {
  const rows: Row[] = [
    ["one receipt", `${grouped(Math.round(receipts))} a second`],
    [
      "a bundle",
      `${grouped(Math.round(bundles * EVENTS))} events a second, of ${EVENTS} events and ` +
        `${grouped(Math.round(bundle.length / 1000))} kB each`,
    ],
    ["signatures", `${grouped(Math.round(signatures))} a second`],
  ];
  return [
    "Verified in one thread, from memory:",
    "",
    ...table(rows),
    "",
    ...wrap(
      `kernel ${kernel.name}${kernel.sha256Hex === null ? "" : ` ${kernel.sha256Hex}`}, svc ${VERSION}, Node ` +
        `${process.version}, ${process.platform} ${process.arch}`,
      { first: "  ", rest: "  " },
    ),
  ];
}
