/**
 * `svc explain`: every code and every check is explained, in the words of the pages, and anything else is refused in
 * words that nothing can act on a terminal by.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { ERROR_CODES, errorFacts, errorText } from "@svc/api/errors";
import { CHECK_ORDER, CODES, kindsWith, type ProblemCode, sectionOf } from "@svc/core";
import { checkFacts, FINDERS, problemFacts, problemText, STEP_NAMES } from "@svc/report";
import { SvcError } from "@svc/sdk";
import { beside } from "../build.ts";
import { explanationOf, listOfCodes, NAMES } from "../src/explain/answer.ts";
import { nearest } from "../src/explain/nearest.ts";
import { runProcess, SVC, svc } from "./svc.ts";

const PROBLEM_CODES = Object.keys(CODES) as ProblemCode[];
const START = beside(SVC, "start");

const page = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8");

/** Returns the section of a page about a code, on one line, without links and without the marks of Markdown. */
function sectionAbout(name: string, code: string): string {
  const [, section = ""] = page(name).split(`### \`${code}\`\n`);
  const [text = ""] = section.split(/\n#{2,3} /);
  return flat(text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/^- |\*\*|`/gm, ""));
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Returns the part of the answer's text that is about one sense of a name, on one line. */
function said(name: string, sense: string): string {
  const lines = explanationOf(name)?.page() ?? [];
  const [, part = ""] = `\n${lines.join("\n")}`.split(`\n${name}, ${sense}\n`);
  return flat(part.split(`\n${name}, `)[0] ?? "");
}

for (const code of PROBLEM_CODES)
  test(`${code} is explained in the words of docs/verdicts.md`, () => {
    const facts = problemFacts(code);
    assert.ok(facts.meaning.length > 20 && facts.action.length > 15 && facts.verdicts.length > 0);
    const written = sectionAbout("verdicts.md", code).replace(/Example: .*?(?= Verdict: )/, "");
    assert.equal(flat(written), said(code, "in a report"));
    assert.match(written, new RegExp(facts.meaning.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  });

test("each step that a verdict shows is explained, with who vouches for it", async () => {
  const { stdout } = await svc(["bundles", "offline-verify", "march.bundle.json"]);
  const shown = [...stdout.matchAll(/^ {2}([a-z]+) +[●◐○✗] /gm)].map(([, step]) => `${step}`);
  assert.deepEqual(shown, ["signed", "included", "witnessed", "published", "anchored"]);
  for (const step of [...shown, "vault", "level"])
    assert.match(
      said(step, "a step of a verdict"),
      /^.{30,} Who vouches for it: .{10,} How it could be faked: To fake it /,
    );
});

test("the protocol's section of each code names the code", () => {
  const sections = page("protocol.md").split(/^## (?=\d+\. )/m);
  for (const code of PROBLEM_CODES) {
    const section = sections.find((text) => text.startsWith(`${sectionOf(code)}. `)) ?? "";
    assert.ok(section.includes(`\`${code}\``), `section ${sectionOf(code)} does not name ${code}`);
  }
});

