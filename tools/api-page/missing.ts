/** Finds what the pages about the API lack: every route, error and limit has its example, or the test that shows it. */
import { readFileSync } from "node:fs";
import { type Contract, ERRORS } from "@svc/api";
import { ERROR_EXAMPLES, ERRORS_SHOWN_BY_TESTS } from "./error-examples.ts";
import { familiesOf, nameOf, TITLES } from "./families.ts";
import { LIMIT_EXAMPLES, LIMITS_SHOWN_BY_TESTS } from "./limit-examples.ts";
import { limits } from "./limits.ts";
import { ROUTE_EXAMPLES } from "./route-examples.ts";

/** Returns what the pages lack, each in words that say where to add it. */
export function missing(contracts: readonly Contract[]): string[] {
  const names = contracts.map(nameOf);
  return [
    ...names
      .filter((name) => (ROUTE_EXAMPLES[name] ?? []).length === 0)
      .map((name) => `${name} has no example: add one to tools/api-page/route-examples.ts`),
    ...familiesOf(contracts)
      .filter(([name]) => TITLES[name] === undefined)
      .map(([name]) => `the family ${name} has no title: add one to tools/api-page/families.ts`),
    ...Object.keys(ROUTE_EXAMPLES)
      .filter((name) => !names.includes(name))
      .map((name) => `There is no route ${name} any more: take it out of tools/api-page/route-examples.ts`),
    ...lacking("The error", Object.keys(ERRORS), "tools/api-page/error-examples.ts", [
      ERROR_EXAMPLES,
      ERRORS_SHOWN_BY_TESTS,
    ]),
    ...lacking("The limit", Object.keys(limits), "tools/api-page/limit-examples.ts", [
      LIMIT_EXAMPLES,
      LIMITS_SHOWN_BY_TESTS,
    ]),
    ...Object.entries({ ...ERRORS_SHOWN_BY_TESTS, ...LIMITS_SHOWN_BY_TESTS })
      .filter(([name, { test }]) => !readFileSync(new URL(`../../${test}`, import.meta.url), "utf8").includes(name))
      .map(([name, { test }]) => `${test} is said to show ${name}, and does not name it`),
  ];
}

function lacking(what: string, names: readonly string[], file: string, tables: readonly object[]): string[] {
  const cases = tables.flatMap((table) => Object.keys(table));
  return [
    ...names
      .filter((name) => !cases.includes(name))
      .map(
        (name) =>
          `${what} ${name} has no case: add to ${file} a command that provokes it, or, where none can, the test ` +
          `that shows it`,
      ),
    ...cases
      .filter((name) => !names.includes(name))
      .map((name) => `${what} ${name} is no more: take it out of ${file}`),
    ...cases
      .filter((name, index) => cases.indexOf(name) !== index)
      .map((name) => `${what} ${name} appears twice in ${file}: keep the command`),
  ];
}
