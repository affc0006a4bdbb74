/**
 * The faults of a portable receipt that its schema cannot express (protocol section 13): the last window must be there
 * exactly if the event's window is another one, and each part must have the form that it needs by itself.
 */
import type { ShapeFault } from "../../report/shape.ts";
import { checkpointFaults } from "../checkpoint.ts";
import { witnessPolicyFault } from "../policy.ts";
import { windowFaults } from "../window.ts";
import type { PortableReceipt } from "./schema.ts";

export function portableReceiptFaults(portable: PortableReceipt): ShapeFault[] {
  const { window, checkpoint, last_window, witnesses } = portable;
  const faults: ShapeFault[] = [];
  if (window !== undefined) faults.push(...windowFaults(window, "/window"));
  if (checkpoint !== undefined) faults.push(...checkpointFaults(checkpoint, "/checkpoint"));
  if (last_window !== undefined) faults.push(...windowFaults(last_window.window, "/last_window/window"));
  faults.push(...lastWindowFaults(portable));
  witnesses?.witness_policies.forEach((policy, index) => {
    const message = witnessPolicyFault(policy);
    if (message !== null) faults.push({ path: `/witnesses/witness_policies/${index}`, message });
  });
  return faults;
}

function lastWindowFaults({ window, checkpoint, last_window }: PortableReceipt): ShapeFault[] {
  if (window === undefined || checkpoint === undefined) return [];
  const isLast = window.window_no === checkpoint.window_count;
  if (isLast === (last_window === undefined)) return [];
  const path = "/last_window";
  if (isLast) {
    const message = `Window ${window.window_no} is the checkpoint's last window itself, so no other may be beside it.`;
    return [{ code: "unknown_member", path, message }];
  }
  const message =
    `The checkpoint ends at window ${checkpoint.window_count}, which is missing: only it binds the checkpoint's ` +
    `policy.`;
  return [{ code: "missing_member", path, message }];
}
