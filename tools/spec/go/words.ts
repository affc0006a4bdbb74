/** The words that a report is rendered with in the terminal: the tables of words.json that the package render reads. */
import type { Sentence, Tables, Value } from "../tables.ts";
import { sentence } from "./sentences.ts";
import { comment, file, slice, text, texts } from "./source.ts";

type Texts = Readonly<Record<string, string>>;

/** A step of the ladder in words.json. */
interface Said {
  readonly marks: readonly Sentence[];
  readonly clauses: readonly Sentence[];
}

/** Returns the file of words. */
export function wordsFile({ words, kinds }: Tables): string {
  const ladder = words["ladder"] as { readonly steps: Value; readonly said: Value };
  const steps = ladder.steps as object as readonly Sentence[];
  const said = ladder.said as object as Readonly<Record<string, Said>>;
  const list = (name: string) => words[name] as object as readonly Sentence[];
  const numbers = words["shortened"] as Readonly<Record<string, number>>;
  return file(
    "tables",
    [],
    [
      verdicts(words["verdicts"] as object as Readonly<Record<string, Readonly<Record<string, string>>>>),
      map("CheckNames", "CheckNames holds the subject of each check, in a word or two.", words["check_names"] as Texts),
      map(
        "KindNouns",
        "KindNouns holds each kind as a noun with its article.",
        Object.fromEntries(Object.entries(kinds).map(([kind, { noun }]) => [kind, noun])),
      ),
      map(
        "NeedsSignedObject",
        "NeedsSignedObject holds what those kinds need that nobody has signed by themselves.",
        words["needs_signed_object"] as Texts,
      ),
      slice(
        "Counted",
        "Count",
        "Counted holds the nouns of what checks count, in order.",
        (words["counted"] as readonly Texts[])
          .map(({ check = "", one = "", many = "" }) => [check, one, many].map(text).join(", "))
          .map((row) => `{${row}}`),
      ),
      texted("Distrust", "Distrust holds the codes that leave evidence unbroken.", words["distrust"]),
      texted("Telling", "Telling holds the checks whose notes say what they found.", words["telling_checks"]),
      map("OtherFormats", "OtherFormats holds what is in place of evidence.", words["other_formats"] as Texts),
      texted(
        "OtherEvidence",
        "OtherEvidence holds those formats that other programs verify.",
        words["evidence_of_other_kinds"],
      ),
      texted("EvidenceMarks", "EvidenceMarks holds members that only evidence has.", words["evidence_marks"]),
      `${comment("OwnWitnessNote begins the note of a check that only the service's own witness meets.")}const ` +
        `OwnWitnessNote = ${text(String(words["own_witness_note"]))}\n`,
      `${comment("NoProofsNeededNote is the note of a check that misses nothing.")}const NoProofsNeededNote = ` +
        `${text(String(words["no_proofs_needed_note"]))}\n`,
      `${comment("Longer values are shortened: LongHex and LongText count characters.")}const (\n` +
        `\tLongHex   = ${numbers["hex_characters"]}\n\tLongText  = ${numbers["text_characters"]}\n` +
        `\tShownKeys = ${numbers["shown_keys"]}\n)\n`,
      map(
        "ForkWords",
        "ForkWords holds the texts about a fork among files, with names in braces for what is put in.",
        words["fork_words"] as Texts,
      ),
      slice(
        "Escaped",
        "[2]rune",
        "Escaped holds the code points that never reach a terminal as they are, as ranges with both ends.",
        (words["escaped_code_points"] as readonly (readonly number[])[]).map((range) => `{${range.join(", ")}}`),
      ),
      slice(
        "WordDimensions",
        "Dimension",
        "WordDimensions holds every dimension of the sentences below with all of its values.",
        Object.entries(
          words["dimensions"] as object as Readonly<Record<string, { readonly values: readonly string[] }>>,
        ).map(([name, { values }]) => `{${text(name)}, ${texts(values)}}`),
      ),
      slice(
        "Steps",
        "Step",
        "Steps holds the steps of the ladder, in order.",
        steps.map(
          (step) =>
            `{${text(step.id)}, Sentence${sentence(step)}, ${sentences(said[step.id]?.marks)}, ` +
            `${sentences(said[step.id]?.clauses)}}`,
        ),
      ),
      ...[
        ["Details", "details", "the lines under the verdict"],
        ["SealedBy", "sealed_by", "who sealed an object, of one signer"],
        ["WhoseKey", "whose_key", "what to think of a signer that trust does not reach"],
        ["WhatHolds", "what_holds", "what holds in a rejected object all the same"],
      ].map(([name = "", member = "", about = ""]) =>
        slice(name, "Sentence", `${name} says ${about}.`, list(member).map(sentence)),
      ),
    ],
  );
}

function verdicts(rows: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const items = Object.entries(rows).map(
    ([verdict, { word = "", tone = "" }]) => `{${text(verdict)}, ${text(word)}, ${text(tone)}}`,
  );
  return slice("Verdicts", "Verdict", "Verdicts holds the word and the tone of each verdict.", items);
}

function map(name: string, about: string, rows: Texts): string {
  const names = Object.keys(rows).map((key) => text(key));
  const width = Math.max(...names.map(({ length }) => length));
  const lines = Object.entries(rows).map(([key, value]) => `\t${`${text(key)}:`.padEnd(width + 1)} ${text(value)},\n`);
  return `${comment(about)}var ${name} = map[string]string{\n${lines.join("")}}\n`;
}

function texted(name: string, about: string, values: Value | undefined): string {
  return `${comment(about)}var ${name} = ${texts(values as readonly string[])}\n`;
}

function sentences(list: readonly Sentence[] = []): string {
  return `[]Sentence{${list.map(sentence).join(", ")}}`;
}
