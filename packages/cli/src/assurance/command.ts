/**
 * `svc assurance derive`: the level of each event of a bundle, and what it lacks for the next one (protocol section
 * 33).
 */
import process from "node:process";
import {
  type DerivedAssurance,
  deriveAssurance,
  type EventLevel,
  levelAfter,
  NEXT_CONDITIONS,
  type Report,
} from "@svc/core";
import { counted, escapeAll, escapeText, grouped, isDistrust, VERDICTS } from "@svc/report";
import { Command } from "commander";
import { refuseForeign, refuseOther } from "../evidence-file/not-evidence.ts";
import { named } from "../evidence-file/open.ts";
import { withFile } from "../evidence-file/options.ts";
import { withTrustOptions } from "../evidence-file/trust-options.ts";
import { EXIT, exitCodeOf, Refusal } from "../exit.ts";
import { FORMATTERS, type FormatFlags, formatOf, withFormats } from "../formats/list.ts";
import { readInput } from "../input.ts";
import { type KernelChoice, kernelOption, openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { wrap } from "../render/text.ts";
import { readTrust, type TrustOptions } from "../trust.ts";

const INDENT = { first: "  ", rest: "  " };
const BELOW = { first: "      ", rest: "      " };
/** So many groups of events are shown, and so many runs of numbers of each; `--json` has all. */
const SHOWN = 20;

interface Flags extends TrustOptions, FormatFlags, KernelChoice {
  readonly file: string;
}

/** Returns the family of commands about levels of assurance. */
export function assuranceCommand(): Command {
  return new Command("assurance")
    .description("assurance: how far the words of vaults are substantiated")
    .addCommand(deriveCommand());
}

function deriveCommand(): Command {
  const command = withTrustOptions(new Command("derive"))
    .description("Derive the level of each event of a bundle of envelopes, and what the next level takes.")
    .addOption(kernelOption());
  return withFile(
    withFormats(command, "report")
      .addHelpText("after", "\nExample:\n  svc assurance derive march.provenance.json --trust acme.trust.json")
      .addHelpText("after", "\nExit codes: 0 verified, 1 rejected, 2 untrusted, 64 wrong call, 66 a file that")
      .addHelpText("after", "cannot be read or holds no event of a vault, 70 an error of svc itself."),
    derive,
  );
}

async function derive(flags: Flags): Promise<void> {
  const { file } = flags;
  const kernel = openKernel(flags.kernel);
  const trust = await readTrust([kernel], flags);
  const bytes = await readInput(file);
  refuseOther(named(file), bytes, true);
  const derived = deriveAssurance(bytes, { kernel, ...(trust === undefined ? {} : { trust }) });
  refuseForeign(named(file), derived.report, kernel, bytes);
  if (derived.report.verdict !== "rejected" && derived.events.length === 0)
    throw new Refusal(
      EXIT.input,
      `${named(file)} holds no event that a vault sealed, so there is no level to derive.`,
      "Give a bundle of a provenance stream, or a disclosure.",
    );
  const page = () => pageOf(escapeAll(derived), escapeText(file));
  printLines(FORMATTERS[formatOf(flags)].answer({ value: derived, page }));
  process.exitCode = exitCodeOf(derived.report.verdict);
}

function pageOf({ report, events }: DerivedAssurance, file: string): string[] {
  const { word } = VERDICTS[report.verdict];
  const heading = wrap(report.subject.id ?? file, { first: word.padEnd(11), rest: " ".repeat(11) });
  if (report.verdict === "rejected") return [...heading, "", ...rejected(report)];
  const groups = groupsOf(events);
  const more = groups.length - SHOWN;
  return [
    ...heading,
    ...wrap(summary(report), { first: " ".repeat(11), rest: " ".repeat(11) }),
    "",
    ...groups.slice(0, SHOWN).flatMap(groupLines),
    ...(more > 0 ? wrap(`... and ${counted(more, "more group")} of events; --json lists all.`, INDENT) : []),
    "",
    ...wrap(
      "A level says how the vault's key is kept and what program held it; not that what it committed to is true, " +
        "nor who made the content.",
      INDENT,
    ),
    ...(report.verdict === "untrusted" ? ["", ...problems(report)] : []),
  ];
}

/** Returns events of which the same is to be said, by the first of each. */
function groupsOf(events: readonly EventLevel[]): EventLevel[][] {
  const groups = new Map<string, EventLevel[]>();
  for (const event of events) {
    const { seq_no: _number, source_ref: _source, ...said } = event;
    const key = JSON.stringify(said);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  return [...groups.values()];
}

function groupLines(events: readonly EventLevel[]): string[] {
  const [first] = events;
  if (first === undefined) return [];
  const { installation_id, claimed, effective, substantiated_by, missing } = first;
  const next = levelAfter(effective);
  const claims = claimed === null ? "its claim is left out" : `claims ${claimed}`;
  const word = { verifier: ", by your own check", service: ", on the service's word", none: "" }[substantiated_by];
  return [
    ...wrap(`${numbersOf(events)}, sealed by ${installation_id}`, INDENT),
    ...wrap(`${claims}; counts as ${effective}${word}`, BELOW),
    ...(missing === null || next === null ? [] : wrap(`for ${next} it takes ${NEXT_CONDITIONS[missing]}`, BELOW)),
  ];
}

/** Returns `event 5`, or `events 1 to 4, 6 and 8 to 10`. */
function numbersOf(events: readonly EventLevel[]): string {
  const runs: [number, number][] = [];
  for (const { seq_no } of events) {
    const run = runs.at(-1);
    if (seq_no === null) continue;
    if (run !== undefined && run[1] + 1 === seq_no) run[1] = seq_no;
    else runs.push([seq_no, seq_no]);
  }
  if (runs.length === 0) return "an event without a receipt";
  const shown = runs
    .slice(0, SHOWN)
    .map(([from, to]) => (from === to ? grouped(to) : `${grouped(from)} to ${grouped(to)}`));
  if (runs.length > SHOWN) shown.push("more");
  const last = shown.pop() ?? "";
  const all = shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
  return `${events.length === 1 ? "event" : "events"} ${all}`;
}

function summary({ assurance: { provenance } }: Report): string {
  const { effective = { L0: 0, L1: 0, L2: 0, L3: 0 }, vault_keys = "none" } = provenance ?? {};
  const levels = (["L3", "L2", "L1", "L0"] as const).filter((level) => effective[level] > 0);
  const counts = levels.map((level) => `${grouped(effective[level])} at ${level}`).join(", ");
  const keys = {
    pinned: "you pin the keys of the vaults",
    "service-vouched": "the service vouches for the keys of the vaults",
    none: "nobody you trust has told the keys of the vaults",
  }[vault_keys];
  return `${counts}; ${keys}`;
}

function rejected(report: Report): string[] {
  return [...wrap("It does not hold, so that nothing in it has a level.", INDENT), "", ...problems(report)];
}

function problems({ problems: found }: Report): string[] {
  return found
    .slice(0, 5)
    .flatMap((problem) => [
      ...wrap(`${isDistrust(problem) ? "◐" : "✗"} ${problem.code} at ${problem.path || "/"}`, INDENT),
      ...wrap(problem.message, { first: "    ", rest: "    " }),
    ]);
}
