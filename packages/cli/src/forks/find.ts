/**
 * `svc forks find`: makes one small proof that convinces others out of two files that contradict each other (protocol
 * section 11). Finding nothing is an answer; so is finding something, and a script must notice it.
 */
import process from "node:process";
import {
  type Compared,
  type Contradiction,
  comparedOf,
  contradictions,
  decode,
  detectKind,
  type ForkEvidence,
  findFork,
  type Json,
  type Kernel,
  type Kind,
  type Policy,
  parseNote,
  randomId,
  type TrustPolicy,
  verify,
} from "@svc/core";
import { escapeText, forkSentence, nounOf, PROOF_WORDS } from "@svc/report";
import { Command, Option } from "commander";
import { objectBytes } from "../cut/result.ts";
import { refuseOther } from "../evidence-file/not-evidence.ts";
import { named, openBundle } from "../evidence-file/open.ts";
import { collect, forceOption, type OutOptions, outOption } from "../evidence-file/options.ts";
import { shellWord } from "../evidence-file/shell-word.ts";
import { withTrustOptions } from "../evidence-file/trust-options.ts";
import { writeResult } from "../evidence-file/write.ts";
import { EXIT, Refusal } from "../exit.ts";
import { readInput } from "../input.ts";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { wrap } from "../render/text.ts";
import { readTrust, type TrustOptions } from "../trust.ts";

/** The kinds with parts that can contradict each other. */
const COMPARABLE: readonly Kind[] = [
  "receipt",
  "stream",
  "window",
  "checkpoint",
  "consistency",
  "bundle",
  "portable-receipt",
  "anchor",
];
const PLAIN = { first: "", rest: "" };

interface Options extends OutOptions, TrustOptions {
  readonly policy?: readonly string[];
}

/** Returns the command. */
export function findForkCommand(): Command {
  return withTrustOptions(new Command("find"))
    .description("Look for a contradiction between two files, and write portable proof of it.")
    .argument("<a>", "a bundle, a receipt, a window, a checkpoint, an anchor or a signed note")
    .argument("<b>", "another one")
    .addOption(
      new Option(
        "--policy <path>",
        "the policy of a checkpoint, which says by when it must cover a receipt; repeatable",
      ).argParser(collect),
    )
    .addOption(outOption().makeOptionMandatory())
    .addOption(forceOption())
    .addHelpText("after", "\nA receipt and a checkpoint that leaves it out for too long are a broken")
    .addHelpText("after", "promise. A lone checkpoint only names its policy: give that with --policy, or a")
    .addHelpText("after", "bundle that has it.")
    .addHelpText("after", "\nExample:\n  svc forks find march.bundle.json retold.bundle.json --out fork.json")
    .addHelpText("after", "\nExit codes: 0 nothing found, 1 found, 64 wrong call, 66 unreadable file,")
    .addHelpText("after", "70 an error of svc itself.")
    .action(find);
}

async function find(a: string, b: string, options: Options): Promise<void> {
  if (a === "-" && b === "-")
    throw new Refusal(EXIT.usage, "Both files cannot be standard input.", "Give one of them as a file.");
  const kernel = openKernel();
  const trust = await readTrust([kernel], options);
  const [left, right] = [await openSide(kernel, a), await openSide(kernel, b)];
  const policies = await readPolicies(kernel, options.policy ?? []);
  const found = findFork(left, right, {
    fork_id: randomId("frk", Date.now(), crypto.getRandomValues(new Uint8Array(16))),
    detected_at: new Date().toISOString(),
    kernel,
    policies,
    ...(trust === undefined ? {} : { trust }),
  });
  if (found !== null) {
    writeFound(kernel, found, trust, options);
    return;
  }
  const sides = [shownSide(kernel, a, left, trust), shownSide(kernel, b, right, trust)];
  const [contradiction] = contradictions(sides.map(({ compared }) => compared));
  if (contradiction === undefined) printNothing(a, b, options);
  else printUnproven(contradiction, sides, options);
}

/** Resolves to policies, or to those of bundles. Refuses any other file (66). */
async function readPolicies(kernel: Kernel, paths: readonly string[]): Promise<Policy[]> {
  const policies: Policy[] = [];
  for (const path of paths) {
    const bytes = await readInput(path);
    refuseOther(named(path), bytes);
    const parsed = kernel.parseJson(bytes);
    const value = parsed.ok ? (parsed.value as Json) : null;
    if (value !== null && detectKind(value) === "bundle")
      policies.push(...(await openBundle(kernel, path)).bundle.artifacts["witnesses.json"].policies);
    else if (value !== null && isPolicy(value)) policies.push(value);
    else
      throw new Refusal(
        EXIT.input,
        `${named(path)} is no policy of a stream, and no bundle.`,
        "Give the policy that the checkpoint names by its digest, or a bundle over the time.",
      );
  }
  return policies;
}

