/** Values of options as the trust commands read them. Whether a text has the protocol's form is core's to say, when it is written. */
import { EXIT, Refusal } from "../exit.ts";

/** A decimal number of 0 to 2^53-1, without sign or leading zero. Refuses everything else. */
export function parseNumber(option: string, text: string): number {
  const number = /^(0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new Refusal(EXIT.usage, `${option}: "${text}" is no number.`, "Give it in decimal digits, as in 2.");
}
