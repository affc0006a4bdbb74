/** Formats and kinds, as rows that the examination looks up. */
import type { Tables } from "../tables.ts";
import { comment, constants, exported, file, slice, text, texts } from "./source.ts";

/** Returns the file of formats: their numbers, patterns, and the code points of White_Space. */
export function formatsFile({ formats, whiteSpace }: Tables): string {
  const names = Object.keys(formats);
  return file(
    "tables",
    [],
    [
      constants(
        names.map((name, index) => ({
          name: `Format${exported(name)}`,
          type: "Format",
          value: String(index + 1),
          about: `Format${exported(name)}: ${formats[name]?.description}.`,
        })),
      ),
      slice("Formats", "FormatRow", "Formats holds every form of text; that of number n is at n - 1.", [
        ...Object.entries(formats).map(
          ([name, { pattern, max_characters = 0, rule }]) =>
            `{${text(name)}, ${text(pattern)}, ${max_characters}, ${text(rule?.id ?? "")}}`,
        ),
      ]),
      slice(
        "WhiteSpace",
        "[2]rune",
        "WhiteSpace are the code points of the property White_Space, as ranges with both ends.",
        whiteSpace.map(([from, to]) => `{${from}, ${to}}`),
      ),
    ],
  );
}

/** Returns the file of kinds: how each is recognised, and its lists of checks. */
export function kindsFile({ kinds, checks }: Tables): string {
  const list = (name: string) => texts(checks.by_list[name] ?? []);
  return file(
    "tables",
    [],
    [
      slice(
        "Kinds",
        "KindRow",
        "Kinds holds every kind in the order of the protocol, which decides between equally good ones.",
        Object.entries(kinds).map(([kind, { noun, is_json, schemas, check_lists, marks, max_bytes }]) => {
          const names = schemas.map((path) => path.replace(/^schemas\/|\.json$/g, ""));
          const marked = `[][]string{${marks.map((one) => `{${one.map(text).join(", ")}}`).join(", ")}}`;
          return (
            `{${text(kind)}, ${text(noun)}, ${is_json}, ${texts(names)}, ${texts(check_lists)}, ${marked}, ` +
            `${max_bytes ?? 0}}`
          );
        }),
      ),
      slice("CheckOrder", "string", "CheckOrder holds every check in the order of reports.", checks.order.map(text)),
      slice(
        "CheckLists",
        "CheckList",
        "CheckLists holds the checks of each kind, and of each form of a kind that has others.",
        [
          ...Object.keys(checks.by_list).map((name) => `{${text(name)}, ${list(name)}}`),
          `{"", ${texts(checks.of_no_kind)}}`,
        ],
      ),
      `${comment("RequiredAssurance is the check that a trust policy with require_assurance adds to every list.")}${`const RequiredAssurance = ${text(checks.with_required_assurance)}\n`}`,
    ],
  );
}
