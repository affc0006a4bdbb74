/**
 * The pages under docs against the code: the protocol names everything on the wire, every name and fixture in the pages
 * exists, links within pages lead somewhere, and each row of the threat model is true of its fixture.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { inputBytes } from "@svc/testkit/vectors";
import { CODES, type Json, type Kind, type Report, verify } from "../src/index.ts";
import { PRESENTED_MISMATCH } from "../src/objects/provider/result.ts";
import * as wire from "../src/objects/wire.ts";
import { CHECK_ORDER } from "../src/report/checks.ts";
import { readPage, SECTION_OF, sectionOf, spansOf, type Table, tablesOf } from "./protocol-page.ts";

const docs = new URL("../../../docs/", import.meta.url);
const cases = new URL("../../../fixtures/cases/", import.meta.url);
const pages = readdirSync(docs).filter((name) => name.endsWith(".md"));
const protocol = readPage("protocol.md");
/** Without the annexes: an example states no rule. */
const [normative = ""] = protocol.split("\n## Annex A");

/** Objects with a section; seals and the keys that travel with objects have no section. */
const SCHEMAS: readonly object[] = Object.values(wire).filter((schema) => "$id" in schema);
const MEMBERS = new Set(SCHEMAS.flatMap((schema) => membersOf({ ...schema, $id: undefined })));
/** Values that the protocol names: those of which a member is one. */
const VALUES = new Set(SCHEMAS.flatMap(valuesOf));

/** Sections that describe an object beside its own: what envelopes add to a bundle, and its manifest elsewhere. */
const MORE_SECTIONS: Readonly<Record<string, readonly number[]>> = {
  bundle: [26, 27],
  disclosure: [13, 26],
  "shown-provenance-inclusion": [14, 26],
};

for (const schema of SCHEMAS) {
  const { $id = "" } = schema as { readonly $id?: string };
  test(`the protocol describes every member of the object ${$id}, in its section`, () => {
    const number = SECTION_OF[$id];
    assert.notEqual(number, undefined, `say which section describes ${$id}`);
    const sections = [number ?? 0, 4, ...(MORE_SECTIONS[$id] ?? [])];
    const stated = namesIn(sections.map((one) => sectionOf(normative, one)).join("\n"));
    const own = membersOf({ ...schema, $id: undefined });
    assert.deepEqual(
      own.filter((name) => !stated.has(name)),
      [],
    );
  });
}

test("the protocol states every check, in the order of reports, and every code", () => {
  const stated = namesIn(normative);
  assert.deepEqual(
    Object.keys(CODES).filter((code) => !stated.has(code)),
    [],
  );
  const [, order = ""] = /^All checks, in order: (.*?)\. `assurance`/ms.exec(normative) ?? [];
  const checks = spansOf(order);
  assert.deepEqual(checks, [...CHECK_ORDER]);
});

test("where a fixture shows one cause, the protocol's tables say so, under that check", () => {
  const stated = new Set(
    [...normative.matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \| (.*) \|$/gm)].flatMap(([, checks = "", rest = ""]) =>
      spansOf(checks).flatMap((check) => spansOf(rest).map((code) => `${check} ${code}`)),
    ),
  );
  const shown = readdirSync(cases, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".json"));
  const causes = shown.flatMap((path) => {
    const { verdict, checks, problems } = verifyFixture(path);
    const failed = checks.filter(({ status }) => status === "fail").map(({ id }) => id);
    const [cause, ...more] = new Set(problems.map(({ code }) => code));
    // The text states the members that belong to these three.
    const isStatedElsewhere = failed.some((check) => ["json", "shape", "trust"].includes(check));
    if (verdict !== "rejected" || failed.length !== 1 || more.length > 0 || isStatedElsewhere) return [];
    return [{ path, cause: `${failed[0]} ${cause}` }];
  });
  assert.ok(causes.length > 50);
  assert.deepEqual(
    causes.filter(({ cause }) => !stated.has(cause)),
    [],
  );
});

// docs/conformance.md also names codes of requests, which are no codes of reports; packages/cli tests that page.
for (const name of ["protocol.md", "threat-model.md", "verdicts.md"]) {
  test(`every name in ${name} is a code, a check or a member of something`, () => {
    const stated = [...MEMBERS, ...VALUES, ...Object.keys(CODES), ...CHECK_ORDER, PRESENTED_MISMATCH];
    const known = new Set([...stated, ...reportMembers()]);
    const names = spansOf(readPage(name)).filter((span) => /^[a-z][a-z0-9]+(_[a-z0-9]+)+$/.test(span));
    assert.notEqual(names.length, 0);
    assert.deepEqual([...new Set(names.filter((one) => !known.has(one)))], []);
  });
}

