/** A result as JUnit's XML, which CI systems show: a suite for each level, a test for each case. */
import type { Case } from "../cases/case.ts";
import { END, HELLO } from "../run/hello.ts";
import type { Result } from "../run/result.ts";
import { escapeMarkup } from "./markup.ts";

/** Returns the document. `cases`: those that were chosen. */
export function junitOf(result: Result, cases: readonly Pick<Case, "name" | "level">[]): string {
  const failures = new Map(result.failures.map((failure) => [failure.name, failure]));
  const unsupported = new Set(result.unsupported);
  const passes = new Set(result.unexpected_passes);
  const testOf = (name: string, level: number): string => {
    const start = `    <testcase classname="level ${level}" name="${escapeMarkup(name)}"`;
    const failure = failures.get(name);
    if (failure?.expected) return `${start}><skipped message="an expected failure"/></testcase>`;
    if (passes.has(name)) return `${start}><failure message="an expected failure that passed"/></testcase>`;
    if (unsupported.has(name)) return `${start}><skipped message="unsupported"/></testcase>`;
    if (failure === undefined) return `${start}/>`;
    const text = failure.differences.map((one) => `${one.member}\n  wanted: ${one.wanted}\n  given:  ${one.given}`);
    const message = escapeMarkup(failure.differences[0]?.member || "no answer");
    return `${start}><failure message="${message}">${escapeMarkup(text.join("\n"))}</failure></testcase>`;
  };
  const all = [{ name: HELLO, level: 0 }, ...(failures.has(END) ? [{ name: END, level: 0 }] : []), ...cases];
  const suites = result.levels.map(({ level, failed, unsupported: skipped, cases: count }) => {
    const tests = all.filter((one) => one.level === level).map(({ name }) => testOf(name, level));
    const expected = result.failures.filter((one) => one.level === level && one.expected).length;
    const passed = result.unexpected_passes.filter((name) => name.startsWith(`${level}/`)).length;
    const counts = `tests="${count}" failures="${failed - expected + passed}" skipped="${skipped + expected}"`;
    return [`  <testsuite name="level ${level}" ${counts}>`, ...tests, "  </testsuite>"].join("\n");
  });
  const xml = '<?xml version="1.0" encoding="UTF-8"?>';
  const time = result.seconds.toFixed(3);
  return `${xml}\n<testsuites name="conformance" time="${time}">\n${suites.join("\n")}\n</testsuites>\n`;
}
