/**
 * Making a stream of class legacy. Its policy is named here and never changes along it; versions of that policy may follow.
 */
import { type JsonObject, ZERO_HASH } from "@svc/core";
import { latest, serviceTime } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import type { Foundation } from "../foundation.ts";
import { newId } from "../ids.ts";
import type { Writer } from "../store/database.ts";
import { recordAccess } from "../tenancy/access-log-store.ts";
import type { Principal } from "../tenancy/principal.ts";
import { newestPolicy } from "../witnesses/policies-store.ts";
import { insertStream } from "./streams-store.ts";

export interface StreamRequest {
  readonly system_id: string;
  readonly use_case: string;
  readonly policy_id: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export class CreateStream {
  readonly #ground: Pick<Foundation, "database" | "clock" | "kernel">;
  readonly #legacyEnabled: boolean;

  constructor(ground: Pick<Foundation, "database" | "clock" | "kernel">, legacyEnabled: boolean) {
    this.#ground = ground;
    this.#legacyEnabled = legacyEnabled;
  }

  async create(principal: Principal, request: StreamRequest) {
    if (!this.#legacyEnabled)
      throw new ServiceError(
        "legacy_stream_creation_disabled",
        "This deployment makes no new streams of class legacy. Existing ones go on taking events.",
      );
    // The same answer whether the system exists elsewhere or not at all.
    if (principal.kind !== "system" || principal.id !== request.system_id)
      throw new ServiceError(
        "system_forbidden",
        `This key does not belong to system ${JSON.stringify(request.system_id)}. Use that system's own key.`,
      );
    return this.#ground.database.write((writer) => createStreamIn(writer, this.#ground, principal, request));
  }
}

/** Makes the stream in a transaction of the caller's, on behalf of `actor`. */
export async function createStreamIn(
  writer: Writer,
  { clock, kernel }: Pick<Foundation, "clock" | "kernel">,
  actor: Principal,
  request: StreamRequest,
) {
  const policy = await newestPolicy(writer, request.policy_id);
  if (policy === null)
    throw new ServiceError(
      "policy_unknown",
      `There is no policy ${JSON.stringify(request.policy_id)}. "default" is built in.`,
      { path: "/policy_id" },
    );
  const now = latest(serviceTime(clock()), policy.witnessPolicy.declared_at);
  const stream_id = newId("str");
  await insertStream(writer, {
    stream_id,
    tenant_id: actor.tenantId,
    system_id: request.system_id,
    class: "legacy",
    use_case: request.use_case,
    policy_id: request.policy_id,
    policy_explicit: policy.explicit,
    metadata: Buffer.from(kernel.canonicalize(request.metadata as JsonObject)).toString("utf8"),
    created_at: now,
    actor_id: actor.id,
    head_event_hash: ZERO_HASH,
  });
  await recordAccess(writer, actor, "stream.created", stream_id, { policy_id: request.policy_id }, now);
  const { system_id, use_case, policy_id, metadata } = request;
  return {
    stream_id,
    class: "legacy" as const,
    system_id,
    use_case,
    policy_id,
    metadata,
    created: true,
    created_at: now,
  };
}
