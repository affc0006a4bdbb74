/**
 * `svc watch`: a monitor that follows the checkpoints of a stream, and sees that each extends the last one that it has
 * seen. It trusts only keys that its owner has pinned: a service that could name its own key could tell anything.
 */
import { lstatSync } from "node:fs";
import process from "node:process";
import type { ForkEvidence, Kernel, Report } from "@svc/core";
import { escapeText } from "@svc/report";
import { Command, Option } from "commander";
import { objectBytes } from "../cut/result.ts";
import { collect, once, ordinal } from "../evidence-file/options.ts";
import { shellWord } from "../evidence-file/shell-word.ts";
import { withTrustOptions } from "../evidence-file/trust-options.ts";
import { createFile, unwritable } from "../evidence-file/write.ts";
import { EXIT, Refusal } from "../exit.ts";
import { openKernel } from "../kernel.ts";
import { reasonOf } from "../online/no-answer.ts";
import { serverUrl } from "../online/server-url.ts";
import { printError, printLines } from "../output.ts";
import { wrap } from "../render/text.ts";
import { readTrust, type TrustOptions } from "../trust.ts";
import { parseStreamId } from "../verify/options.ts";
import { type Looked, look, type Watcher } from "./look.ts";
import { checkReceipts, type HeldReceipt, readReceipts } from "./receipts.ts";
import { WatchedService } from "./service.ts";
import { readState, type WatchState, writeState } from "./state.ts";

const PLAIN = { first: "", rest: "" };
const DEFAULT_SECONDS = 60;
/** A verdict on evidence comes in much less than half a minute. */
const REPORT_LIMITS = { timeoutMs: 30_000, maxBytes: 1024 ** 2 };

interface Options extends TrustOptions {
  readonly stream: string;
  readonly state: string;
  readonly fork?: string;
  readonly receipts?: readonly string[];
  readonly report?: string;
  readonly once?: true;
  readonly every?: number;
}

/** The parts of a watch that stay the same from look to look. */
interface Watch {
  readonly kernel: Kernel;
  readonly service: WatchedService;
  readonly trust: Watcher["trust"];
  readonly held: readonly HeldReceipt[];
  readonly options: Options;
}

/** Returns the command. */
export function watchCommand(): Command {
  return withTrustOptions(new Command("watch"))
    .description("Watch a stream: verify that each checkpoint extends the last one seen.")
    .argument("<url>", "the service")
    .addOption(new Option("--stream <id>", "the stream").argParser(parseStreamId).makeOptionMandatory())
    .addOption(
      new Option("--state <path>", "what the watcher remembers; made by the first look")
        .argParser(once)
        .makeOptionMandatory(),
    )
    .addOption(new Option("--once", "look once and end, for a timer such as cron"))
    .addOption(
      new Option("--every <seconds>", "how long to wait between two looks; 60 by default")
        .argParser(ordinal)
        .conflicts("once"),
    )
    .addOption(
      new Option("--receipts <paths...>", "receipts that you hold: each must be covered in time").argParser(collect),
    )
    .addOption(
      new Option("--fork <path>", "where proof of a fork goes; by default the state's name with .fork.json").argParser(
        once,
      ),
    )
    .addOption(new Option("--report <url>", "a service to which proof of a fork is sent").argParser(once))
    .addHelpText("after", "\nThe service is asked with the key in SVC_API_KEY, which must be allowed to")
    .addHelpText("after", "read the stream. Whose checkpoints count, your pins alone say: no key that the")
    .addHelpText("after", "service names is trusted. Proof of a fork is never written over, and what was")
    .addHelpText("after", "remembered stays as it was.")
    .addHelpText(
      "after",
      "\nExample:\n  svc watch https://evidence.example --stream $STREAM --state loans.watch --once " +
        "--public-key-hex $KEY",
    )
    .addHelpText("after", "\nExit codes: 0 nothing but growth, 1 a fork, a broken promise, an older state, or")
    .addHelpText("after", "a checkpoint that does not hold, 2 a key that you do not trust, 64 wrong call,")
    .addHelpText("after", "66 no usable answer (without --once it is asked again), 70 an error of svc.")
    .action(watch);
}

async function watch(url: string, options: Options): Promise<void> {
  const address = serverUrl(url, undefined, "The address");
  const kernel = openKernel();
  const trust = await readTrust([kernel], options);
  if (trust === undefined || trust.signers.length === 0)
    throw new Refusal(
      EXIT.usage,
      "You trust nobody, so no checkpoint could count.",
      "Give the service's key, got from elsewhere than the service, with --public-key-hex or --trust. \"svc " +
        'trust --help" keeps one.',
    );
  const { signers, witnesses = [], revoked = [] } = trust;
  // A lone checkpoint cannot meet what a person demands of a file: quorum, requirements, known checkpoints.
  const whom = { signers, witnesses, revoked };
  const { stream } = options;
  const service = new WatchedService(kernel, address, stream, process.env.SVC_API_KEY ?? "");
  const held = await readReceipts({ kernel, trust: whom, remembered: [] }, options.receipts ?? [], stream);
  const watched: Watch = { kernel, service, trust: whom, held, options };
  for (;;) {
    try {
      process.exitCode = await lookOnce(watched);
      if (options.once || process.exitCode !== EXIT.verified) return;
    } catch (error) {
      // A service that does not answer is no reason to end: what it says next time is.
      if (options.once || !(error instanceof Refusal) || error.exitCode !== EXIT.input) throw error;
      printError(error.message, error.action);
    }
    await new Promise((resolve) => setTimeout(resolve, (options.every ?? DEFAULT_SECONDS) * 1000));
  }
}

