/**
 * What to do after an untrusted verdict, or when the file is of another kind than the command: with the command to type.
 */
import type { Kind, Problem, Report, TrustPolicy } from "@svc/core";
import { type Evidence, kidAt } from "../evidence.ts";
import { escapeText } from "./escape.ts";
import { COLUMNS, wrap } from "./text.ts";
import { isDistrust, nounOf } from "./words.ts";

/** How the command was called. */
export interface Call {
  /** The kind that the command checks; null where it finds the kind by itself. */
  readonly kind: Kind | null;
  readonly file: string;
  readonly trustFile: string | undefined;
  /** The merged trust policy; undefined where nobody is pinned. */
  readonly trust: TrustPolicy | undefined;
}

/** The command that checks each kind, where this release has one. */
export const COMMANDS: Partial<Readonly<Record<Kind, string>>> = {
  bundle: "svc bundles offline-verify",
  receipt: "svc receipts verify",
};

/** How many keys are listed by their fingerprint. */
const SHOWN_KEYS = 5;
const INDENT = { first: "  ", rest: "  " };

/** The keys that sealed an object without being trusted for it. */
export function distrustedKids(problems: readonly Problem[], evidence: Evidence): string[] {
  const kids = problems.filter(isDistrust).map(({ path }) => kidAt(evidence, path));
  return [...new Set(kids.filter((kid) => kid !== null))];
}

/** Says whose key to find, and the command to run with it. The key in the file is never offered as the one to paste. */
export function howToPin(report: Report, evidence: Evidence, call: Call): string[] {
  const kids = distrustedKids(report.problems, evidence).slice(0, SHOWN_KEYS).join(", ");
  const pinned = call.trust?.signers.map(({ kid }) => kid) ?? [];
  const carried = report.assurance.signed
    ? `The file names its own key: ${kids}. A key that travels with the evidence proves nothing.`
    : `The file names its key, ${kids}, and does not carry it. Without the key its signature cannot be checked, and a name that travels with the evidence proves nothing.`;
  const others = pinned.slice(0, SHOWN_KEYS).join(", ");
  const other =
    pinned.length === 1 ? `The key that you pinned is another: ${others}.` : `You pinned others: ${others}.`;
  const next =
    "Get the service's public key another way: from its own site, from a contract, from somebody you know. Then run this, with that key in place of <key>. It is the right one if its fingerprint is the one above:";
  return [
    ...wrap(carried, INDENT),
    ...(pinned.length === 0 ? [] : wrap(other, INDENT)),
    ...(call.trustFile === undefined ? [] : wrap(`Whom you trust was read from ${trustFileName(call)}.`, INDENT)),
    "",
    ...wrap(next, INDENT),
    "",
    ...commandLines(call.kind === null ? "svc verify" : (COMMANDS[call.kind] ?? "svc"), [
      fileOption(call),
      ...(call.trustFile === undefined ? [] : [`--trust ${shellWord(call.trustFile)}`]),
      "--public-key-hex <key>",
    ]),
    "",
  ];
}

/** A hint for a file that is of another kind than the command; empty where it is of that kind, or of none. */
export function otherKind(evidence: Evidence, call: Call): string[] {
  const { kind } = evidence;
  if (kind === null || call.kind === null || kind === call.kind) return [];
  const looks = `This looks like ${nounOf(kind)}, and this command checks ${nounOf(call.kind)}.`;
  const command = COMMANDS[kind];
  if (command === undefined) return [...wrap(`${looks} This release has no command for it.`, INDENT), ""];
  return [
    ...wrap(`${looks} Call this instead, with the same key or trust file:`, INDENT),
    "",
    ...commandLines(command, [fileOption(call)]),
    "",
  ];
}

/** A command on one line where it fits, else an option a line, so that it can be copied. */
function commandLines(command: string, options: readonly string[]): string[] {
  const line = `    ${[command, ...options].join(" ")}`;
  return line.length <= COLUMNS
    ? [line]
    : [`    ${command}`, ...options.map((option) => `      ${option}`)].map(continued);
}

function continued(line: string, index: number, lines: readonly string[]): string {
  return index < lines.length - 1 ? `${line} \\` : line;
}

function trustFileName({ trustFile = "-" }: Call): string {
  return trustFile === "-" ? "standard input" : escapeText(trustFile);
}

function fileOption({ kind, file }: Call): string {
  return `${kind === null ? "" : "--file "}${shellWord(file)}`;
}

function shellWord(text: string): string {
  return escapeText(/^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
}
