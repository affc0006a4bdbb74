/**
 * Which streams a principal may see: another tenant's does not exist for it, another system's of its own tenant is forbidden.
 */
import { ServiceError } from "../errors.ts";
import type { Reader } from "../store/database.ts";
import type { Principal } from "../tenancy/principal.ts";
import { findStream, type StreamRow } from "./streams-store.ts";

/** The stream, or `stream_not_found`, or `stream_forbidden`. */
export async function visibleStream(reader: Reader, principal: Principal, streamId: string): Promise<StreamRow> {
  const stream = await findStream(reader, principal.tenantId, streamId);
  if (stream === null)
    throw new ServiceError(
      "stream_not_found",
      `There is no stream ${JSON.stringify(streamId)} that this key can see. Compare the id with the answer to POST /v2/streams.`,
    );
  requireAssigned(principal, stream.system_id, streamId);
  return stream;
}

/** `stream_forbidden` unless the principal is the system that the stream belongs to, and its key is not kept to others. */
export function requireAssigned(principal: Principal, systemId: string | null, streamId: string): void {
  const isKeptOut = principal.limits?.streams?.includes(streamId) === false;
  if (principal.kind === "system" && principal.id === systemId && !isKeptOut) return;
  if (isKeptOut && principal.id === systemId)
    throw new ServiceError("stream_forbidden", `This key is kept to other streams than ${streamId}.`);
  throw new ServiceError(
    "stream_forbidden",
    `Stream ${streamId} belongs to another system of your tenant. Use that system's key.`,
  );
}
