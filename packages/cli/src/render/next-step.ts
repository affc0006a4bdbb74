/**
 * The next step after an untrusted verdict, or for a file of another kind than the command: with the command to type.
 */
import type { Kind, Report } from "@svc/core";
import { escapeText, isUnsigned, nameOf, nounOf, type Reader, whoseKey } from "@svc/report";
import { shellWord } from "../evidence-file/shell-word.ts";
import { COLUMNS, wrap } from "./text.ts";

/** The words of the call, and its reader. */
export interface Call extends Reader {
  /** The kind that the command checks; null where it finds the kind by itself. */
  readonly kind: Kind | null;
  readonly file: string;
  readonly trustFile: string | undefined;
  /** The command, if its own words name the file too. */
  readonly command?: string;
  /** Other words of the call that a further one must repeat, as words of a shell. */
  readonly more?: readonly string[];
  /** Whether the call made the object itself, so that its id says nothing. */
  readonly isMade?: boolean;
  /** Whether a good verdict comes with everything that can be said of it. */
  readonly isWhole?: boolean;
}

/** The command that checks one kind; `svc verify` checks any other. */
export const COMMANDS: Partial<Readonly<Record<Kind, string>>> = {
  bundle: "svc bundles offline-verify",
  receipt: "svc receipts verify",
  "portable-receipt": "svc verify file",
  consistency: "svc consistency verify",
  fork: "svc forks verify",
  "truth-package": "svc verify truth-package",
  disclosure: "svc disclosures verify",
  "ivc-epoch": "svc ivc epochs verify",
};

/** So many keys are listed by their fingerprint. */
const SHOWN_KEYS = 5;
const INDENT = { first: "  ", rest: "  " };

/**
 * Returns whose key it is, the values to compare, and the command for the right key. It never offers the key in the
 * file as the one to paste.
 */
export function howToPin(report: Report, call: Call): string[] {
  const pinned = [...new Set(call.trust?.signers.map(({ kid }) => kid))];
  const others = pinned.slice(0, SHOWN_KEYS).map((kid) => nameOf(kid, call));
  const right = "With the service's own public key in place of <key>:";
  const whose = whoseKey(report, call).flatMap((text) => wrap(text, INDENT));
  // No key helps where nobody has signed.
  if (isUnsigned(report)) return [...whose, ""];
  return [
    ...whose,
    ...(others.length === 0 ? [] : wrap(`You pinned ${others.join(", ")}.`, INDENT)),
    "",
    ...wrap(right, INDENT),
    "",
    ...commandLines(call.command ?? (call.kind === null ? "svc verify" : (COMMANDS[call.kind] ?? "svc verify")), [
      ...(call.command === undefined ? [shellWord(call.file)] : []),
      ...(call.more ?? []),
      ...(call.trustFile === undefined ? [] : [`--trust ${shellWord(call.trustFile)}`]),
      "--public-key-hex <key>",
    ]),
    "",
    ...howToKeep(call),
  ];
}

/** Returns the command that keeps the key in a place where the same call will find it. */
function howToKeep({ trust, trustFile }: Call): string[] {
  const isFound = trustFile === undefined ? trust === undefined : trustFile !== "-";
  if (!isFound) return [];
  return [
    ...wrap("Or keep the key for every later check, and make the same call again:", INDENT),
    "",
    ...commandLines("svc trust add", [
      ...(trustFile === undefined ? [] : [`--trust ${shellWord(trustFile)}`]),
      "--name <name>",
      "--public-key-hex <key>",
    ]),
    "",
  ];
}

/**
 * Returns the origin of the call's trust policy: somebody else may have written that file, or the usual one may be
 * forgotten.
 */
export function trustOrigin(call: Call): string[] {
  return call.trustFile === undefined ? [] : wrap(`Whom you trust was read from ${trustFileName(call)}.`, INDENT);
}

/** Returns a hint for a file of another kind than the command; empty if it is of that kind, or of none. */
export function otherKind(kindOf: () => Kind | null, call: Call): string[] {
  const kind = call.kind === null ? null : kindOf();
  if (kind === null || call.kind === null || kind === call.kind) return [];
  const looks = `This looks like ${nounOf(kind)}, and this command checks ${nounOf(call.kind)}.`;
  return [
    ...wrap(`${looks} Call this instead, with the same key or trust file:`, INDENT),
    "",
    ...commandLines(COMMANDS[kind] ?? "svc verify", [shellWord(call.file)]),
    "",
  ];
}

/** Returns a command on one line if it fits, else with one option a line, so that it can be copied. */
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
