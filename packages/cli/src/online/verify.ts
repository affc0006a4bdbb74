/**
 * `svc bundles verify` and the like: a server verifies the file, under its own pins (`POST /v2/verify`). A person who
 * asks the service about its own evidence gets the service's word; `--local` verifies here too, and compares.
 */
import process from "node:process";
import { type Anchor, CODES, type Json, type Kernel, type Kind, type Report, verify } from "@svc/core";
import { counted, decodeEvidence, escapeAll, escapeText, nounOf, VERDICTS } from "@svc/report";
import { Command, Option } from "commander";
import { refuseOther } from "../evidence-file/not-evidence.ts";
import { named } from "../evidence-file/open.ts";
import { once, withFile } from "../evidence-file/options.ts";
import { withTrustOptions } from "../evidence-file/trust-options.ts";
import { EXIT, exitCodeOf, Refusal } from "../exit.ts";
import { FORMATTERS, type FormatFlags, formatOf, withFormats } from "../formats/list.ts";
import { readInput } from "../input.ts";
import { openKernel } from "../kernel.ts";
import { printLines } from "../output.ts";
import { type Row, table } from "../render/table.ts";
import { wrap } from "../render/text.ts";
import { readTrust, type TrustOptions } from "../trust.ts";
import { verifyWithNode } from "./anchors-rpc.ts";
import { reasonOf } from "./no-answer.ts";
import { asReport, differences } from "./server-report.ts";
import { serverUrl } from "./server-url.ts";

const PLAIN = { first: "", rest: "" };
const INDENT = { first: "  ", rest: "  " };
const SHOWN = 10;
/** Half a minute, and 64 MiB: more than any report has. */
const LIMITS = { timeoutMs: 30_000, maxBytes: 64 * 1024 ** 2 };

/** The options of a call that asks a server. */
export interface AskOptions extends TrustOptions, FormatFlags {
  readonly file: string;
  readonly server?: string;
  readonly local?: true;
  readonly rpc?: string;
}

/** Returns the command `verify` of a family, which sends objects of one kind. */
export function onlineVerifyCommand(asked: Kind, example: string): Command {
  const asking = withTrustOptions(new Command("verify"))
    .description("Ask a server to verify the file. The verdict is the server's, under its own pins.")
    .addOption(new Option("--server <url>", "the server; else the variable SVC_SERVER").argParser(once))
    .option("--local", "verify here as well, under your own trust, and list the differences");
  if (asked === "anchor")
    asking.addOption(
      new Option("--rpc <url>", "verify here, and ask this node of the chain whether it says the same")
        .argParser(once)
        .conflicts(["server", "local"]),
    );
  const command = withFormats(asking, "server_report")
    .addHelpText("after", "\nThe whole file is sent to the server, payloads with it.")
    .addHelpText("after", `\nExample:\n  ${example}`)
    .addHelpText("after", "\nExit codes: 0 verified, 1 rejected, 2 untrusted, 64 wrong call, 66 a file that")
    .addHelpText("after", "cannot be read or that the server refuses, 70 no answer, or --local differs.");
  if (asked === "anchor")
    command.addHelpText("after", "\nWith --rpc no server is asked. The code is 1 as well if the node says otherwise.");
  return withFile(command, (options: AskOptions) => askServer(asked, options));
}

/** Has a server verify the file, and prints its verdict. */
export async function askServer(asked: Kind, options: AskOptions): Promise<void> {
  if (options.rpc !== undefined) return askNode(options.rpc, options);
  const server = serverUrl(options.server, process.env.SVC_SERVER);
  if (options.local && options.publicKeyHex === undefined && options.trust === undefined)
    throw new Refusal(
      EXIT.usage,
      "--local verifies under your own trust, and you name none.",
      "Add --public-key-hex or --trust.",
    );
  const kernel = openKernel();
  const trust = await readTrust([kernel], options);
  const bytes = await readInput(options.file);
  refuseOther(named(options.file), bytes);
  expectKind(kernel, asked, options.file, bytes);
  const report = await serverReport(kernel, server, bytes);
  const local = options.local
    ? verify(bytes, { kind: asked, kernel, ...(trust === undefined ? {} : { trust }) })
    : null;
  const answer = {
    value: local === null ? report : { server: report, local },
    page: () => [...page(report, server), ...(local === null ? [] : comparison(report, local))],
  };
  printLines(FORMATTERS[formatOf(options)].answer(answer));
  process.exitCode = local !== null && local.verdict !== report.verdict ? EXIT.internal : exitCodeOf(report.verdict);
}

