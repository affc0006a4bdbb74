/**
 * The streams that a principal may see. A stream of another tenant does not exist for it; one of another system of the
 * same tenant is forbidden. All systems of a tenant may see its lifecycle streams, but for those of its administration.
 */
import { ServiceError } from "@svc/host/errors";
import { mayDo, type Principal } from "@svc/host/principal";
import type { Reader } from "@svc/host/store";
import { mayReadUseCase } from "./purposes.ts";
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
 * Returns whether a principal may read a stream of its own tenant: a person all of them, a system its own and the
 * lifecycle streams, as far as its key is not limited. It does not compare tenants: the caller's query must.
 */
export function mayRead(principal: Principal, stream: SeenStream): boolean {
  return faultOf(principal, stream) === null;
}

/** The columns that tell who may read a stream. */
type SeenStream = Pick<StreamRow, "stream_id" | "system_id" | "class" | "use_case">;

/** Throws `stream_forbidden` unless the principal may read the stream (`mayRead`). */
export function requireAssigned(principal: Principal, stream: SeenStream): void {
  const fault = faultOf(principal, stream);
  if (fault !== null) throw new ServiceError("stream_forbidden", fault);
}

/** Returns why a principal may not read a stream; null if it may. */
function faultOf(
  principal: Principal,
  { stream_id, system_id, class: streamClass, use_case }: SeenStream,
): string | null {
  const isLifecycle = streamClass === "lifecycle";
  const isOwn = principal.kind === "system" && (principal.id === system_id || isLifecycle);
  if (!isOwn && !(principal.kind === "user" && mayDo(principal, "read")))
    return `Stream ${stream_id} belongs to another system of your tenant. Use that system's key.`;
  if (principal.limits?.streams?.includes(stream_id) === false)
    return `This key is kept to other streams than ${stream_id}.`;
  if (isLifecycle && !mayReadUseCase(principal, use_case))
    return `Stream ${stream_id} is about the tenant's administration. Use a key that may read_administration.`;
  return null;
}
