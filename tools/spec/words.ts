/**
 * The words of the package report in the terminal: its tables as they stand, and the sentences that its functions say,
 * with the conditions under which they say them. Commands add other words, which are in none of these tables.
 */
import { type Kind, NO_PROOFS_NEEDED, ONLY_OWN_WITNESS } from "@svc/core";
import { UNSAFE } from "../../packages/report/src/escape.ts";
import { forkSentence, forkShown, PROOF_WORDS } from "../../packages/report/src/forks.ts";
import { ladderOf, type StepName, stepsOf, TONES } from "../../packages/report/src/ladder.ts";
import { NAMES } from "../../packages/report/src/marks.ts";
import { LONG_HEX, LONG_TEXT } from "../../packages/report/src/numbers.ts";
import { NOT_CHECKED, OTHER_FORMATS } from "../../packages/report/src/other-format.ts";
import { describeProblem } from "../../packages/report/src/problem.ts";
import { SHOWN_KEYS, sealedBy, UNSIGNED_KINDS, whoseKey } from "../../packages/report/src/signers.ts";
import { detailsOf, TELLING, whatHolds } from "../../packages/report/src/statement.ts";
import { CHECK_NAMES, COUNTED, DISTRUST, nounOf, VERDICTS } from "../../packages/report/src/words.ts";
import { derive, type Values } from "./derive.ts";
import { codePoints } from "./formats.ts";
import { DIMENSIONS, type Name, PLACEHOLDERS } from "./word-dimensions.ts";
import { KID, readerOf, reportOf } from "./word-reports.ts";

/** The dimensions of the details, and of the words about a signer whom no trust reaches. */
const DETAILS: readonly Name[] = [
  "kind",
  "verdict",
  "complete",
  "signed",
  "signers",
  "part_reached",
  "provenance",
  "vault_keys",
  "bundle_seal",
  "pins",
  "pin_named",
  "range",
  "stream_id",
  "origin",
  "received",
  "known_checkpoints",
  "known_in_policy",
  "problem",
  "problem_kid",
];
const WHOSE_KEY: readonly Name[] = [
  "kind",
  "signed",
  "signers",
  "provenance",
  "bundle_seal",
  "pins",
  "vault_key_unknown",
];

/** Returns the tables and sentences. */
export function words() {
  return {
    verdicts: VERDICTS,
    check_names: CHECK_NAMES,
    counted: COUNTED.map(([check, one, many]) => ({ check, one, many })),
    distrust: DISTRUST,
    telling_checks: TELLING,
    needs_signed_object: UNSIGNED_KINDS,
    other_formats: OTHER_FORMATS,
    evidence_of_other_kinds: NOT_CHECKED,
    evidence_marks: NAMES,
    own_witness_note: ONLY_OWN_WITNESS,
    no_proofs_needed_note: NO_PROOFS_NEEDED,
    shortened: { hex_characters: LONG_HEX, text_characters: LONG_TEXT, shown_keys: SHOWN_KEYS },
    escaped_code_points: codePoints(new RegExp(UNSAFE.source, "u")),
    dimensions: DIMENSIONS,
    placeholders: PLACEHOLDERS,
    ladder: ladder(),
    details: told(DETAILS, (asked) =>
      detailsOf(reportOf(asked), readerOf(asked)).map((text) =>
        named(text, asked).replace(/^sealed by .*?(?=, for \{origin\}$|$)/, "{sealed_by}"),
      ),
    ),
    sealed_by: told(["reached", "role", "from_link", "provenance"], (asked) => [
      named(sealedBy(reportOf(asked), readerOf(asked)) ?? "", asked).replace("{kid}", "{key}"),
    ]),
    sealed_by_several: sealedBySeveral(),
    whose_key: told(WHOSE_KEY, (asked) => whoseKey(reportOf(asked), readerOf(asked)).map((text) => named(text, asked))),
    what_holds: told(["form_status", "held", "signatures_held", "trust_status"], (asked) => {
      const text = whatHolds(reportOf(asked));
      return text === null ? [] : [held(text)];
    }),
    json_faults: jsonFaults(),
    fork_words: { ...forkWords(), ...PROOF_WORDS },
  };
}

const MARK_NAMES = [
  ["●", "shown"],
  ["◐", "shown_in_part"],
  ["○", "not_shown"],
] as const;

/** Returns the steps of the ladder: when there is which, with which mark, and what it says, clause by clause. */
function ladder() {
  const steps: Readonly<Record<StepName, readonly Name[]>> = {
    signed: ["kind", "verdict", "signed", "bundle_seal", "signers", "held"],
    included: ["kind", "verdict", "signed", "included", "complete", "signers"],
    witnessed: ["kind", "verdict", "signers", "required", "valid", "pinned", "own_witness_only"],
    published: ["verdict", "signers", "published"],
    anchored: ["kind", "verdict", "signers", "anchored"],
    vault: ["verdict", "signers", "installations", "substantiated_by", "vault_keys", "vault_chain", "key_custody"],
    level: ["verdict", "signers", "substantiated_by", "software_root", "level_note"],
  };
  return {
    marks: Object.fromEntries(MARK_NAMES.map(([mark, id]) => [id, { mark, tone: TONES[mark] }])),
    steps: told(["kind", "provenance"], (asked) => stepsOf(reportOf(asked))),
    said: Object.fromEntries(
      Object.entries(steps).map(([name, names]) => {
        const stepOf = (asked: Values) => ladderOf(reportOf(asked, name)).find((step) => step.name === name);
        return [
          name,
          {
            marks: told(names, (asked) =>
              MARK_NAMES.filter(([mark]) => mark === stepOf(asked)?.mark).map(([, id]) => id),
            ),
            clauses: told(names, (asked) =>
              named(held(stepOf(asked)?.text ?? ""), asked)
                .split("; ")
                .filter(Boolean),
            ),
          },
        ];
      }),
    ),
  };
}