test("every fixture that a page names exists", () => {
  const named = pages.flatMap((name) => [...readPage(name).matchAll(/fixtures\/cases\/([\w-]+\/[\w-]+\.json)/g)]);
  assert.notEqual(named.length, 0);
  const missing = named.map(([, path]) => path ?? "").filter((path) => !existsSync(new URL(path, cases)));
  assert.deepEqual(missing, []);
});

test("every link to a section leads to one", () => {
  const broken = pages.flatMap((name) =>
    [...readPage(name).matchAll(/\]\(([\w-]*\.md)?#([^)]+)\)/g)]
      .filter(([, page = name, section = ""]) => !headingsOf(readPage(page)).includes(section))
      .map(([link]) => `${name}: ${link}`),
  );
  assert.deepEqual(broken, []);
});

const claims = tablesOf(readPage("threat-model.md")).filter(({ columns }) => columns.includes("code"));

test("the threat model makes claims", () => {
  assert.ok(claims.length > 5);
});

for (const { cells, row } of claims.flatMap(rowsOf)) {
  test(`the threat model's row ${row} is what its fixture shows`, () => {
    const [, path = ""] = /fixtures\/cases\/([^)]+)/.exec(cells["shown by"] ?? "") ?? [];
    const report = verifyFixture(path);
    const [check] = spansOf(cells.check ?? "");
    const status = report.checks.find(({ id }) => id === check)?.status;
    const [code] = spansOf(cells.code ?? "");
    if (code === undefined) {
      assert.equal(cells.code, "verified");
      assert.equal(report.verdict, "verified");
      assert.notEqual(status, undefined);
      return;
    }
    assert.ok(status === "fail" || status === "cannot_evaluate", `the check ${check} is ${status}`);
    assert.ok(
      report.problems.some((problem) => problem.code === code),
      `${code} is not among ${report.problems.map((problem) => problem.code)}`,
    );
  });
}

/** Returns the report on a fixture, which must have the verdict that the fixture names. */
function verifyFixture(path: string): Report {
  const { kind, verdict, trust, links, ...input } = JSON.parse(readFileSync(new URL(path, cases), "utf8")) as {
    readonly input?: string;
    readonly input_base64?: string;
    readonly kind: Kind;
    readonly verdict: string;
    readonly trust: Json;
    readonly links?: readonly Json[];
  };
  const report = verify(inputBytes(input), { kind, trust, ...(links === undefined ? {} : { links }) });
  assert.equal(report.verdict, verdict, path);
  return report;
}

/**
 * Returns the names of all members that a schema has, at any depth, except those of objects with a separate schema.
 */
function membersOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null || (schema as { $id?: string }).$id !== undefined) return [];
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, unknown>> };
  const inside = [...Object.values(schema), ...Object.values(properties)].flatMap(membersOf);
  return [...new Set([...Object.keys(properties), ...inside])];
}

/** Returns the texts of which a schema lets one stand somewhere, at any depth. */
function valuesOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { enum: values = [] } = schema as { readonly enum?: readonly unknown[] };
  return [...values.map(String), ...Object.values(schema).flatMap(valuesOf)];
}

/** Returns every name in the code of a page. */
function namesIn(page: string): Set<string> {
  return new Set(codeOf(page).flatMap((code) => code.match(/[a-z][\w.]*/gi) ?? []));
}

/** Returns the names of all members of reports, and of a cross-check beside one. */
function reportMembers(): string[] {
  const names = (value: unknown): string[] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, one]) => [name, ...names(one)])
      : [];
  const fixtures = ["bundle/good.json", "disclosure/good.json"].map(verifyFixture);
  const reports = [verify(new TextEncoder().encode("{}")), ...fixtures];
  return [...reports.flatMap(names), "cross_check", "cannot_evaluate", "not_checked"];
}

/** Returns the texts of all code: in spans and in fenced blocks. */
function codeOf(page: string): string[] {
  return [...spansOf(page), ...[...page.matchAll(/^```\w*$(.*?)^```$/gms)].map(([, text]) => text ?? "")];
}

/** Returns the sections of a page, in the form of links. */
function headingsOf(page: string): string[] {
  const prose = page.replaceAll(/^```.*?^```$/gms, "");
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

function rowsOf({
  columns,
  rows,
}: Table): { readonly row: string; readonly cells: Readonly<Record<string, string>> }[] {
  return rows.map((row) => ({
    row: `“${row[0]}”`,
    cells: Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ""])),
  }));
}