/** Looks once, and resolves to the exit code that it would end with. */
async function lookOnce({ kernel, service, trust, held, options }: Watch): Promise<number> {
  const { state: path, stream } = options;
  const before = await readState(kernel, path, stream);
  const watcher = { kernel, trust, remembered: before.checkpoints };
  const looked = await look(service, watcher);
  if (looked.found === "fork") return convict(kernel, looked.fork, options);
  if (!("checkpoint" in looked)) return alarm(looked);
  const { checkpoint } = looked;
  const { covered, denied, fork } = await checkReceipts(service, watcher, checkpoint, held, before.covered);
  const checkpoints = looked.found === "same" ? before.checkpoints : [...before.checkpoints, checkpoint];
  const after: WatchState = { streamId: stream, checkpoints, covered };
  // The state is on the disk before anything is said about it.
  if (looked.found !== "same" || covered.length > before.covered.length) writeState(kernel, path, after);
  printLines([`${new Date().toISOString()} ${growth(looked, before)}${coverage(held, covered)}`]);
  if (fork !== null) return convict(kernel, fork, options);
  for (const words of denied) printError(words, "Keep the receipt: it is signed. Ask the service, and tell others.");
  return denied.length > 0 ? EXIT.rejected : EXIT.verified;
}

function growth({ found, checkpoint }: Extract<Looked, { checkpoint: unknown }>, { checkpoints }: WatchState): string {
  const { checkpoint_no, window_count, to_seq_no } = checkpoint;
  const which = `checkpoint ${checkpoint_no} over ${window_count} windows, to event ${to_seq_no}`;
  if (found === "first") return `${which}: the first one seen. Nothing is known of what came before.`;
  return found === "same"
    ? `${which}: as before.`
    : `${which}: extends checkpoint ${checkpoints.at(-1)?.checkpoint_no}.`;
}

function coverage(held: readonly HeldReceipt[], covered: readonly string[]): string {
  if (held.length === 0) return "";
  const count = held.filter(({ record }) => covered.includes(record.event_hash)).length;
  return ` ${count} of ${held.length} receipts are covered.`;
}

/** Says what is wrong where nothing proves it to others. Returns the exit code. */
function alarm(looked: Exclude<Looked, { checkpoint: unknown } | { fork: unknown }>): number {
  switch (looked.found) {
    case "nothing":
      printLines([`${new Date().toISOString()} The stream has no checkpoint yet.`]);
      return EXIT.verified;
    case "shrunk":
      printError(
        looked.words,
        "A stale copy may have answered. If it stays so, the service has lost or hides history: ask it, and tell " +
          "others.",
      );
      return EXIT.rejected;
    case "not linked":
      printError(
        looked.words,
        "Keep the state file: it has the signed checkpoint. Ask the service for the proof, and tell others.",
      );
      return EXIT.rejected;
    case "rejected":
      printError(
        `What the service shows does not hold: ${said(looked.report)}`,
        looked.report.problems[0]?.action ?? "",
      );
      return EXIT.rejected;
    case "untrusted":
      printError(
        `What the service shows is sealed by a key that you do not trust: ${said(looked.report)}`,
        "A key that comes with it proves nothing. Compare its fingerprint with the service's by another way, " +
          'then pin it: "svc trust add".',
      );
      return EXIT.untrusted;
  }
}

function said({ problems, signers }: Report): string {
  const [problem] = problems;
  const kids = [...new Set(signers.filter(({ reached }) => reached === "none").map(({ kid }) => kid))].join(", ");
  return `${problem?.code} at ${problem?.path || "/"}. ${problem?.message}${kids === "" ? "" : ` Keys: ${kids}.`}`;
}

/** Writes the proof, and sends it where that is asked for. Returns the exit code. */
async function convict(kernel: Kernel, fork: ForkEvidence, options: Options): Promise<number> {
  const path = options.fork ?? `${options.state}.fork.json`;
  const bytes = objectBytes(kernel, fork);
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  try {
    if (!isThere) createFile(path, bytes);
  } catch (error) {
    throw unwritable(path, error as NodeJS.ErrnoException);
  }
  const what = fork.kind === "omission" ? "The service broke a promise" : "The service told two histories";
  const where = isThere
    ? `${escapeText(path)} is there already, and was left as it is.`
    : `${escapeText(path)} is proof of the kind ${fork.kind}.`;
  printLines([
    ...wrap(`${what}: ${where}`, PLAIN),
    "",
    ...wrap("Give it to others; they check it with svc alone:", PLAIN),
    `    svc forks verify ${shellWord(path)} --public-key-hex <key>`,
  ]);
  if (options.report !== undefined) await report(kernel, options.report, bytes);
  return EXIT.rejected;
}

/** Sends evidence to a service. It is on the disk: a failure here is said, and changes nothing. */
async function report(kernel: Kernel, url: string, bytes: Uint8Array): Promise<void> {
  const { postJson } = await import("../online/exchange.ts");
  const address = serverUrl(url, undefined, "--report");
  const answer = await postJson(`${address}/v2/forks`, bytes, REPORT_LIMITS);
  if (!answer.ok)
    return printError(
      `${address} did not take it: ${reasonOf(answer, REPORT_LIMITS)[0]}`,
      "Send the file again later.",
    );
  const parsed = kernel.parseJson(answer.bytes);
  const body = (parsed.ok ? parsed.value : null) as { outcome?: unknown; detail?: { code?: unknown } } | null;
  if (answer.status === 200) printLines(wrap(`${address} keeps it (${escapeText(String(body?.outcome))}).`, PLAIN));
  else
    printError(
      `${address} did not take it: it answered ${answer.status}, ${String(body?.detail?.code)}.`,
      "Send the file elsewhere.",
    );
}
