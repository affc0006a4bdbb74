/**
 * The streams that a principal may see. A stream of another tenant does not exist for it; one of another system of the
 * same tenant is forbidden. All systems of a tenant may see its lifecycle stream.
 */
import { ServiceError } from "@svc/host/errors";
import type { Principal } from "@svc/host/principal";
import type { Reader } from "@svc/host/store";
import { findStream, type StreamRow } from "./streams-store.ts";

/** Resolves to the stream. Rejects with `stream_not_found` or `stream_forbidden`. */
export async function visibleStream(reader: Reader, principal: Principal, streamId: string): Promise<StreamRow> {
  return requireVisible(principal, streamId, await findStream(reader, principal.tenantId, streamId));
}

/** Returns the stream of this id in the principal's tenant. Throws as `visibleStream` rejects. */
export function requireVisible(principal: Principal, streamId: string, stream: StreamRow | null): StreamRow {
  if (stream === null)
    throw new ServiceError(
      "stream_not_found",
      `There is no stream ${JSON.stringify(streamId)} that this key can see. Compare the id with the answer to ` +
        `POST /v2/streams.`,
    );
  requireAssigned(principal, stream);
  return stream;
}

/**
 * Throws `stream_forbidden` unless the stream belongs to the principal's own system, or is the lifecycle stream of its
 * tenant, and the key is not limited to other streams. It does not compare tenants: the caller's query must.
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
