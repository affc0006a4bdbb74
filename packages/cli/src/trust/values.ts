/**
 * Parses values of options for the trust commands. Core decides whether a text has the protocol's form, when it is
 * written.
 */
import { EXIT, Refusal } from "../exit.ts";

/** Returns a decimal number of 0 to 2^53-1, without sign or leading zero. Refuses everything else. */
export function parseNumber(option: string, text: string): number {
  const number = /^(0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new Refusal(EXIT.usage, `${option}: "${text}" is no number.`, "Give it in decimal digits, as in 2.");
}