function told(names: readonly Name[], say: (asked: Values) => readonly string[]) {
  return derive(Object.fromEntries(names.map((name) => [name, DIMENSIONS[name].values])), say);
}

/** Returns the sentence about more signers than are named. */
function sealedBySeveral(): string {
  const report = reportOf({ signers: "reached", reached: "pinned" });
  const kids = Array.from({ length: SHOWN_KEYS + 2 }, (_, index) => `${KID.slice(0, -1)}${index}`);
  const signers = report.signers.flatMap((signer) => kids.map((kid) => ({ ...signer, kid })));
  const text = sealedBy({ ...report, signers }, readerOf({})) ?? "";
  return text.replaceAll(/ed25519-[0-9a-f]{16}/g, "{key}").replace("2 more", "{count} more");
}

/** Returns the words for the parser's faults. The numbers are those of a file that has each of them once. */
function jsonFaults() {
  const [offset, column] = [1234, 678];
  const lines = `\n\n\n${"x".repeat(offset - column - 3)}\n${"x".repeat(column - 1)}`;
  const problem = { code: "json_malformed", path: "", message: "", action: "", actual: `${offset}` } as const;
  const sentencesAt = (text: string) => describeProblem(problem, new TextEncoder().encode(text)).sentences.slice(1);
  const [place = "", ends = ""] = sentencesAt(lines);
  const [, there = ""] = sentencesAt(`${lines}?`);
  return {
    place: place.replace("1,234", "{offset}").replace(" 5,", " {line},").replace("678", "{column}"),
    ends,
    there: there.replace(/\?$/, "{text}"),
  };
}

/** Returns the texts about a fork, with names in braces for what is put in. */
export function forkWords() {
  const fork = { stream_id: "{stream}", names: ["{files}"], more: [], reached: true };
  const evidence = forkSentence(fork);
  const [place, event] = [{ seq_no: 7 }, "at event 7"];
  const whole = forkSentence({ ...fork, place });
  const begin = whole.slice(0, whole.indexOf(event));
  const whose = (text: string) => text.slice(`${begin}${event}. `.length);
  const where = (text: string) => text.slice(begin.length, text.indexOf(`. ${whose(whole)}`));
  const more = forkSentence({ ...fork, place, more: ["{files}"] }).slice(whole.length);
  return {
    evidence,
    histories: `${begin}{place}. {whose}{more}`,
    log: /fork in (.*?),/.exec(forkSentence({ ...fork, stream_id: null }))?.[1] ?? "",
    event: event.replace("7", "{number}"),
    window: where(forkSentence({ ...fork, place: { window_no: 7 } })).replace("7", "{number}"),
    tree: where(forkSentence({ ...fork, place: { window_count: 7 } })).replace("7 windows", "{windows}"),
    reached: whose(whole),
    unreached: whose(forkSentence({ ...fork, place, reached: false })),
    unchecked: whose(forkSentence({ ...fork, place, reached: false, unchecked: ["{unchecked}"] })),
    more: more.replace("1 more file", "{count}"),
    shown: shown("{stream}", {}),
    shown_at: shown("{stream}", { seq_no: 7 }).replace(event, "{place}"),
    entries: shown(null, { log_size: 7 }).replace(/^.*, (.*)7/, "$1{number}"),
  };
}

/** Returns what evidence of a fork shows whose left side is this one. */
function shown(stream: string | null, left: object): string {
  return forkShown(new TextEncoder().encode(JSON.stringify({ left })), stream);
}

/** Puts placeholders in the place of what holds, of counts and of levels. */
function held(text: string): string {
  return text
    .replace(/\{held\} (?:receipt signatures|payloads)|1 (?:receipt signature|payload)/, "{held}")
    .replace("{windows} windows", "{windows}")
    .replace("{checkpoints} checkpoints", "{checkpoints}")
    .replace(/^L2/, "{levels}");
}

/** Puts placeholders in the place of names. */
function named(text: string, { kind = "" }: Values): string {
  const noun = kind === "" ? "" : nounOf(kind as Kind).replace(/^(an?) |^/, "this ");
  return (noun === "" ? text : text.replace(noun, "{this}"))
    .replace(UNSIGNED_KINDS[kind] ?? "{needed_object}", "{needed_object}")
    .replace(/(?:up to event |events? )?\{(?:from|to)_seq_no\}(?: to \{to_seq_no\})?/, "{range}")
    .replace("1 to 31 March 2026", "{received}")
    .replace(/\b7 windows/, "{windows}")
    .replaceAll(/(?:[0-9a-f]{4} ){15}[0-9a-f]{4}(?:, and (?:[0-9a-f]{4} ){15}[0-9a-f]{4})*/g, "{fingerprints}")
    .replaceAll(/ed25519-[0-9a-f]{16}(?:, ed25519-[0-9a-f]{16})*/g, "{kid}")
    .replace("digit 64", "{slip}");
}
