/**
 * The forms of texts, as patterns that ECMAScript (flag u), Python's re and RE2 read alike: no class of letters by a
 * name, no look-around, no anchors. A pattern is for the whole text. A form that no such pattern decides names its rule
 * in words.
 */
import { schemas } from "@svc/core";
import * as atoms from "../../packages/core/src/schema/atoms.ts";
import * as vaultAtoms from "../../packages/core/src/schema/vault-atoms.ts";
import { FORMS, type Rule } from "./forms.ts";

/** A pattern for whole texts, and the most code points of one if the pattern does not say that. */
export interface PortablePattern {
  readonly pattern: string;
  readonly max_characters?: number;
}

const ANY_CHARACTER = "[\u0000-\u{10ffff}]";
/** Constructs that one of the three reads otherwise, or not at all. */
const NOT_PORTABLE = /\\(?![.])|\(\?(?!:)|[$^](?<!\[\^)/;
const LOOK_AHEAD = /^\(\?=\.\{1,(\d+)\}\$\)/;
const LAST_CODE_POINT = 0x10ffff;

/** Returns a pattern of core in the dialect. Throws for one that it cannot carry over. */
export function portable(own: string): PortablePattern {
  const [, inner] = /^\^(.*)\$$/s.exec(own) ?? [];
  if (inner === undefined) throw new Error(`the pattern ${own} is not one of a whole text`);
  const [, most] = LOOK_AHEAD.exec(inner) ?? [];
  const pattern = inner
    .replace(LOOK_AHEAD, "")
    .replaceAll("[\\s\\S]", ANY_CHARACTER)
    .replaceAll(/\\u([0-9a-f]{4})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
  if (NOT_PORTABLE.test(pattern)) throw new Error(`the pattern ${own} is not one that all languages read alike`);
  return { pattern, ...(most === undefined ? {} : { max_characters: Number(most) }) };
}

/** A form in spec/formats.json. */
interface SpecFormat extends PortablePattern {
  readonly description: string;
  readonly is_format: boolean;
  readonly rule?: Rule;
  readonly matches: readonly string[];
  readonly fails: readonly string[];
}

/** Returns every form by its name, with texts that have it and texts that do not. */
export function specFormats(): {
  readonly formats: Readonly<Record<string, SpecFormat>>;
  readonly white_space: readonly (readonly [from: number, to: number])[];
} {
  const used = formsInUse();
  const known = new Set(FORMS.map(({ pattern = "", format = "" }) => pattern || format));
  const missing = [...used.keys()].find((one) => !known.has(one));
  if (missing !== undefined) throw new Error(`tools/spec/forms.ts has no form ${missing}, which a schema uses`);
  return {
    formats: Object.fromEntries(
      FORMS.map(({ name, pattern, format, written, rule, has, lacks }) => {
        const description = used.get(pattern ?? format ?? "");
        if (description === undefined) throw new Error(`no schema uses the form ${name}`);
        return [
          name,
          {
            description,
            // The keyword `format` of spec/schemas/ names some forms; all others are there as a pattern.
            is_format: format !== undefined,
            ...(pattern === undefined ? { pattern: written ?? "" } : portable(pattern)),
            ...(rule === undefined ? {} : { rule }),
            matches: has,
            fails: lacks,
          },
        ];
      }),
    ),
    white_space: codePoints(/\p{White_Space}/u),
  };
}

/** Returns the descriptions of all forms in schemas and atoms, by core's own pattern or the name of the format. */
function formsInUse(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const walk = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { pattern, format, description } = part as Readonly<Record<string, unknown>>;
    for (const one of [pattern, format])
      if (typeof one === "string" && typeof description === "string" && !found.has(one))
        found.set(one, description.replace(/, or null$/, ""));
    for (const member of Object.values(part)) walk(member);
  };
  walk({ ...atoms, ...vaultAtoms, ...schemas });
  return found;
}

/** Returns the code points that a pattern matches, as ranges with both ends. */
export function codePoints(pattern: RegExp): readonly (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = [];
  for (let point = 0; point <= LAST_CODE_POINT; point++) {
    if (!pattern.test(String.fromCodePoint(point))) continue;
    const last = ranges.at(-1);
    if (last?.[1] === point - 1) last[1] = point;
    else ranges.push([point, point]);
  }
  return ranges;
}
