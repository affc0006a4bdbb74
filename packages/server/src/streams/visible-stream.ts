/**
 * Which streams a principal may see: another tenant's does not exist for it, another system's of its own tenant is
 * forbidden. The lifecycle stream of a tenant is open to all of its systems.
 */
import { ServiceError } from "@svc/host/errors";
import type { Principal } from "@svc/host/principal";
import type { Reader } from "@svc/host/store";
import { findStream, type StreamRow } from "./streams-store.ts";

/** The stream, or `stream_not_found`, or `stream_forbidden`. */
export async function visibleStream(reader: Reader, principal: Principal, streamId: string): Promise<StreamRow> {
  const stream = await findStream(reader, principal.tenantId, streamId);
  if (stream === null)
    throw new ServiceError(
      "stream_not_found",
      `There is no stream ${JSON.stringify(streamId)} that this key can see. Compare the id with the answer to POST /v2/streams.`,
    );
  requireAssigned(principal, stream);
  return stream;
}

/**
 * `stream_forbidden` unless the stream is one of the principal's own system, or the lifecycle stream of its tenant, and its key is not kept to
 * others.
 */
export function requireAssigned(
  principal: Principal,
  { stream_id, system_id, class: streamClass }: Pick<StreamRow, "stream_id" | "system_id" | "class">,
): void {
  if (principal.kind !== "system" || (principal.id !== system_id && streamClass !== "lifecycle"))
    throw new ServiceError(
      "stream_forbidden",
      `Stream ${stream_id} belongs to another system of your tenant. Use that system's key.`,
    );
  if (principal.limits?.streams?.includes(stream_id) === false)
    throw new ServiceError("stream_forbidden", `This key is kept to other streams than ${stream_id}.`);
}
