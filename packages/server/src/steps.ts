/**
 * Named places between the steps of what must survive being cut off: a rotation, a backup, a restore. Whoever wants to end the process in one
 * of them subscribes to the channel (`node:diagnostics_channel`, as test/kill-at.ts does); nobody does in operation, and then a step
 * costs nothing and does nothing.
 */
import { channel } from "node:diagnostics_channel";

export const STEP_CHANNEL = "svc-server/step";

/** Every step that there is, in the order in which each job takes them. */
export const STEPS = [
  "rotation.successor-kept",
  "rotation.before-switch",
  "rotation.switched",
  "rotation.endorsements-kept",
  "rotation.settled",
  "backup.begun",
  "backup.database-copied",
  "backup.keys-sealed",
  "backup.manifest-written",
  "backup.named",
  "restore.begun",
  "restore.database-copied",
  "restore.keys-placed",
  "restore.checked",
  "restore.named",
] as const;
export type Step = (typeof STEPS)[number];

const steps = channel(STEP_CHANNEL);

/** Says that a step has just been done. */
export function stepDone(step: Step): void {
  if (steps.hasSubscribers) steps.publish(step);
}
