/**
 * `svc bundles redact`: leaves payloads out of evidence; everything else verifies as before (protocol sections 7 and
 * 14).
 */
import { type Json, type JsonKind, type Redactable, redact } from "@svc/core";
import { escapeText } from "@svc/report";
import { Command, Option } from "commander";
import { openEvidence } from "../evidence-file/open.ts";
import { forceOption, type OutOptions, outOption, withFile } from "../evidence-file/options.ts";
import { writeResult } from "../evidence-file/write.ts";
import { EXIT, Refusal } from "../exit.ts";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { wrap } from "../render/text.ts";
import { holdResult, orRefuse } from "./hold.ts";
import { objectBytes } from "./result.ts";
import { inRanges, parseSequenceNumbers } from "./sequence-numbers.ts";

/** The kinds that carry payloads. */
const REDACTABLE: readonly JsonKind[] = ["bundle", "portable-receipt", "stream", "receipt"];

interface Options extends OutOptions {
  readonly file: string;
  readonly seq: readonly number[];
}

/** Returns the command. */
export function redactCommand(): Command {
  const command = new Command("redact")
    .description("Leave payloads out of a bundle, a portable receipt, a run of receipts or a receipt.")
    .addOption(
      new Option("--seq <numbers>", "the events, as in 3,7-9").argParser(parseSequenceNumbers).makeOptionMandatory(),
    )
    .addOption(outOption())
    .addOption(forceOption())
    .addHelpText("after", "\nNo key is needed, and every proof stays valid. source_ref, event_type and times")
    .addHelpText("after", "stay readable, and so does what fork evidence in a bundle shows.")
    .addHelpText("after", "\nExample:\n  svc bundles redact march.bundle.json --seq 3,7-9 --out march.redacted.json");
  return withFile(command, redactFile);
}

async function redactFile(options: Options): Promise<void> {
  const kernel = openKernel();
  const { value, kind } = await openEvidence(kernel, options.file, REDACTABLE);
  const redacted = orRefuse(() => redact(value as Redactable, options.seq));
  const shown = shownInForks(redacted, new Set(options.seq));
  if (shown.length > 0)
    throw new Refusal(
      EXIT.rejected,
      `The payloads of events ${inRanges(shown)} are in the fork evidence of this bundle too, which its seal ` +
        `covers: nothing was written.`,
      "Hand out portable receipts of single events instead.",
    );
  const bytes = objectBytes(kernel, redacted);
  const { assurance } = holdResult(kernel, kind, bytes);
  if (!writeResult(options, bytes, "json")) return;
  const words =
    `Wrote ${escapeText(options.out)}: without the payloads of events ${inRanges(options.seq)}. ` +
    `${assurance.redacted} of its payloads are left out now. Nothing else was changed: it verifies as before.`;
  printLines([
    ...wrap(words, { first: "", rest: "" }),
    ...wrap("source_ref, event_type and the times stay readable.", { first: "", rest: "" }),
  ]);
}

/** Returns the chosen events whose payload the fork evidence of a bundle shows. */
function shownInForks(value: Json, chosen: ReadonlySet<number>): number[] {
  const { artifacts } = value as { artifacts?: { "forks.json"?: Json } };
  const found = new Set<number>();
  const walk = (node: Json): void => {
    if (typeof node !== "object" || node === null) return;
    const { seq_no, payload } = node as { seq_no?: Json; payload?: Json };
    if (payload !== undefined && typeof seq_no === "number" && chosen.has(seq_no)) found.add(seq_no);
    for (const member of Object.values(node)) walk(member);
  };
  walk(artifacts?.["forks.json"] ?? null);
  return [...found].sort((a, b) => a - b);
}
