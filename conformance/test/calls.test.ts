/** The calls of the runner: selections, expected failures, reports, faulty sets of cases, wrong calls. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, test } from "node:test";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { casesFolder, digestCase, oneFault, RUNNER, result, runner } from "./runner.ts";

const CASES = casesFolder({
  "b.jsonl": [digestCase("two"), { ...digestCase("three"), name: "2/digest/three", level: 2 }],
  "a/first.jsonl": [digestCase("one"), digestCase("bad")],
  "README.txt": "no case",
});
const RIGHT = oneFault("none");
const WRONG = oneFault("wrong-answer");

test("cases are chosen by level, by a part of their name, and by a pattern of all of it", async () => {
  const countOf = async (...words: readonly string[]) => {
    const { result: found, code } = await result(["--command", RIGHT, "--cases", CASES, ...words]);
    assert.equal(code, 0);
    return found.levels.slice(1).map(({ level, passed }) => [level, passed]);
  };
  assert.deepEqual(await countOf(), [
    [1, 3],
    [2, 1],
  ]);
  assert.deepEqual(await countOf("--level", "2"), [[2, 1]]);
  assert.deepEqual(await countOf("--only", "digest/t"), [
    [1, 1],
    [2, 1],
  ]);
  assert.deepEqual(await countOf("--only", "*/digest/?ne"), [[1, 1]]);
});

describe("expected failures", () => {
  const list = (text: string) => {
    const file = join(temporaryFolder(), "expected.txt");
    writeFileSync(file, text);
    return ["--expect-failures", file];
  };

  test("one that fails is no failure of the run", async () => {
    const words = ["--command", WRONG, "--cases", CASES, ...list("# known\n1/digest/bad  # since May\n\n")];
    const { code, result: found } = await result(words);
    assert.equal(code, 0);
    assert.deepEqual(
      found.failures.map(({ name, expected }) => [name, expected]),
      [["1/digest/bad", true]],
    );
  });

  test("one that passes fails the run", async () => {
    const words = ["--command", RIGHT, "--cases", CASES, ...list("1/digest/bad\n")];
    const { code, stdout, result: found } = await result(words);
    assert.equal(code, 1);
    assert.match(stdout, /^PASSED 1\/digest\/bad, which the list of expected failures names/m);
    assert.deepEqual(found.unexpected_passes, ["1/digest/bad"]);
  });

  test("a name that is no case is a wrong call, which names the nearest", async () => {
    const { code, stderr } = await runner(["--command", RIGHT, "--cases", CASES, ...list("#\n1/digest/bat\n")]);
    assert.equal(code, 64);
    assert.match(stderr, /expected\.txt:2: 1\/digest\/bat is no case; the nearest name is 1\/digest\/bad/);
  });
});

test("the reports: XML that a parser takes, a page without script; both escaped", async () => {
  const folder = temporaryFolder();
  const [junit, html] = [join(folder, "junit.xml"), join(folder, "page.html")];
  const words = ["--command", WRONG, "--cases", CASES, "--junit", junit, "--html", html];
  assert.equal((await runner(words)).code, 1);
  const xml = readFileSync(junit, "utf8");
  assert.match(xml, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /);
  assert.match(xml, /<testsuite name="level 1" tests="3" failures="1" skipped="0">/);
  assert.match(xml, /<testcase classname="level 1" name="1\/digest\/bad"><failure message="\/digest">/);
  const page = readFileSync(html, "utf8");
  assert.doesNotMatch(page, /<script|https?:|<b>/);
  for (const text of [xml, page]) {
    assert.match(text, /&lt;b&gt;/);
    assert.doesNotMatch(text, /[^\P{Cc}\n]|\p{Cf}/u);
    assertBalanced(text);
  }
});

