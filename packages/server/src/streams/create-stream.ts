/**
 * Makes a stream of class legacy. Its policy is named here and never changes during its life; versions of that policy
 * may follow.
 */
import { type JsonObject, ZERO_HASH } from "@svc/core";
import { latest, serviceTime } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import { part } from "@svc/host/parts";
import type { Principal } from "@svc/host/principal";
import type { Reader, Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { type Idempotency, idempotencyOf } from "../idempotency/idempotency.ts";
import { newId } from "../ids.ts";
import { usePolicy } from "../policies/declare-policy.ts";
import { recordAccess } from "../tenancy/access-log-store.ts";
import { streamSettings } from "./settings.ts";
import { insertStream, listedStream, metadataOf } from "./streams-store.ts";

/** The settings of a new stream, as the body names them. */
export type StreamRequest = {
  readonly system_id: string;
  readonly use_case: string;
  readonly policy_id: string;
  readonly metadata: Readonly<Record<string, string>>;
};

/** The answer to the making of a stream. */
export interface CreatedStream extends StreamRequest {
  readonly stream_id: string;
  readonly class: "legacy";
  readonly created: true;
  readonly created_at: string;
  readonly compatibilityWarning?: string;
}

/** The deployment's settings for streams of class legacy. */
export interface LegacySettings {
  readonly legacyStreamCreationEnabled: boolean;
  /** Whether new integrations should use provenance streams. */
  readonly provenanceLaneEnabled: boolean;
}

/** Stored with the Idempotency-Key: the members of the first answer that the stream's own row does not have. */
type Kept = Pick<CreatedStream, "compatibilityWarning">;

const COMPATIBILITY_WARNING =
  "Streams of class legacy go on working as they do. New integrations should use provenance streams.";

/** Makes streams by request. */
export class CreateStream {
  readonly #context: Pick<Context, "database" | "clock" | "kernel">;
  readonly #idempotency: Idempotency;
  readonly #settings: LegacySettings;

  constructor(
    context: Pick<Context, "database" | "clock" | "kernel">,
    idempotency: Idempotency,
    settings: LegacySettings,
  ) {
    this.#context = context;
    this.#idempotency = idempotency;
    this.#settings = settings;
  }

  /**
   * Makes a stream, once for an Idempotency-Key, and resolves to the answer. Rejects with `system_forbidden`,
   * `action_forbidden`, `legacy_stream_creation_disabled` and the refusals of Idempotency-Keys.
   */
  async create(principal: Principal, request: StreamRequest, idempotencyKey: string): Promise<CreatedStream> {
    // The refusal is the same for a system of another tenant and for one that does not exist.
    if (principal.kind !== "system" || principal.id !== request.system_id)
      throw new ServiceError(
        "system_forbidden",
        `This key does not belong to system ${JSON.stringify(request.system_id)}. Use that system's own key.`,
      );
    requireFreeOfStreams(principal);
    const repeatable = {
      principal,
      route: "POST /v2/streams",
      key: idempotencyKey,
      target: "",
      body: request,
    };
    return this.#context.database.write(async (writer) => {
      const made = await this.#idempotency.replay(writer, repeatable);
      if (made !== null) return this.#created(writer, principal.tenantId, made.streamId, made.result ?? {});
      requireLegacyCreation(this.#settings);
      const { stream_id, created_at } = await createStreamIn(writer, this.#context, principal, request);
      const kept = this.#settings.provenanceLaneEnabled ? { compatibilityWarning: COMPATIBILITY_WARNING } : {};
      const record = { streamId: stream_id, fromSeqNo: 0, toSeqNo: 0, result: kept };
      await this.#idempotency.keep(writer, repeatable, record, created_at);
      return this.#created(writer, principal.tenantId, stream_id, kept);
    });
  }

  /** Resolves to the answer, made from stored values, so that each repetition gets the same. */
  async #created(reader: Reader, tenantId: string, streamId: string, kept: Kept): Promise<CreatedStream> {
    const stream = await listedStream(reader, tenantId, streamId);
    if (stream === null) throw new Error(`stream ${streamId} is missing from the database`);
    const { system_id, use_case, policy_id, created_at } = stream;
    const metadata = metadataOf(this.#context.kernel, stream);
    return {
      stream_id: streamId,
      class: "legacy",
      system_id: system_id ?? "",
      use_case,
      policy_id,
      metadata,
      created: true,
      created_at,
      ...kept,
    };
  }
}

/** The same, as the routes call it. */
export const createStreamPart = part(
  "making of streams",
  (context: Context) => new CreateStream(context, idempotencyOf(context), context.settings(streamSettings)),
);

/** Throws `action_forbidden` for a key that is limited to certain streams. */
export function requireFreeOfStreams({ limits }: Principal): void {
  if (limits?.streams != null)
    throw new ServiceError(
      "action_forbidden",
      "This key is kept to streams that exist, so it makes no others. Use a key that is not kept to streams.",
      { action: "create_stream" },
    );
}

/** Throws `legacy_stream_creation_disabled` if the deployment makes no such streams. */
export function requireLegacyCreation({
  legacyStreamCreationEnabled,
}: Pick<LegacySettings, "legacyStreamCreationEnabled">): void {
  if (!legacyStreamCreationEnabled)
    throw new ServiceError(
      "legacy_stream_creation_disabled",
      "This deployment makes no new streams of class legacy. Existing ones go on taking events.",
    );
}

/**
 * Makes a stream in a transaction of the caller, on behalf of `actor`, and resolves to its id and time. `eventLogNo`:
 * the number of the event log that it becomes; null for an ordinary stream.
 */
export async function createStreamIn(
  writer: Writer,
  { clock, kernel }: Pick<Context, "clock" | "kernel">,
  actor: Principal,
  request: StreamRequest,
  eventLogNo: number | null = null,
) {
  const asked = serviceTime(clock());
  const policy = await usePolicy(writer, kernel, actor.tenantId, request.policy_id, asked);
  const now = latest(asked, policy.witnessPolicy.declared_at);
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
    event_log_no: eventLogNo,
  });
  await recordAccess(writer, actor, "stream.created", stream_id, { policy_id: request.policy_id }, now);
  return { stream_id, created_at: now };
}
