/**
 * The shape of a key status: the service's word about the key of one installation, at one time (protocol section 26).
 * known-keys.ts decides which statuses count and which key follows from them; key-time.ts what the end of a key means
 * for an event.
 */
import {
  Closed,
  InstallationId,
  KidText,
  NullableInstallationId,
  NullableServiceTime,
  OneOf,
  OneOfOrNull,
  PublicKey,
  ServiceTime,
} from "../../schema/atoms.ts";
import * as Type from "../../schema/type.ts";
import { ProvenanceSeal } from "../../seal.ts";

const members = {
  installationId: InstallationId,
  keyId: KidText,
  publicKeyHex: PublicKey,
  status: OneOf("active", "replaced", "revoked"),
  enrolledAt: ServiceTime,
  revokedAt: NullableServiceTime,
  revocationReason: OneOfOrNull("key_compromise", "superseded", "decommissioned", "unspecified"),
  replacedByInstallationId: NullableInstallationId,
  revocationInstantReconstructed: Type.Boolean(),
  statusAt: ServiceTime,
};

/**
 * The key of one installation, which has no separate seal: an entry of a bundle's `vault_key_lifecycle` (protocol
 * sections 26 and 27). As JSON, shortened:
 *
 * ```json
 * {"installationId":"ins_01k3…","keyId":"ed25519-118bd1f989efaaaa","publicKeyHex":"0ca2af…","status":"replaced",
 *  "enrolledAt":"2026-03-01T00:00:00.000Z","revokedAt":"2026-03-02T00:00:00.000Z","revocationReason":"superseded",
 *  "replacedByInstallationId":"ins_01k3…","revocationInstantReconstructed":false,"statusAt":"2026-03-03T00:00:00.000Z"}
 * ```
 */
export const KeyStatusBody = Closed(members);
export type KeyStatusBody = Type.Static<typeof KeyStatusBody>;

/**
 * The service's word about the key of one installation (protocol section 26). As JSON, shortened:
 *
 * ```json
 * {"installationId":"ins_01k3…","keyId":"ed25519-118bd1f989efaaaa","publicKeyHex":"0ca2af…","status":"active",
 *  "enrolledAt":"2026-03-01T00:00:00.000Z","revokedAt":null,"revocationReason":null,"replacedByInstallationId":null,
 *  "revocationInstantReconstructed":false,"statusAt":"2026-03-03T00:00:00.000Z","seal":{}}
 * ```
 */
export const KeyStatus = Closed({ ...members, seal: ProvenanceSeal }, { $id: "key-status" });
export type KeyStatus = Type.Static<typeof KeyStatus>;
