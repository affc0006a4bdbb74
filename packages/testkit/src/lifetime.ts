/** The end of a test. */
import type { TestContext } from "node:test";

/**
 * A test, or what ends as one does: `{ after }` of node:test for a whole file. It also does the work that is added
 * while it ends.
 */
export type Lifetime = Pick<TestContext, "after">;

/**
 * Does something last: after all that the test itself has yet to add. node:test goes through what a test adds in the
 * order of adding, so that a server would end before those who talk to it.
 */
export function atLast(t: Lifetime, work: () => void | Promise<void>): void {
  t.after(() => t.after(work));
}
