/**
 * The shape of a disclosure: fields of a capsule, opened by its holder for a reader (protocol section 28). faults.ts
 * and examine.ts say how the members must fit each other.
 */
import { Closed, Hash, ServiceTime } from "../../schema/atoms.ts";
import * as Type from "../../schema/type.ts";
import { AnyValue, DisclosureId, FieldName, NullableAudience, OrNull } from "../../schema/vault-atoms.ts";
import { ProvenanceSeal } from "../../seal.ts";
import { KeyStatus } from "../../vault/key-status/schema.ts";
import { VaultAttestation } from "../attestation/schema.ts";
import { Envelope } from "../envelope/schema.ts";
import { PortableReceipt } from "../portable-receipt/schema.ts";

/** No capsule has more leaves. */
const MAX_FIELDS = 512;

/**
 * An opened field (protocol section 28). As JSON, shortened:
 *
 * ```json
 * {"index":5,"name":"author","value":"A. Author","blind":"503d9a…","path":["ef777f…"]}
 * ```
 */
export const DisclosedField = Closed({
  index: Type.Integer({ minimum: 0, maximum: MAX_FIELDS - 1 }),
  name: FieldName,
  value: AnyValue,
  blind: Hash,
  path: Type.Array(Hash),
});
export type DisclosedField = Type.Static<typeof DisclosedField>;

/**
 * Fields of one event's capsule, opened, with what shows where they come from (protocol section 28). As JSON,
 * shortened:
 *
 * ```json
 * {"disclosureId":"dsc_01k3…","envelopeHash":"698313…","fields":[],"audience":"auditor.example","nonce":"n-1",
 *  "disclosedAt":"2026-03-02T00:00:00.000Z","seal":{},"envelope":{},"receipt":{},"keyStatus":null,"attestations":[]}
 * ```
 */
export const Disclosure = Closed(
  {
    disclosureId: DisclosureId,
    envelopeHash: Hash,
    fields: Type.Array(DisclosedField, { maxItems: MAX_FIELDS }),
    audience: NullableAudience,
    nonce: NullableAudience,
    disclosedAt: ServiceTime,
    seal: OrNull(ProvenanceSeal),
    envelope: Envelope,
    receipt: OrNull(PortableReceipt),
    keyStatus: OrNull(KeyStatus),
    attestations: Type.Array(VaultAttestation),
  },
  { $id: "disclosure" },
);
export type Disclosure = Type.Static<typeof Disclosure>;
