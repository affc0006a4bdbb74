/** Two epochs of one stream, of two checkpoints each, as its service issues them. */
import { at, frontierOf, id, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import {
  type Checkpoint,
  type IvcEpoch,
  issueIvcEpoch,
  pinKeys,
  referenceKernel,
  showFrontier,
} from "../../src/index.ts";

export const kernel = referenceKernel;
export const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
export const { checkpoints, windows } = await issueStream(16, { perWindow: 2, perCheckpoint: 2 });
const [, , third] = checkpoints;
if (third === undefined) throw new Error("too few checkpoints");
/** The first checkpoint of the second epoch, which shows where its tree began. */
export const shown = showFrontier(third, frontierOf(windows.slice(0, 4)));

/** Issues an epoch over these checkpoints. */
export function issue(previous: IvcEpoch | null, steps: readonly Checkpoint[], by = SERVICE): Promise<IvcEpoch> {
  const input = { ivc_epoch_id: id("ivc", 1), previous, checkpoints: steps, created_at: at(500) };
  return issueIvcEpoch(kernel, by, input);
}

export const first = await issue(null, checkpoints.slice(0, 2));
export const second = await issue(first, [shown, ...checkpoints.slice(3)]);
