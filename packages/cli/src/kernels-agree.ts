/** What the command line reads of a call before core verifies it, read by every kernel that will verify: all must read the same. */
import type { Kernel } from "@svc/core";
import { EXIT, Refusal } from "./exit.ts";

/**
 * What `read` answers with each kernel, if that is the same for all; `textOf` makes of an answer what is compared. Refuses otherwise (70):
 * one of the kernels is wrong. `what` names what is read, as `trust`.
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
