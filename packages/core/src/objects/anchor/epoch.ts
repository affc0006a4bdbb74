/**
 * What an anchor's seal covers, and the hash that stands on the chain for its epoch (protocol section 12).
 */
import type { JsonObject, Kernel } from "../../kernel/kernel.ts";
import { digest } from "../../protocol.ts";
import type { HashHex } from "../../schema/atoms.ts";
import type { Anchor } from "./schema.ts";

/** The members that make an epoch: a size of the service log, its number and its root. */
export type Epoch = Pick<Anchor, "origin" | "epoch_no" | "log_size" | "epoch_root">;

/** The epoch hash, D("epoch", ...): what the contract keeps under `epoch_no`. 64 lowercase hex characters. */
export function epochHash(kernel: Kernel, { origin, epoch_no, log_size, epoch_root }: Epoch): HashHex {
  return digest(kernel, "epoch", { origin, epoch_no, log_size, epoch_root });
}

/** What an anchor's seal covers: everything but seal, note, members and evidence. */
export function anchorBody(anchor: Anchor): JsonObject {
  const { seal: _seal, note: _note, members: _members, evidence: _evidence, ...body } = anchor;
  return body;
}
