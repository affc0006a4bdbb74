/** Generated JSON texts: values in many spellings, texts nearly right, and soups of pieces. */
import fc from "fast-check";

const names = fc.oneof(
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.string({
    unit: fc.constantFrom("a", "b", "\u00e9", "\ue000", "\uffff", "\u{10000}", '"', "\\", "\u0001"),
    maxLength: 3,
  }),
  fc.constantFrom("__proto__", "constructor", "toJSON", "1", "", "aaaaaaaab", "aaaaaaaac", "aaaaaaaa"),
);
const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 1e21, 1e-7, 5e-324, 2 ** 53, 2 ** 64, 1.7976931348623157e308, 123456789012345680000),
  fc
    .integer({ min: -9, max: 9 })
    .chain((digit) => fc.integer({ min: 0, max: 307 }).map((zeros) => digit * 10 ** zeros)),
);

/** Values that JSON.stringify writes; `__proto__` is an own member if it occurs. */
export const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, false),
    numbers,
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 4 }),
    // JSON.parse makes them, since an assignment to `__proto__` makes no member.
    fc
      .array(fc.tuple(names, tie("value")), { maxLength: 6 })
      .map((members) => JSON.parse(`{${members.map(([n, v]) => `${JSON.stringify(n)}:${JSON.stringify(v)}`).join()}}`)),
  ),
})).value;

/** Text made of pieces of JSON, mostly wrong and often nearly right. */
export const pieces = [
  ...'{}[],:"\\-+.eE01u \n\t',
  "{}",
  "[]",
  '"a"',
  '"a":',
  '{"a":1,',
  ',"a":2}',
  '"\\u0061":3',
  "true",
  "null",
  "nul",
  "9007199254740993",
  "12345678901234568000",
  "1e400",
  "1e-400",
  "0.5",
  "-0",
  "\\ud83d",
  "\\ude00",
  "\\u0041",
  "é",
  "\u{1f600}",
  "\ufeff",
  "\u0001",
  "\u00a0",
];
const soups = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(""));
const wrappedSoups = fc
  .tuple(fc.constantFrom(["[", "]"], ['{"a":', "}"], ['"', '"'], ["[[", ",1]]"]), soups)
  .map(([[before, after], soup]) => `${before}${soup}${after}`);
const damaged = fc
  .tuple(values, fc.nat(), fc.nat(2), fc.constantFrom("", ...pieces))
  .map(([value, at, removed, piece]) => {
    const text = JSON.stringify(value);
    return [...text].toSpliced(at % (text.length + 1), removed, piece).join("");
  });

/** Texts, most of which are not JSON. */
export const texts = fc.oneof(soups, wrappedSoups, damaged);

/**
 * Texts that are JSON in other spellings than those of JSON.stringify: white space, escapes, exponents, long literals.
 */
export const spellings = fc
  .tuple(values, fc.constantFrom("", " ", "\t", "\n  "), fc.array(fc.nat(9), { minLength: 1, maxLength: 8 }))
  .map(([value, space, dice]) => {
    let roll = 0;
    const next = () => dice[roll++ % dice.length] ?? 0;
    return JSON.stringify(value, null, space).replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
      token.startsWith('"') ? respellString(token, next) : respellNumber(token, next),
    );
  });

function respellString(token: string, next: () => number): string {
  return token.replace(/\\u....|\\.|[^"\\]/g, (character) => {
    const die = next();
    if (character.startsWith("\\u")) return die < 5 ? character : `\\u${character.slice(2).toUpperCase()}`;
    if (character.startsWith("\\") || die > 2) return character;
    const hex = character.charCodeAt(0).toString(16).padStart(4, "0");
    return character === "/" ? "\\/" : `\\u${die === 0 ? hex : hex.toUpperCase()}`;
  });
}

function respellNumber(token: string, next: () => number): string {
  switch (next()) {
    case 0:
      return token.includes("e") || token.includes(".") ? token : `${token}.0`;
    case 1:
      return token.includes("e") ? token.replace("e", "E") : `${token}e0`;
    case 2:
      return token.includes(".") && !token.includes("e") ? `${token}000` : token;
    case 3:
      return token.includes(".") && !token.includes("e") ? `${token}0123456789012345678901234567890` : token;
    default:
      return token;
  }
}
