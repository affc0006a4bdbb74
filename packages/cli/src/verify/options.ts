/**
 * The options of every command that verifies, and their meaning to core. Beside a trust file they add to it or ask for
 * more, and never for less (tighten.ts). An option that contradicts it is a wrong call.
 */
import type { Json, Kernel, TrustPolicy } from "@svc/core";
import { type Command, InvalidArgumentError, Option } from "commander";
import { openBytes } from "../evidence-file/open.ts";
import { collect, once, ordinal } from "../evidence-file/options.ts";
import { withTrustOptions } from "../evidence-file/trust-options.ts";
import { EXIT, Refusal } from "../exit.ts";
import { type FormatFlags, optionsBefore, withFormats } from "../formats/list.ts";
import { isStandardInput, readInput } from "../input.ts";
import { type KernelChoice, kernelOption } from "../kernel.ts";
import { readByAll } from "../kernels-agree.ts";
import { COLOR_CHOICES, type ColorChoice } from "../render/color.ts";
import { readQuorum } from "../trust/quorum.ts";
import { parseRequirements, type Requirement } from "../trust/requirements.ts";
import { readTrust, type TrustOptions } from "../trust.ts";
import { type Demands, type Expect, tightened } from "./tighten.ts";

const STREAM_ID = /^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;
/** No machine has use for more threads. */
const MAX_JOBS = 64;

/** The options in the form of commander. */
export interface VerifyFlags extends TrustOptions, KernelChoice, FormatFlags {
  readonly stream?: string;
  readonly from?: number;
  readonly to?: number;
  /** A count in digits, or the path of a tlog-policy. */
  readonly quorum?: string;
  readonly require?: readonly Requirement[];
  /** Paths of consistency evidence, or of the epoch before. */
  readonly link?: readonly string[];
  /** The path for the JSON report. */
  readonly report?: string;
  /** Whether everything is said of one verified file. */
  readonly all?: true;
  readonly crossCheck?: true;
  /** The most threads that may check; by default one for each core, at most 4. */
  readonly jobs?: number;
  readonly color: ColorChoice;
}

/** The part of core's options that the command line states. */
export interface ReadOptions {
  readonly trust?: TrustPolicy;
  readonly links?: readonly Json[];
}

/** Adds the options to a command that verifies; `readVerifyOptions` reads them. */
export function withVerifyOptions(command: Command): Command {
  const evidence = withTrustOptions(command)
    .addOption(new Option("--stream <id>", "expect evidence of this stream").argParser(parseStreamId))
    .addOption(new Option("--from <number>", "expect every event from this one on").argParser(ordinal))
    .addOption(new Option("--to <number>", "expect every event up to this one").argParser(ordinal))
    .addOption(
      new Option("--quorum <count|path>", "how many of your witnesses must have cosigned; or a tlog-policy").argParser(
        once,
      ),
    )
    .addOption(
      new Option(
        "--require <what>",
        "included, witnessed, published, anchored; repeatable, or with commas between",
      ).argParser(parseRequirements),
    )
    .option(
      "--link <path>",
      "consistency evidence that links your known checkpoints; or the epoch before; repeatable",
      collect,
    )
    .option("--all", "say all that one file shows and does not, and what was not checked");
  return withFormats(evidence, "report")
    .addOption(
      new Option("--report <path>", "write that JSON to a file too, also where there is no verdict").argParser(once),
    )
    .addOption(new Option("--quiet", "print nothing but errors").conflicts(optionsBefore("quiet")))
    .addOption(kernelOption())
    .addOption(
      new Option("--cross-check", "verify with both kernels; a verdict only if they agree").conflicts("kernel"),
    )
    .addOption(
      new Option("--jobs <number>", "how many threads may check (default: one a core, at most 4)").argParser(parseJobs),
    )
    .addOption(new Option("--color <when>", "when to colour").choices(COLOR_CHOICES).default("auto"));
}

/**
 * Resolves to the options of core's verifier, without kind and kernel. Every kernel that will verify reads the trust
 * policy. `expect`: what the command expects by its own options.
 */
export async function readVerifyOptions(
  kernels: readonly Kernel[],
  flags: VerifyFlags,
  expect: Expect = {},
): Promise<ReadOptions> {
  // The reference kernel if there are two: core reports a compiled one that fails.
  const kernel = kernels.at(-1);
  if (kernel === undefined) throw new TypeError("to read a trust policy takes a kernel");
  const demands = { ...(await demandsOf(flags)), ...(Object.keys(expect).length === 0 ? {} : { expect }) };
  const trust = tightened(kernel, await readTrust(kernels, flags), demands);
  const links: Json[] = [];
  for (const path of flags.link ?? []) {
    const bytes = await readInput(path);
    links.push(readByAll(kernels, "link", (each) => openBytes(each, path, bytes, ["consistency", "ivc-epoch"]).value));
  }
  return { ...(trust === undefined ? {} : { trust }), ...(links.length === 0 ? {} : { links }) };
}

/** Refuses a call in which more than one of these paths means standard input. Missing paths may be undefined. */
export function requireOneStandardInput(paths: Readonly<Record<string, string | undefined>>): void {
  const names = Object.entries(paths).flatMap(([name, path]) =>
    path !== undefined && isStandardInput(path) ? [name] : [],
  );
  if (names.length > 1)
    throw new Refusal(
      EXIT.usage,
      `${names.join(" and ")} cannot both be standard input.`,
      "Give one of them as a file.",
    );
}

async function demandsOf({ stream, from, to, quorum, require }: VerifyFlags): Promise<Demands> {
  return {
    ...(stream === undefined ? {} : { stream }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(quorum === undefined ? {} : { quorum: await readQuorum(quorum) }),
    ...(require === undefined ? {} : { require }),
  };
}

/** Returns the id of a stream. */
export function parseStreamId(text: string, previous: string | undefined): string {
  if (STREAM_ID.test(text)) return once(text, previous);
  throw new InvalidArgumentError("A stream is named by str_ and 26 characters.");
}

function parseJobs(text: string, previous: unknown): number {
  const jobs = ordinal(text, previous);
  if (jobs > MAX_JOBS) throw new InvalidArgumentError(`Give 1 to ${MAX_JOBS}.`);
  return jobs;
}
