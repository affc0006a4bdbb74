/**
 * Small JSON texts that are not canonical: members in any order, half of them with white space, numbers and strings in
 * other forms than the canonical one.
 */
import type { Random } from "./random.ts";

const NAMES =
  "amount applicant currency decision email history id items kind label limit name note party period price " +
  "quantity rate reason région score source state status tags total unit verified weight zone";
const INTEGERS = ["0", "7", "12501", "-3", "9007199254740991"] as const;
const FRACTIONS = ["0.5", "1249.99", "-0.125", "3.141592653589793", "0.30000000000000004"] as const;
const OTHER_NUMBERS = ["1e3", "20E2", "4.0", "1.50", "2.5e-3", "1E-7"] as const;
const TEXTS = ["granted", "in two steps", "A1-204711", "2026-03-01T09:30:00+01:00", "caf\u00e9", "\u20ac 100"] as const;
const OTHER_TEXTS = ["\\u00e9t\\u00e9", "\\n", '\\"quoted\\"', "\\/path", "\\ud83d\\ude00"] as const;

/** The form of a text. */
export interface Spelling {
  readonly pretty: boolean;
  /** One number or piece of a string in so many has another form than the canonical one, or needs an escape. */
  readonly otherEvery: number;
}

/** Returns the next text, of about so many bytes. */
export function spelledText(random: Random, targetBytes: number, spelling: Spelling): string {
  const { pretty } = spelling;
  const sections: string[] = [];
  let bytes = 0;
  while (bytes < targetBytes - 520) {
    const section = `${literal(`section ${sections.length}`)}${pretty ? ": " : ":"}${value(random, spelling, pretty ? "  " : "", 2)}`;
    bytes += Buffer.byteLength(section) + 2;
    sections.push(section);
  }
  return wrap("{", random.shuffle(sections), "}", pretty ? "  " : "");
}

function value(random: Random, spelling: Spelling, indent: string, depth: number): string {
  const inside = indent === "" ? "" : `${indent}  `;
  const names = random.shuffle(NAMES.split(" ")).slice(0, 3 + random.below(5));
  const members = names.map((name) => {
    const kind = random.below(10);
    const nested = depth > 0 && kind < 2;
    const inner = nested
      ? value(random, spelling, inside, depth - 1)
      : kind < 4
        ? list(random, spelling, inside)
        : scalar(random, spelling);
    return `${literal(name)}${indent === "" ? ":" : ": "}${inner}`;
  });
  return wrap("{", members, "}", inside);
}

function list(random: Random, spelling: Spelling, indent: string): string {
  const elements = Array.from({ length: random.below(6) }, () => scalar(random, spelling));
  return wrap("[", elements, "]", indent === "" ? "" : `${indent}  `);
}

function scalar(random: Random, { otherEvery }: Spelling): string {
  const kind = random.below(8);
  const isOther = random.below(otherEvery) === 0;
  if (kind < 3) return isOther ? random.pick(OTHER_NUMBERS) : random.pick(kind < 2 ? INTEGERS : FRACTIONS);
  if (kind === 3) return random.pick(["true", "false", "null"]);
  const pieces = Array.from({ length: 1 + random.below(4) }, () =>
    random.below(otherEvery) === 0 ? random.pick(OTHER_TEXTS) : random.pick(TEXTS),
  );
  return `"${pieces.join(" ")}"`;
}

function literal(name: string): string {
  return JSON.stringify(name);
}

/** Joins the contents of brackets, each on its own line if there is an indent. */
function wrap(open: string, inside: readonly string[], close: string, indent: string): string {
  if (indent === "" || inside.length === 0) return open + inside.join(",") + close;
  return `${open}\n${indent}${inside.join(`,\n${indent}`)}\n${indent.slice(2)}${close}`;
}
