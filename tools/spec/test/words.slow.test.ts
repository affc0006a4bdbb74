/**
 * A program that does nothing but follow spec/words.json says what the package report says: for every fixture, the same
 * ladder, details, words about the key, and words about what holds. It is written here apart from the code that makes
 * the table.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Json, type Kind, type Problem, type Report, type TrustPolicy, verify } from "@svc/core";
import { detailsOf, escapeText, ladderOf, whatHolds, whoseKey } from "@svc/report";
import type { Rule } from "../derive.ts";
import type { kinds } from "../kinds.ts";
import type { words } from "../words.ts";

const CASES = fileURLToPath(new URL("../../../fixtures/cases/", import.meta.url));
const read = (name: string) => JSON.parse(readFileSync(new URL(`../../../spec/${name}.json`, import.meta.url), "utf8"));
const TABLE = read("words") as ReturnType<typeof words>;
const KINDS = (read("kinds") as ReturnType<typeof kinds>).kinds;

type Values = Readonly<Record<string, string>>;

const grouped = (count: number) => count.toLocaleString("en-US");
const counted = (count: number, noun: string) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
const inFours = (print: string) => (print.match(/.{4}/g) ?? []).join(" ");
const checkOf = ({ checks }: Report, name: string) => checks.find(({ id }) => id === name);

/** Returns what holds, and how many things in all. */
function heldBy(report: Report, isSignature: boolean): string[] {
  return TABLE.counted.flatMap(({ check, one, many }) => {
    const { status, count = 0 } = checkOf(report, check) ?? {};
    const lost = report.problems.filter(({ code }) => code === "payload_hash_mismatch").length;
    const held = status === "pass" ? count : status === "fail" && check === "payload_hash" ? count - lost : 0;
    return held > 0 && (!isSignature || one.includes("signature"))
      ? [`${grouped(held)} ${held === 1 ? one : many}`]
      : [];
  });
}

/** Returns the signers whom trust does not reach, each key once, with its fingerprint if any role has it. */
function strangersIn(signers: Report["signers"]): Report["signers"] {
  const strangers = signers.filter(({ reached }) => reached === "none");
  const kids = [...new Set(strangers.map(({ kid }) => kid))];
  return kids.flatMap((kid) => {
    const own = strangers.filter((one) => one.kid === kid);
    return own.find(({ fingerprint }) => fingerprint !== null) ?? own.slice(0, 1);
  });
}

function signersOf({ signers }: Report, trust: TrustPolicy | undefined): string {
  const strangers = strangersIn(signers);
  if (signers.some(({ fingerprint }) => trust?.signers.some((pin) => pin.public_key_hex === fingerprint)))
    return "fingerprint_pinned";
  if (signers.length === 0) return "none";
  if (strangers.length === 0) return "reached";
  const told = strangers.filter(({ fingerprint }) => fingerprint !== null).length;
  const words = [told > 1 ? "strangers" : told > 0 ? "stranger" : "", told < strangers.length ? "untold" : ""];
  return words.filter((word) => word !== "").join("_and_");
}

/** Returns what of a report and its reader the table asks for. */
function valuesOf(report: Report, trust: TrustPolicy | undefined, isSignature: boolean): Values {
  const { assurance, checks, problems } = report;
  const held = heldBy(report, isSignature);
  const { from_seq_no: from, to_seq_no: to, stream_id, origin, from_received_at, to_received_at } = report.subject;
  const known = checkOf(report, "known_checkpoint");
  const raw: Record<string, unknown> = {
    ...report,
    ...assurance,
    ...assurance.witnessed,
    ...assurance.provenance,
    own_witness_only: checkOf(report, "witness")?.note?.startsWith(TABLE.own_witness_note) ?? false,
    provenance: assurance.provenance === undefined ? "none" : "some",
    level_note: checkOf(report, "assurance")?.note === undefined ? "none" : "some",
    held: held.length === 1 && held[0]?.startsWith("1 ") ? 1 : held.length === 0 ? 0 : "more",
    signatures_held: heldBy(report, true).length > 0,
    range: to === undefined ? "none" : from === to ? "one_event" : from === undefined ? "up_to" : "several",
    stream_id: stream_id === undefined ? "none" : "some",
    origin: origin ? "some" : "none",
    received: from_received_at === undefined || to_received_at === undefined ? "none" : "some",
    known_checkpoints: known?.status !== "pass" ? 0 : known.note === undefined ? (known.count ?? 0) : "part",
    known_in_policy: trust?.known_checkpoints?.some((one) => one.stream_id === stream_id) ?? false,
    pin_named: false,
    bundle_seal: (checkOf(report, "bundle_seal")?.status ?? "not_checked") === "not_checked" ? "not_checked" : "pass",
    trust_status: statusOr(checkOf(report, "trust")?.status),
    form_status: checks.some(({ id, status }) => ["json", "shape"].includes(id) && status === "fail") ? "fail" : "pass",
    signers: signersOf(report, trust),
    part_reached: report.signers.some(
      ({ reached, role }) => reached !== "none" && role !== "vault" && role !== "witness",
    ),
    pins: trust?.signers.length ?? 0,
    vault_key_unknown: problems.some(({ code, kid }) => code === "key_not_pinned" && kid === undefined),
    problem: isNearlyPinned(problems[0]) ? "key_nearly_pinned" : problems[0]?.code,
    problem_kid: problems[0]?.kid === undefined ? "none" : "some",
  };
  return Object.fromEntries(
    Object.entries(TABLE.dimensions).map(([name, { values }]) => {
      const value = `${raw[name] ?? ""}`;
      const isListed = (values as readonly string[]).includes(value);
      return [name, isListed ? value : typeof raw[name] === "number" ? "more" : name === "problem" ? "other" : value];
    }),
  );
}

