/** The topics that cross from the recording side to the answering one: those of the families, and the notices. */
import type { Topic } from "@svc/host/channel";
import type { ServerFamily } from "../context.ts";
import { FAMILIES } from "../families.ts";
import { diskFailed, failed, warned } from "../notices.ts";

const families: readonly ServerFamily[] = FAMILIES;

/** The topics whose messages reach the answering side too. A message is data, or an error. */
export const TOLD: readonly Topic<unknown>[] = [
  ...[warned, failed, diskFailed],
  ...families.flatMap(({ tells = [] }) => tells),
];