for (const code of ERROR_CODES)
  test(`${code} of the service is explained in the words of docs/api/errors.md`, () => {
    const facts = errorFacts(code);
    assert.ok(facts.meaning.length > 10 && facts.action.length > 10);
    const text = said(code, "an answer of the service");
    assert.ok(text.startsWith(`Status ${facts.status}. ${facts.meaning.replaceAll("`", "")} `));
    const about = sectionAbout("api/errors.md", code);
    assert.ok(about.startsWith(text), about.slice(0, 300));
    assert.equal(errorText(code).points.length, 2);
  });

test("a client that repeats requests does so where the explanation says that it helps", () => {
  const differing = ERROR_CODES.filter((code) => {
    const { status, retryable } = errorFacts(code);
    return new SvcError(code, "", status).retryable !== retryable;
  });
  assert.deepEqual(differing, []);
});

test("each check is explained with its codes, and with the kinds that have it", () => {
  assert.deepEqual(FINDERS, [...CHECK_ORDER, "cross-check"]);
  const codes = FINDERS.flatMap((check) => checkFacts(check).codes);
  assert.deepEqual([...codes].sort(), [...PROBLEM_CODES].sort());
  for (const check of FINDERS) assert.ok(checkFacts(check).meaning !== "" && checkFacts(check).kinds.length > 0, check);
  assert.equal(
    said("export", "a check"),
    "The table of events is the one that the proofs give. Codes: export_mismatch. Kinds: truth-package. " +
      "Protocol: section 15.",
  );
  assert.match(
    said("provenance", "a check"),
    /Kinds: bundle of envelopes, truth-package with a bundle of envelopes, prov/,
  );
  assert.match(said("trust", "a check"), /Kinds: every kind\./);
  assert.match(said("window_seal", "a check"), /Codes: none; what it finds/);
  assert.deepEqual(
    kindsWith("consistency").map(({ kind }) => kind),
    ["consistency"],
  );
});

test("a name with two senses has both, from the built file too", async () => {
  for (const program of [SVC, START]) {
    const { stdout, stderr, code } = await svc(["explain", "json_malformed"], { program });
    assert.deepEqual([stderr, code], ["", 0]);
    assert.match(stdout, /^json_malformed, in a report\n[\s\S]*\n\njson_malformed, an answer of the service\n/);
    assert.ok(stdout.split("\n").every((line) => line.length <= 80));
  }
});

test("without a name all codes and checks are listed", async () => {
  const { stdout, code } = await svc(["explain"]);
  assert.equal(code, 0);
  const words = new Set(stdout.split(/[^\w-]+/));
  assert.deepEqual(
    NAMES.filter((name) => !words.has(name)),
    [],
  );
  assert.deepEqual(stdout.trimEnd().split("\n"), listOfCodes().page());
});

test("--json is one object: of a name, and of all", async () => {
  const one = JSON.parse((await svc(["explain", "unsupported_object", "--json"])).stdout);
  assert.deepEqual(Object.keys(one), ["name", "problem", "error", "check", "step", "verdict"]);
  assert.deepEqual(one.problem, problemFacts("unsupported_object"));
  assert.deepEqual(one.error, errorFacts("unsupported_object"));
  assert.equal(one.check, null);
  const all = JSON.parse((await svc(["explain", "--json"])).stdout);
  assert.deepEqual(Object.keys(all), ["problems", "errors", "checks", "steps", "verdicts"]);
  assert.deepEqual(
    [all.problems.length, all.errors.length, all.checks.length, all.steps.length, all.verdicts.length],
    [PROBLEM_CODES.length, ERROR_CODES.length, FINDERS.length, STEP_NAMES.length, 3],
  );
});

test("a misspelt name is wrong usage, and the nearest three are named", async () => {
  for (const [name, first] of [
    ["range_incomplet", "range_incomplete"],
    ["RANGE_INCOMPLETE", "range_incomplete"],
    [" range-incomplete ", "range_incomplete"],
    ["sequnece", "sequence"],
    ["crosscheck", "cross-check"],
  ] as const) {
    const { stdout, stderr, code } = await svc(["explain", name]);
    assert.deepEqual([stdout, code], ["", 64]);
    assert.ok(
      flat(stderr).startsWith(`svc: "${name}" is no code, no check, no step and no verdict. Nearest are ${first}, `),
      stderr,
    );
  }
  assert.deepEqual(nearest("key_revokd", NAMES, 3), ["key_revoked", "key_busy", "vault_key_revoked"]);
  assert.equal((await svc(["explain", "trust", "json"])).code, 64);
});

test("a swap of two neighbours is one mistake, as are a letter more, less and another", () => {
  const names = ["abcd", "bbbb"];
  for (const word of ["abdc", "abcde", "abc", "abcx", "ABCD", " abcd\n"])
    assert.equal(nearest(word, names, 1)[0], "abcd");
  assert.deepEqual(nearest("ca", ["abc", "ac"], 2), ["ac", "abc"]);
  assert.deepEqual(nearest("x", [], 3), []);
});

test("a word of a megabyte and one of control characters are refused in few words", async () => {
  const long = "\u001b[2J\u202e".repeat(2 ** 18);
  assert.equal(nearest(long, NAMES, 3).length, 3);
  assert.equal(explanationOf(long), null);
  // A system passes no longer word than 128 kB to a program.
  for (const name of [long.slice(0, 60_000), "\u001b[31mtrust\u0007\n\u202e"]) {
    const { stdout, stderr, code } = await svc(["explain", name]);
    assert.deepEqual([stdout, code], ["", 64]);
    assert.doesNotMatch(stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    assert.ok(stderr.length < 4000, `${stderr.length}`);
    assert.match(flat(stderr), /is no code, no check, no step and no verdict\./);
  }
});

test("each verdict is explained, with what to do", async () => {
  for (const verdict of ["verified", "rejected", "untrusted"]) {
    const { stdout, code } = await svc(["explain", verdict]);
    assert.equal(code, 0);
    assert.match(flat(stdout), new RegExp(`^${verdict}, a verdict .{40,} What to do: .{40,}`));
    assert.equal(JSON.parse((await svc(["explain", verdict, "--json"])).stdout).verdict.verdict, verdict);
  }
});

test("names that every object has are not explained", () => {
  for (const name of ["constructor", "__proto__", "toString", ""]) assert.equal(explanationOf(name), null);
});

test("a reader that goes away changes nothing, and an output that cannot be written is an error", async () => {
  for (const program of [SVC, START]) {
    const outcome = await svc(["explain"], { program, closesStdout: true });
    assert.deepEqual(outcome, { stdout: "", stderr: "", code: 0 });
    if (!existsSync("/dev/full")) continue;
    const full = await runProcess("/bin/sh", [
      "-c",
      `exec "${process.execPath}" "${program}" explain trust > /dev/full`,
    ]);
    assert.equal(full.code, 70);
    assert.match(full.stderr, /could not be written: ENOSPC/);
  }
});

test("each text is of the one function that pages use, and no colour is in it", async () => {
  const { stdout } = await svc(["explain", "key_not_pinned"], { env: { FORCE_COLOR: "1" } });
  assert.ok(!stdout.includes("\u001b"));
  for (const { title, text } of problemText("key_not_pinned").points)
    assert.ok(flat(stdout).includes(`${title}: ${text.replaceAll("`", "")}`), title);
});
