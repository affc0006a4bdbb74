/** A result for a person in a terminal. */

import { escapeText } from "../escape.ts";
import type { Difference } from "../judge/difference.ts";
import type { Handshake } from "../run/hello.ts";
import { holds, type Result } from "../run/result.ts";

/** So many failures are printed in full; all are in `--json`. */
const MAX_PRINTED = 50;

/** Returns the lines about the handshake, which come before all cases. */
export function handshakeLines({ implementation, state, differences }: Handshake): string[] {
  if (state === "unsupported") return ["The program states no version: it has no `hello`."];
  const own = implementation;
  const kernel = own?.kernel_sha256 === null || own === null ? "" : `, kernel ${own.kernel_sha256}`;
  const name = own === null ? [] : [`${own.implementation} ${own.version}, protocol ${own.protocol}${kernel}`];
  return [...name, ...differences.flatMap((one) => ["FAILED level 0, handshake", ...differenceLines(one)])];
}

/** Returns the lines about the cases. */
export function resultLines(result: Result): string[] {
  const failures = result.failures.filter(({ expected, level }) => !expected && level > 0);
  const printed = failures.slice(0, MAX_PRINTED);
  const more = failures.length - printed.length;
  const end = result.failures.filter(({ name }) => name.endsWith("/end"));
  return [
    ...[...printed, ...end].flatMap(({ name, differences }) => [
      `FAILED ${name}`,
      ...differences.flatMap(differenceLines),
    ]),
    ...(more > 0 ? [`${more} more failures; --json FILE has them all`] : []),
    ...result.unexpected_passes.map((name) => `PASSED ${name}, which the list of expected failures names: take it out`),
    "",
    "level  passed  failed  unsupported  cases",
    ...result.levels.map(({ level, passed, failed, unsupported, cases }) =>
      [`${level}`.padStart(5), ...padded([passed, 8], [failed, 8], [unsupported, 13], [cases, 7])].join(""),
    ),
    "",
    `case set ${result.case_set.sha256}, ${result.case_set.cases} cases`,
    lastLine(result),
  ];
}

function lastLine(result: Result): string {
  const sum = (member: "passed" | "failed" | "unsupported") =>
    result.levels.reduce((total, level) => total + level[member], 0);
  const expected = result.failures.filter((failure) => failure.expected).length;
  const note = expected > 0 ? ` (${expected} of them expected)` : "";
  const unsupported = sum("unsupported");
  const verdict = holds(result) ? `PASSED${unsupported > 0 ? " IN PART" : ""}` : "FAILED";
  return `${verdict}: ${sum("passed")} passed, ${sum("failed")} failed${note}, ${unsupported} unsupported`;
}

function padded(...cells: readonly (readonly [number, number])[]): string[] {
  return cells.map(([value, width]) => `${value}`.padStart(width));
}

function differenceLines({ member, wanted, given }: Difference): string[] {
  const name = member === "" ? "the answer" : member;
  return [`  ${name}`, `    wanted: ${escapeText(wanted)}`, `    given:  ${escapeText(given)}`];
}
