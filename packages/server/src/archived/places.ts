/**
 * The places of payloads in an archive file, as one text of equal parts, one for each event of the range: a few of them
 * can be read out of the middle by SQL alone. A place is not evidence, since each payload is compared with its hash.
 */

/** The bytes of J(payload) in a file. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

const OFFSET_DIGITS = 8;
const LENGTH_DIGITS = 6;
const HEX = 16;
/** The characters of one place. */
export const PLACE_CHARACTERS = OFFSET_DIGITS + LENGTH_DIGITS;
/** The place of an event whose payload was erased before the file was written. */
export const NO_PLACE = "-".repeat(PLACE_CHARACTERS);
const FORM = new RegExp(`^[0-9a-f]{${PLACE_CHARACTERS}}$`);

/** Returns the text of a place. Throws RangeError for one that does not fit: files are limited to far less. */
export function placeText({ offset, length }: Place): string {
  const text = offset.toString(HEX).padStart(OFFSET_DIGITS, "0") + length.toString(HEX).padStart(LENGTH_DIGITS, "0");
  if (text.length !== PLACE_CHARACTERS) throw new RangeError(`a payload of ${length} bytes at ${offset} has no place`);
  return text;
}

/** Returns a place of a text by its index; null for an event without payload, undefined for anything else. */
export function placeAt(places: string, index: number): Place | null | undefined {
  const text = places.slice(index * PLACE_CHARACTERS, (index + 1) * PLACE_CHARACTERS);
  if (text === NO_PLACE) return null;
  if (!FORM.test(text)) return undefined;
  return {
    offset: Number.parseInt(text.slice(0, OFFSET_DIGITS), HEX),
    length: Number.parseInt(text.slice(OFFSET_DIGITS), HEX),
  };
}
