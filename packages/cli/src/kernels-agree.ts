/**
 * Parts of a call that are read before core verifies. Every kernel that will verify reads them, and all must read the
 * same.
 */
import type { Kernel } from "@svc/core";
import { EXIT, Refusal } from "./exit.ts";

/**
 * Returns the answer of `read` with each kernel, if it is the same for all; `textOf` turns an answer into the text that
 * is compared. Refuses otherwise (70): one of the kernels is wrong. `what` names the part that is read, as `trust`.
 */
export function readByAll<Value>(
  kernels: readonly Kernel[],
  what: string,
  read: (kernel: Kernel) => Value,
  textOf: (value: Value) => string = JSON.stringify,
): Value {
  const [first, ...others] = kernels.map(read);
  if (first === undefined) throw new TypeError("to read something takes a kernel");
  if (others.some((other) => textOf(other) !== textOf(first)))
    throw new Refusal(
      EXIT.internal,
      `The kernels do not read your ${what} the same, so one of them is wrong.`,
      `There is no verdict. Please report this, with the ${what} file if you may share it.`,
    );
  return first;
}