/** Says whether a value looks like a policy. No checkpoint names the digest of any other value. */
function isPolicy(value: Json): value is Json & Policy {
  const { policy_id, window_max_seconds } = value as Readonly<Record<string, unknown>>;
  return typeof policy_id === "string" && typeof window_max_seconds === "number";
}

/**
 * Resolves to a side for findFork: the text of a signed note, or an object with parts. Anything else is refused: it
 * would look like no contradiction.
 */
async function openSide(kernel: Kernel, path: string): Promise<Json> {
  const bytes = await readInput(path);
  refuseOther(named(path), bytes);
  const decoded = decode(kernel, bytes);
  if (decoded.ok && COMPARABLE.includes(decoded.kind)) return decoded.value;
  const note = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (decoded.kind === null && parseNote(note) !== null) return note;
  const what = decoded.ok
    ? `is ${nounOf(decoded.kind)}, which holds nothing to compare`
    : `cannot be read as evidence or as a signed note: ` +
      `${decoded.code}${decoded.path === "" ? "" : ` at ${decoded.path}`}. ${decoded.message}`;
  const name = named(path);
  throw new Refusal(
    EXIT.input,
    `${name} ${what}${what.endsWith(".") ? "" : "."}`,
    "Give bundles, receipts, windows, checkpoints, anchors or notes as they were handed to you.",
  );
}

function printNothing(a: string, b: string, { out }: Options): void {
  const words = `Nothing found: what ${escapeText(a)} and ${escapeText(b)} show does not contradict each other.`;
  const caution = "That is no proof of one history: a contradiction can lie in what neither file shows.";
  const lines = [...wrap(words, PLAIN), ...wrap(caution, PLAIN)];
  // Standard output is for the proof then, and no proof was found.
  if (out === "-") process.stderr.write(`${lines.join("\n")}\n`);
  else printLines(lines);
}

/** Says that two files contradict each other, in the words of `svc verify`, though they hold no proof for others. */
function printUnproven(found: Contradiction, sides: readonly ShownSide[], { out }: Options): void {
  const { stream_id, place, reached } = found;
  const names = sides.map(({ file }) => escapeText(file));
  const unchecked = sides.flatMap(({ file, isSigned }) => (isSigned ? [] : [escapeText(file)]));
  const words = forkSentence({ stream_id, names, more: [], place, reached, unchecked });
  const lines = [...wrap(`Found: ${words}`, PLAIN), ...wrap(PROOF_WORDS.unproven, PLAIN)];
  // Standard output is for the proof then, and none was made.
  if (out === "-") process.stderr.write(`${lines.join("\n")}\n`);
  else printLines(lines);
  process.exitCode = EXIT.rejected;
}

/** A side as it is compared. */
interface ShownSide {
  readonly file: string;
  readonly compared: Compared;
  /** Whether every signature in it was checked and holds. */
  readonly isSigned: boolean;
}

function shownSide(kernel: Kernel, file: string, side: Json, trust: TrustPolicy | undefined): ShownSide {
  // A signed note is its own text.
  const bytes = typeof side === "string" ? new TextEncoder().encode(side) : kernel.canonicalize(side);
  const report = verify(bytes, { kernel, ...(trust === undefined ? {} : { trust }) });
  return { file, compared: comparedOf(report), isSigned: report.assurance.signed };
}

function writeFound(kernel: Kernel, fork: ForkEvidence, trust: TrustPolicy | undefined, options: Options): void {
  const bytes = objectBytes(kernel, fork);
  const report = verify(bytes, { kind: "fork", kernel, ...(trust === undefined ? {} : { trust }) });
  if (writeResult(options, bytes, "json")) {
    const name = escapeText(options.out);
    const whose = report.ok
      ? "The proof is verified under your trust."
      : report.assurance.signed
        ? "Its signatures hold; whose key it is, you have not said."
        : "Its signatures were not checked: a key is missing. Give it with --public-key-hex, or it convinces nobody.";
    printLines([
      ...wrap(`Found: two histories. ${name} is proof of the kind ${fork.kind}, ${about(fork)}.`, PLAIN),
      ...wrap(whose, PLAIN),
      "",
      ...wrap("Give it to others; they check it with svc alone:", PLAIN),
      `    svc forks verify ${shellWord(options.out)} --public-key-hex <key>`,
    ]);
  }
  process.exitCode = EXIT.rejected;
}

function about({ stream_id, left }: ForkEvidence): string {
  const { seq_no, window_no, window_count } = (typeof left === "string" ? {} : left) as Readonly<
    Record<string, unknown>
  >;
  const place =
    seq_no !== undefined
      ? `event ${seq_no} of `
      : window_no !== undefined
        ? `window ${window_no} of `
        : window_count !== undefined
          ? `the tree of ${window_count} windows of `
          : "";
  return `about ${place}${escapeText(stream_id ?? "the service's log")}`;
}
