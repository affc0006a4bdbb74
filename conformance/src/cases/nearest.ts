/** The nearest known name to one that is not known: most mistakes are of a few characters. */

/** Returns the name with the fewest insertions, deletions and replacements to it; the first of several. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const one of known) {
    const edits = editsBetween(name, one);
    if (edits < fewest) [best, fewest] = [one, edits];
  }
  return best;
}

/** The Levenshtein distance, row by row. */
function editsBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
