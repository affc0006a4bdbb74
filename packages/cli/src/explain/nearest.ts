/**
 * The names that are nearest to a misspelt one, by the number of letters to insert, delete, exchange or swap (optimal
 * string alignment). Case, surrounding blanks, and dashes in place of underscores count nothing.
 */

/** No name is as long; the rest of a longer word is not looked at, so that no word takes long. */
const MAX_CHARACTERS = 64;

/** Returns so many names, the nearest first; of equals the first. `names` are in lower case. */
export function nearest(word: string, names: readonly string[], count: number): readonly string[] {
  // Blanks around a word are few where a person typed it.
  const start = [
    ...word
      .slice(0, 4 * MAX_CHARACTERS)
      .trim()
      .toLowerCase()
      .replaceAll("-", "_"),
  ].slice(0, MAX_CHARACTERS);
  return names
    .map((name) => ({ name, distance: distanceOf(start, [...name.replaceAll("-", "_")]) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ name }) => name);
}

function distanceOf(left: readonly string[], right: readonly string[]): number {
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [at, letter] of left.entries()) {
    const row = [at + 1];
    for (const [index, other] of right.entries()) {
      const exchanged = (above[index] ?? 0) + (letter === other ? 0 : 1);
      let least = Math.min(exchanged, (above[index + 1] ?? 0) + 1, (row[index] ?? 0) + 1);
      const isSwapped = at > 0 && index > 0 && letter === right[index - 1] && left[at - 1] === other;
      if (isSwapped) least = Math.min(least, (before[index - 1] ?? 0) + 1);
      row.push(least);
    }
    before = above;
    above = row;
  }
  return above.at(-1) ?? 0;
}