describe("a faulty set of cases ends the run with 66, and is named by file and line", () => {
  const good = digestCase("one");
  const verify = { name: "4/a/b", level: 4, request: { op: "verify", bytes: "" } };
  const FAULTS: readonly (readonly [string, Readonly<Record<string, string | readonly object[]>>, RegExp])[] = [
    ["empty", {}, /no case in it/],
    ["without a file of cases", { "a.json": "{}" }, /no case in it/],
    ["an unknown member", { "a.jsonl": [good, { ...digestCase("x"), more: 1 }] }, /a\.jsonl:2: .*"more"/],
    ["a missing member", { "a.jsonl": [{ name: "1/a/b", level: 1, request: { op: "x" } }] }, /a\.jsonl:1: .*"answer"/],
    [
      "a name twice",
      { "a.jsonl": [good], "b/c.jsonl": [good] },
      /c\.jsonl:1: the name 1\/digest\/one is at .*a\.jsonl:1/,
    ],
    ["verify without a report", { "a.jsonl": [{ ...verify, answer: { ok: true } }] }, /a\.jsonl:1: .*no "report"/],
    [
      "a report with a missing member",
      { "a.jsonl": [{ ...verify, answer: { ok: true, report: { ok: true } } }] },
      /"verdict"/,
    ],
    ["no JSON", { "a.jsonl": "{\n" }, /a\.jsonl:1: not JSON/],
    ["an empty line", { "a.jsonl": `${JSON.stringify(good)}\n\n` }, /a\.jsonl:2: an empty line/],
    ["another level than its name", { "a.jsonl": [{ ...good, level: 2 }] }, /does not begin with its level/],
    ["an id", { "a.jsonl": [{ ...good, request: { op: "x", id: 1 } }] }, /has an "id"/],
  ];
  for (const [what, files, expected] of FAULTS)
    test(what, async () => {
      const { code, stderr, stdout } = await runner(["--command", RIGHT, "--cases", casesFolder(files)]);
      assert.deepEqual([code, stdout], [66, ""]);
      assert.match(stderr, expected);
    });

  test("not there, a file, a folder that is called as a file", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "a.jsonl"));
    for (const [path, expected] of [
      [join(folder, "nowhere"), /cannot be read/],
      [process.execPath, /a file, where a folder of cases is wanted/],
      [folder, /a\.jsonl: a folder, where a file of cases is wanted/],
    ] as const) {
      const { code, stderr } = await runner(["--command", RIGHT, "--cases", path]);
      assert.equal(code, 66);
      assert.match(stderr, expected);
    }
  });
});

test("a file that cannot be written is found out before the program starts", async () => {
  const folder = temporaryFolder();
  const started = join(folder, "started");
  for (const path of [folder, join(folder, "no/such.json")]) {
    const { code, stderr } = await runner(["--command", `touch ${started}`, "--cases", CASES, "--json", path]);
    assert.equal(code, 73);
    assert.match(stderr, /it cannot be written/);
  }
  assert.ok(!existsSync(started));
});

describe("an output that cannot be written", () => {
  const words = [RUNNER, "--command", RIGHT, "--cases", CASES];

  test("a reader who leaves ends neither the run nor its files", async () => {
    const file = join(temporaryFolder(), "result.json");
    const child = spawn(process.execPath, [...words, "--json", file], { stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.destroy();
    assert.deepEqual(await once(child, "exit"), [0, null]);
    assert.equal(JSON.parse(readFileSync(file, "utf8")).failures.length, 0);
  });

  test("a full disk is no passed run", { skip: !existsSync("/dev/full") }, async () => {
    const child = spawn(process.execPath, words, { stdio: ["ignore", openSync("/dev/full", "w"), "inherit"] });
    assert.deepEqual(await once(child, "exit"), [73, null]);
  });
});

test("wrong calls", async () => {
  for (const [words, expected] of [
    [[], /--command is missing/],
    [["--command", " "], /--command is missing/],
    [["--other"], /--other/],
    [["--command", RIGHT, "--level", "8"], /--level takes 1 to 7/],
    [["--command", RIGHT, "--jobs", "0"], /--jobs takes an integer of 1 to 64/],
    [["--command", RIGHT, "--seconds", "1e3"], /--seconds takes an integer/],
    [["--command", RIGHT, "--seed", "1"], /--seed goes with --mutants/],
    [["--command", RIGHT, "--mutants", "1"], /--mutants needs --against/],
    [["--command", RIGHT, "--json", "a", "--html", "a"], /a file each/],
    [["--command", RIGHT, "--only", "1/digets/one"], /no case is chosen; the nearest name is 1\/digest\/one/],
    [["--command", "no-such-program-here --x"], /no-such-program-here: not found/],
    [["--command", "./nowhere/program"], /Tried:\n {2}\.\/nowhere\/program: not found/],
    [["--command", "cd / && no-such-program-here"], /the shell cannot start/],
  ] as const) {
    const { code, stderr, stdout } = await runner(["--cases", CASES, ...words]);
    assert.equal(code, 64, `${words.join(" ")}: ${stderr}`);
    assert.match(stderr, expected);
    assert.equal(stdout, "");
  }
  const { code, stdout } = await runner(["--help"]);
  assert.equal(code, 0);
  assert.match(stdout, /^usage: node run\.mjs --command/);
});

/** Fails unless every element of a text of ours is closed, in order. */
function assertBalanced(text: string): void {
  const open: string[] = [];
  for (const [, end, name = "", rest = ""] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)([^<>]*)>/g)) {
    if (["meta", "br"].includes(name) || rest.endsWith("/")) continue;
    if (end === "") open.push(name);
    else assert.equal(open.pop(), name);
  }
  assert.deepEqual(open, []);
}
