/**
 * The shape of an envelope: what a vault seals about one event, and the content beside it (protocol section 20).
 * faults.ts says how the members must fit each other.
 */
import {
  Closed,
  Hash,
  InstallationId,
  OneOf,
  Ordinal,
  Salt,
  ServiceTime,
  SourceTime,
  StreamId,
} from "../../schema/atoms.ts";
import * as Type from "../../schema/type.ts";
import {
  EnvelopeEventType,
  HiddenSourceRef,
  NullableAttestationId,
  NullableBindingAlg,
  NullableHash,
  NullableSlug,
  OrNull,
} from "../../schema/vault-atoms.ts";
import { ProvenanceSeal } from "../../seal.ts";
import { CapsuleSize } from "../capsule/slot.ts";
import { OPERATIONS } from "../provider/policy.ts";
import { PROVIDER_RESULT_SCHEMA } from "../provider/result.ts";

/**
 * The few words about the content that leave the vault (protocol section 20). As JSON:
 *
 * ```json
 * {"mediaClass":"image","operation":"register","providerId":null,"providerPolicyDigest":null,"providerResult":null,
 *  "softBindingAlg":null}
 * ```
 */
export const Metadata = Closed({
  mediaClass: OneOf("image", "audio", "video", "text", "document", "data", "other"),
  operation: OneOf(...OPERATIONS),
  providerId: NullableSlug,
  providerPolicyDigest: NullableHash,
  /** Which form a provider's result in the capsule has. */
  providerResult: OrNull(Closed({ schema: Type.Literal(PROVIDER_RESULT_SCHEMA), version: OneOf("0.1", "0.2") })),
  softBindingAlg: NullableBindingAlg,
});
export type Metadata = Type.Static<typeof Metadata>;

/**
 * The part of an envelope that its seal binds by its hash alone, so that it can be withheld (protocol section 20). As
 * JSON, shortened:
 *
 * ```json
 * {"occurredAt":"2026-03-01T09:30:00+01:00","sealedAt":"2026-03-01T08:30:01.000Z","eventType":"asset.registered",
 *  "commitments":{"content":"5b8fd0…","context":"6f0e59…","output":"4e2172…","policy":"0f0944…"},"capsuleSize":8,
 *  "slotSalt":"a0e2e0…","capsulePath":["699c8b…"],
 *  "assurance":{"level":"L0","attestationRef":null,"startId":null},"metadata":{}}
 * ```
 */
export const Content = Closed(
  {
    occurredAt: SourceTime,
    sealedAt: ServiceTime,
    eventType: EnvelopeEventType,
    commitments: Closed({ content: Hash, context: Hash, output: Hash, policy: Hash }),
    capsuleSize: CapsuleSize,
    slotSalt: Salt,
    capsulePath: Type.Array(Hash),
    assurance: Closed({
      level: OneOf("L0", "L1", "L2"),
      attestationRef: NullableAttestationId,
      startId: NullableHash,
    }),
    metadata: Metadata,
  },
  { $id: "content" },
);
export type Content = Type.Static<typeof Content>;

const members = {
  installationId: InstallationId,
  streamId: StreamId,
  sourceRef: HiddenSourceRef,
  vaultSeq: Ordinal,
  previousEnvelopeHash: Hash,
  capsuleRoot: Hash,
  contentHash: Hash,
  seal: ProvenanceSeal,
  startSeal: Type.Optional(ProvenanceSeal),
};

/**
 * An envelope without its content: the payload of a provenance stream's event (protocol section 20). As JSON,
 * shortened:
 *
 * ```json
 * {"installationId":"ins_01k3…","streamId":"str_01k3…","sourceRef":"psr_dd5694…","vaultSeq":1,
 *  "previousEnvelopeHash":"000000…","capsuleRoot":"870aee…","contentHash":"7bf7b5…","seal":{}}
 * ```
 */
export const SealedEnvelope = Closed(members, { $id: "sealed-envelope" });
export type SealedEnvelope = Type.Static<typeof SealedEnvelope>;

/**
 * An envelope, with its content or without (protocol section 20). As JSON, shortened:
 *
 * ```json
 * {"installationId":"ins_01k3…","streamId":"str_01k3…","sourceRef":"psr_dd5694…","vaultSeq":1,
 *  "previousEnvelopeHash":"000000…","capsuleRoot":"870aee…","contentHash":"7bf7b5…","seal":{},"content":{}}
 * ```
 */
export const Envelope = Closed({ ...members, content: Type.Optional(Content) }, { $id: "envelope" });
export type Envelope = Type.Static<typeof Envelope>;