function isNearlyPinned(problem: Problem | undefined): boolean {
  return problem?.code === "key_not_pinned" && problem.expected !== undefined;
}

/** Returns the texts of the rules that are met. */
function met(rules: readonly Rule[], values: Values): string[] {
  const isMet = (when: Rule["when"]) =>
    when.length === 0 ||
    when.some((one) => Object.entries(one).every(([name, allowed]) => allowed.includes(values[name] ?? "")));
  return rules.filter(({ when }) => isMet(when)).map(({ text }) => text);
}

function filled(text: string, report: Report, isSignature: boolean): string {
  const { witnessed, provenance } = report.assurance;
  const { effective, installations = 0 } = provenance ?? {};
  const levels = Object.entries(effective ?? {})
    .reverse()
    .filter(([, count]) => count > 0);
  const [only = ["L0"]] = levels;
  const windows = checkOf(report, "window_root")?.count ?? Math.min(1, checkOf(report, "window_seal")?.count ?? 0);
  const { noun = "" } = KINDS[report.kind ?? ""] ?? {};
  const strangers = strangersIn(report.signers);
  const prints = strangers.flatMap(({ fingerprint }) => (fingerprint === null ? [] : [inFours(fingerprint)]));
  const shown: Readonly<Record<string, string>> = {
    valid: grouped(witnessed.valid),
    pinned: grouped(witnessed.pinned),
    required: grouped(witnessed.required),
    installations: grouped(installations),
    held: heldBy(report, isSignature).join(", "),
    windows: counted(windows, "window"),
    checkpoints: counted(checkOf(report, "checkpoint_root")?.count ?? 0, "checkpoint"),
    this: noun.replace(/^an? /, "this "),
    needed_object: (TABLE.needs_signed_object as Readonly<Record<string, string>>)[report.kind ?? ""] ?? "",
    levels:
      levels.length > 1 ? levels.map(([level, count]) => `${grouped(count)} at ${level}`).join(", ") : `${only[0]}`,
    level_note: checkOf(report, "assurance")?.note ?? "",
    fingerprints: prints.slice(0, TABLE.shortened.shown_keys).join(", and "),
    kid: strangers.flatMap(({ kid, fingerprint }) => (fingerprint === null ? [kid] : [])).join(", "),
  };
  return text.replaceAll(/\{(\w+)\}/g, (whole, name) => shown[name] ?? whole);
}

/** Returns an expression for a sentence with anything in its placeholders. */
function patternOf(text: string): RegExp {
  const parts = text.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`);
}

/** Yields the reports of all fixtures, with the trust policies that they were made under. */
function* reports(): Generator<{
  readonly path: string;
  readonly report: Report;
  readonly trust: TrustPolicy | undefined;
}> {
  for (const path of readdirSync(CASES, { recursive: true, encoding: "utf8" }).filter((one) => one.endsWith(".json"))) {
    const {
      input,
      input_base64 = "",
      ...options
    } = JSON.parse(readFileSync(CASES + path, "utf8")) as {
      readonly input?: string;
      readonly input_base64?: string;
      readonly kind: Kind;
      readonly trust: Json;
    };
    const report = verify(Buffer.from(input ?? input_base64, input === undefined ? "base64" : "utf8"), options);
    const isPolicy = !report.problems.some((problem) => problem.path.startsWith("trust:"));
    yield { path, report, trust: isPolicy ? ((options.trust ?? undefined) as TrustPolicy | undefined) : undefined };
  }
}

test("the ladder of every fixture that is not rejected, and what is said of its key, are those of the table", () => {
  const told = new Set<string>();
  for (const { path, report, trust } of reports()) {
    if (report.verdict === "rejected") continue;
    const values = valuesOf(report, trust, true);
    const steps = met(TABLE.ladder.steps, values).map((name) => {
      const { marks, clauses } = TABLE.ladder.said[name] ?? assert.fail(name);
      const [id = ""] = met(marks, values);
      const { mark, tone } = TABLE.ladder.marks[id] ?? assert.fail(id);
      return { name, mark, tone, text: filled(met(clauses, values).join("; "), report, true) };
    });
    assert.deepEqual(steps, ladderOf(report), path);
    const whose = met(TABLE.whose_key, values).map((text) => filled(text, report, false));
    if (report.verdict === "untrusted") assert.deepEqual(whose, whoseKey(report, { trust }), path);
    // Times, ranges and keys have special forms.
    const details = met(TABLE.details, values).map(patternOf);
    const lines = detailsOf(report, { trust });
    assert.equal(lines.length, details.length, path);
    for (const [index, pattern] of details.entries()) assert.match(lines[index] ?? "", pattern, path);
    for (const { name, mark } of steps) told.add(name + mark);
  }
  assert.ok(told.size >= 19, [...told].join());
});

test("so is what is said to hold in a rejected one", () => {
  let count = 0;
  for (const { path, report, trust } of reports()) {
    if (report.verdict !== "rejected") continue;
    const [text = null] = met(TABLE.what_holds, valuesOf(report, trust, false)).map((one) =>
      filled(one, report, false),
    );
    assert.equal(text, whatHolds(report), path);
    count++;
  }
  assert.ok(count > 300, `${count}`);
});

test("the code points to escape are those that the terminal is spared", () => {
  const ranges = TABLE.escaped_code_points;
  for (let point = 0; point <= 0x10ffff; point++) {
    const isEscaped = ranges.some(([from, to]) => point >= from && point <= to);
    const character = String.fromCodePoint(point);
    if (isEscaped !== (escapeText(character) !== character)) assert.fail(`U+${point.toString(16)}`);
  }
});

function statusOr(status: string | undefined): string {
  return status === "pass" || status === "cannot_evaluate" ? status : "other";
}
