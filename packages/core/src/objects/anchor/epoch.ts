/** The members that an anchor's seal covers, and the hash of its epoch on the chain (protocol section 12). */
import type { JsonObject, Kernel } from "../../kernel/kernel.ts";
import { digest } from "../../protocol.ts";
import type { HashHex } from "../../schema/atoms.ts";
import type { Anchor } from "./schema.ts";

/** The members that make an epoch: a size of the service log, its number and its root. */
export type Epoch = Pick<Anchor, "origin" | "epoch_no" | "log_size" | "epoch_root">;

/**
 * Returns the epoch hash, D("epoch", ...), which the contract keeps under `epoch_no` (protocol section 12); 64
 * lowercase hex characters. It checks nothing.
 *
 * @example
 * const log = [checkpointHash(kernel, checkpoint)];
 * console.log(epochHash(kernel, epochOf(kernel, "log.example", 1, log)) === epochHash(kernel, anchor)); // true
 */
export function epochHash(kernel: Kernel, { origin, epoch_no, log_size, epoch_root }: Epoch): HashHex {
  return digest(kernel, "epoch", { origin, epoch_no, log_size, epoch_root });
}

/** Returns the members that an anchor's seal covers: all but seal, note, members and evidence. */
export function anchorBody(anchor: Anchor): JsonObject {
  const { seal: _seal, note: _note, members: _members, evidence: _evidence, ...body } = anchor;
  return body;
}