async function askNode(rpc: string, options: AskOptions): Promise<void> {
  const kernel = openKernel();
  const trust = await readTrust([kernel], options);
  const bytes = await readInput(options.file);
  refuseOther(named(options.file), bytes);
  const anchor = expectKind(kernel, "anchor", options.file, bytes) as unknown as Anchor;
  await verifyWithNode(kernel, bytes, anchor, trust, { ...options, rpc });
}

/** Refuses a file of another kind, so that it does not leave the machine. Returns its value. */
function expectKind(kernel: Kernel, asked: Kind, file: string, bytes: Uint8Array): Json {
  const { kind, value } = decodeEvidence(kernel, bytes);
  if (value !== undefined && kind === asked) return value;
  const looks = kind === null ? "is no evidence that svc knows" : `looks like ${nounOf(kind)}`;
  throw new Refusal(
    EXIT.input,
    `${named(file)} ${looks}, and this command sends ${nounOf(asked)}: nothing was sent.`,
    "Check that it is the file you meant.",
  );
}

async function serverReport(kernel: Kernel, server: string, bytes: Uint8Array): Promise<Report> {
  const { postJson } = await import("./exchange.ts");
  const exchange = await postJson(`${server}/v2/verify`, bytes, LIMITS);
  if (!exchange.ok) {
    const [reason, action] = reasonOf(exchange, LIMITS);
    throw new Refusal(EXIT.internal, `No verdict from ${server}: ${reason}`, action);
  }
  const parsed = kernel.parseJson(exchange.bytes);
  if (exchange.status !== 200) throw refusedBy(server, exchange.status, parsed.ok ? parsed.value : null);
  const report = parsed.ok ? asReport(parsed.value) : null;
  if (report !== null) return report;
  throw new Refusal(EXIT.internal, `${server} answered with something else than a report.`, "Check the address.");
}

function refusedBy(server: string, status: number, body: unknown): Refusal {
  const { detail } = (body ?? {}) as { detail?: { code?: unknown; message?: unknown } };
  const said = typeof detail?.code === "string" ? `: ${detail.code}. ${detail.message}` : ".";
  const action = status < 500 ? "Check the file and the address." : "Try again later.";
  const message = `${server} gives no verdict: it answered ${status}${said}`;
  return new Refusal(status < 500 ? EXIT.input : EXIT.internal, message, action);
}

function page(raw: Report, server: string): string[] {
  const report = escapeAll(raw);
  const { subject, verdict, checks, problems } = report;
  const range = subject.to_seq_no === undefined ? "" : `, up to event ${subject.to_seq_no}`;
  const warning = server.startsWith("http:")
    ? ["The answer came over plain http: anybody on the way can have changed it."]
    : [];
  return [
    ...wrap(`The verdict of ${escapeText(server)}, under the server's own pins, not yours:`, PLAIN),
    "",
    `${VERDICTS[verdict].word.padEnd(11)}${subject.id ?? "no id"}${range}`,
    "",
    ...table(checks.map(({ id, status, note }): Row => [id, note === undefined ? status : `${status}; ${note}`])),
    ...problems
      .slice(0, SHOWN)
      .flatMap(({ code, path, message }) => [
        "",
        ...wrap(`${Object.hasOwn(CODES, code) ? "✗" : "?"} ${code} at ${path || "/"}`, INDENT),
        ...wrap(message, { first: "    ", rest: "    " }),
      ]),
    ...(problems.length > SHOWN ? [`  ... and ${counted(problems.length - SHOWN, "more problem")}.`] : []),
    "",
    ...warning.flatMap((text) => wrap(text, INDENT)),
    ...wrap("To verify without taking the server's word, add --local with a key that you got another way.", INDENT),
  ];
}

function comparison(server: Report, local: Report): string[] {
  const found = differences(server, local).map(escapeText);
  const answer =
    found.length === 0
      ? `Verified here too, under your own trust: ${local.verdict}, and all else as the server says.`
      : server.verdict === local.verdict
        ? `Verified here too, under your own trust: ${local.verdict} as well; other trust explains what differs:`
        : `THE VERDICTS DIFFER: ${server.verdict} there, ${local.verdict} here, under your own trust. Go by yours:`;
  const more = found.length - SHOWN;
  return [
    "",
    ...wrap(answer, PLAIN),
    ...found.slice(0, SHOWN).flatMap((text) => wrap(text, { first: "  ", rest: "    " })),
    ...(more > 0 ? [`  ... and ${counted(more, "more difference")}.`] : []),
  ];
}
