/**
 * The string forms that a regular expression alone cannot decide (protocol section 5): the keyword `format` of a schema
 * names them.
 */
import { parseBase64 } from "../encoding/base64.ts";

const SERVICE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SOURCE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const MAX_SOURCE_REF_CHARACTERS = 512;
const NOT_HEX = /[^0-9a-f]/;
const PRINTABLE_ASCII_WITHOUT_SPACE_OR_PLUS = /^[!-*,-~]+$/;
/**
 * The characters that the C2SP signed-note specification forbids in a key name, and the control characters that it
 * forbids in a note.
 */
const NOT_IN_KEY_NAME = /[\p{White_Space}+\u0000-\u001f]/u;

/** Formats by the name under which schemas ask for them. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  "service-time": (text) => SERVICE_TIME.test(text) && isRealDateTime(text),
  "source-time": (text) => SOURCE_TIME.test(text) && isRealDateTime(text),
  "source-ref": (text) => {
    // Most references are short: a text of at most 512 UTF-16 units cannot hold more than 512 characters.
    if (text.length === 0 || CONTROL.test(text)) return false;
    return text.length <= MAX_SOURCE_REF_CHARACTERS || [...text].length <= MAX_SOURCE_REF_CHARACTERS;
  },
  origin: (text) =>
    PRINTABLE_ASCII_WITHOUT_SPACE_OR_PLUS.test(text) &&
    !text.includes("://") &&
    !text.startsWith("SVC-") &&
    !text.startsWith("/"),
  base64: (text) => parseBase64(text) !== null,
  hex: (text) => text.length % 2 === 0 && !NOT_HEX.test(text),
  "key-name": (text) => text.length > 0 && !NOT_IN_KEY_NAME.test(text),
};

/**
 * Says whether a text in the form of a time names a real one: each part is at its place, from the start or from the
 * end.
 */
function isRealDateTime(text: string): boolean {
  const month = twoDigits(text, 5);
  const hasOffset = !text.endsWith("Z");
  return (
    inRange(month, 1, 12) &&
    inRange(twoDigits(text, 8), 1, daysIn(100 * twoDigits(text, 0) + twoDigits(text, 2), month)) &&
    inRange(twoDigits(text, 11), 0, 23) &&
    inRange(twoDigits(text, 14), 0, 59) &&
    inRange(twoDigits(text, 17), 0, 59) &&
    (!hasOffset ||
      (inRange(twoDigits(text, text.length - 5), 0, 23) && inRange(twoDigits(text, text.length - 2), 0, 59)))
  );
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function inRange(value: number, from: number, to: number): boolean {
  return value >= from && value <= to;
}

/** Returns the number that two decimal digits write. */
function twoDigits(text: string, at: number): number {
  return 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 11 * 48;
}
