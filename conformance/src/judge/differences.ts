/** The differences of two answers, whole outcomes compared. */
import { isObject, type JsonObject } from "../json.ts";
import { type Difference, difference, isEqual, memberOf } from "./difference.ts";
import { reportDifferences } from "./report.ts";

/** Members of an answer that are not compared. */
const NOT_COMPARED = new Set(["id", "message"]);

/**
 * Returns the differences between the right answer and one that was given; none if they are the same outcome. `words`:
 * compare what core's tables word as well.
 */
export function differencesOf(wanted: JsonObject, given: JsonObject, words: boolean): Difference[] {
  const found: Difference[] = [];
  const names = new Set([...Object.keys(wanted), ...Object.keys(given)].filter((name) => !NOT_COMPARED.has(name)));
  for (const name of names) {
    const [right, other] = [memberOf(wanted, name), memberOf(given, name)];
    if (name === "report" && isObject(right) && isObject(other)) found.push(...reportDifferences(right, other, words));
    else if (!isEqual(right, other)) found.push(difference(`/${name}`, right, other));
  }
  return found;
}
