/** Other values in the place of one: of the same type, in its form, and of another type. */
import type { Json } from "../kernel/kernel.ts";
import { FORK_KINDS } from "../objects/fork/schema.ts";

/** The words that a member allows; another one of the same list is of the right form. */
const WORDS: readonly (readonly string[])[] = [
  ["none", "optional", "required"],
  ["managed-shadow", "independent"],
  FORK_KINDS,
];

const HEX = /^(?:0x)?[0-9a-f]{8,}$/;
const SERVICE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SOURCE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const SIGNATURE_DIGITS = 128;
/** L in RFC 8032. */
const BASE_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const DAY_MS = 86_400_000;
const YEARS_MS = 3650 * DAY_MS;

/** Returns other values of the same type, of the right form and of wrong ones. */
export function otherValues(value: boolean | number | string): (boolean | number | string)[] {
  if (typeof value === "boolean") return [!value];
  const others = typeof value === "number" ? otherNumbers(value) : otherTexts(value);
  return [...new Set<number | string>(others)].filter((other) => other !== value);
}

/** Returns values of other types. */
export function otherTypes(value: Json): Json[] {
  if (value === null) return [0, "", "2026-03-01T00:00:00.000Z", `0x${"ab".repeat(32)}`, "eip155:1", [], {}];
  const scalar = typeof value === "number" ? `${value}` : typeof value === "string" ? 0 : "";
  return [null, scalar, Array.isArray(value) ? {} : [value], ...(typeof value === "object" ? [] : [{}])];
}

function otherNumbers(value: number): number[] {
  return [value + 1, value - 1, 0, -value - 1, value + 0.5, Number.MAX_SAFE_INTEGER, 2 ** 53, 1e21];
}

function otherTexts(text: string): string[] {
  const shortened = [...text].slice(0, -1).join("");
  const misshapen = ["", `${text} `, text.toUpperCase(), shortened, `${text}\u0001`];
  if (HEX.test(text)) return [...otherHex(text), ...misshapen];
  const isTime = !Number.isNaN(Date.parse(text));
  if (isTime && SERVICE_TIME.test(text)) return [...movedTimes(text), text.replace(/\.\d{3}Z$/, "Z"), ...misshapen];
  if (isTime && SOURCE_TIME.test(text)) return [new Date(text).toISOString(), ...movedTimes(text), ...misshapen];
  const words = WORDS.find((list) => list.includes(text)) ?? [];
  return [neighbour(text), ...words, ...misshapen];
}

/**
 * Returns texts with one bit flipped at the start, in the middle and at the end; with no bit set; with a byte less and
 * a byte more.
 */
function otherHex(text: string): string[] {
  const start = text.startsWith("0x") ? 2 : 0;
  const flipped = [
    [start, 8],
    [start + Math.floor((text.length - start) / 2), 4],
    [text.length - 1, 1],
  ] as const;
  return [
    ...flipped.map(([at, bit]) => {
      const digit = (Number.parseInt(text.charAt(at), 16) ^ bit).toString(16);
      return text.slice(0, at) + digit + text.slice(at + 1);
    }),
    text.slice(0, start) + "0".repeat(text.length - start),
    text.slice(0, -2),
    `${text}00`,
    ...(text.length === SIGNATURE_DIGITS ? [withLargerScalar(text)] : []),
  ];
}

/**
 * Returns an Ed25519 signature with the order of the base point added to its scalar: a verifier without the bound of
 * RFC 8032 accepts both.
 */
function withLargerScalar(signature: string): string {
  const half = SIGNATURE_DIGITS / 2;
  const turned = (hex: string) => (hex.match(/../g) ?? []).reverse().join("");
  const scalar = BigInt(`0x${turned(signature.slice(half))}`) + BASE_ORDER;
  return signature.slice(0, half) + turned(scalar.toString(16).padStart(half, "0"));
}

function movedTimes(text: string): string[] {
  const time = Date.parse(text);
  const moved = [1, -1, 1000, -DAY_MS, -YEARS_MS, YEARS_MS].map((by) => new Date(time + by).toISOString());
  return [...moved, text.replace(/^(\d{4})-\d\d-\d\d/, "$1-02-30")];
}

/** Returns the text with its last letter or digit exchanged; identifiers keep their form. */
function neighbour(text: string): string {
  return text.replace(/[0-9A-Za-z](?=[^0-9A-Za-z]*$)/, (character) => (character === "0" ? "1" : "0"));
}
