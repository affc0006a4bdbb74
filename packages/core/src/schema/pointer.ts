/** JSON Pointers (RFC 6901), by which problems name places. */

/** The longest text in a problem, in characters. */
export const MAX_TEXT_CHARACTERS = 1000;

/**
 * A report shows one character less. Without a limit, a thousand problems under one name as long as the file would fill
 * the memory.
 */
const MAX_POINTER_CHARACTERS = MAX_TEXT_CHARACTERS + 1;

/** Returns the pointer to a member or an element of the value at another pointer; cut after MAX_POINTER_CHARACTERS. */
export function pointerTo(pointer: string, part: string | number): string {
  const name = `${part}`.slice(0, MAX_POINTER_CHARACTERS).replaceAll("~", "~0").replaceAll("/", "~1");
  return `${pointer}/${name}`.slice(0, MAX_POINTER_CHARACTERS);
}

/** Returns the pointer that takes these steps from the root; cut in the same way. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.reduce<string>(pointerTo, "");
}
