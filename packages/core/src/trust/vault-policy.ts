/** The shape of a whole trust policy, with what it says of vaults (protocol sections 16 and 33). */
import {
  Audience,
  Closed,
  Hash,
  InstallationId,
  OneOf,
  PersonalName,
  PublicKey,
  ServiceTime,
} from "../schema/atoms.ts";
import * as Type from "../schema/type.ts";
import { KeyStatus } from "../vault/key-status/schema.ts";
import { ReferenceValues } from "../vault/reference-values.ts";
import { expectedMembers, policyMembers } from "./policy.ts";

/**
 * The key of an installation that the verifier knows, and perhaps the endorsement key of its machine (protocol section
 * 33). As JSON, shortened:
 *
 * ```json
 * {"installation_id":"ins_01k3…","public_key_hex":"0ca2af…"}
 * ```
 */
export const PinnedVault = Closed({
  installation_id: InstallationId,
  public_key_hex: PublicKey,
  /** SHA-256 of the endorsement key's certificate, DER. */
  ek_certificate_sha256: Type.Optional(Hash),
});
export type PinnedVault = Type.Static<typeof PinnedVault>;

/**
 * A certificate that the verifier trusts for one use, by the SHA-256 of its DER (protocol sections 23 and 33). As JSON,
 * shortened:
 *
 * ```json
 * {"sha256":"b39426…","use":"custody","profile":"yubihsm2"}
 * ```
 */
export const AttestationRoot = Closed({
  sha256: Hash,
  use: OneOf("custody", "ek"),
  profile: Type.Optional(OneOf("yubihsm2")),
  /** True: what it attests is software, and counts only where the verifier allows that. */
  software: Type.Optional(Type.Boolean()),
});
export type AttestationRoot = Type.Static<typeof AttestationRoot>;

/**
 * A person whose statements the verifier believes: a custodian or an activator (protocol section 33). As JSON,
 * shortened:
 *
 * ```json
 * {"name":"first activator","public_key_hex":"18bf2d…"}
 * ```
 */
export const NamedKey = Closed({ name: PersonalName, public_key_hex: PublicKey });
export type NamedKey = Type.Static<typeof NamedKey>;

/**
 * The keys that a verifier believes, and the evidence that it demands (protocol section 16). As JSON, shortened:
 *
 * ```json
 * {"signers":[{"kid":"ed25519-3c1f…","public_key_hex":"d75a…"}],"quorum":1,"require":["witnessed"]}
 * ```
 */
export const TrustPolicy = Closed(
  {
    ...policyMembers,
    /** Where it stands, the key of an installation must be one of these, or one that they hand over to. */
    vaults: Type.Optional(Type.Array(PinnedVault)),
    /** Statuses that the verifier has from elsewhere; those that no trusted signer sealed are ignored. */
    key_status: Type.Optional(Type.Array(KeyStatus)),
    /** The latest status of each key must not be older. */
    status_not_before: Type.Optional(ServiceTime),
    /** Whether the time of an event before the end of its key is the service's word, or must be proven. */
    vault_time: Type.Optional(OneOf("stated", "proven")),
    expect: Type.Optional(
      Closed({
        ...expectedMembers,
        /** The reader for whom a disclosure is to be sealed, and the occasion. */
        audience: Type.Optional(Audience),
        nonce: Type.Optional(Audience),
        /** SHA-256 of the content that a disclosure is to open. */
        content_sha256: Type.Optional(Hash),
      }),
    ),
    /** If it is there, levels count only by the verifier's own check of the evidence. */
    attestation_roots: Type.Optional(Type.Array(AttestationRoot)),
    custodians: Type.Optional(Type.Array(NamedKey)),
    activators: Type.Optional(Type.Array(NamedKey)),
    reference_values: Type.Optional(Type.Array(ReferenceValues)),
    allow_software_roots: Type.Optional(Type.Boolean()),
    /** The level that every event must reach. */
    require_assurance: Type.Optional(OneOf("L0", "L1", "L2", "L3")),
  },
  { $id: "trust-policy" },
);
export type TrustPolicy = Type.Static<typeof TrustPolicy>;
