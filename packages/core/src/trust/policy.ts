/**
 * The trust policy, which the verifier brings along (protocol section 16). It decides whom to believe; nothing in the
 * evidence can widen it. A policy that is not well formed rejects everything that is verified under it.
 */
import type { Kernel } from "../kernel/kernel.ts";
import {
  Address,
  Bytes32,
  Closed,
  Count,
  CountOrText,
  Hash,
  KeyName,
  KidText,
  Network,
  OneOf,
  Ordinal,
  PublicKey,
  type PublicKeyHex,
  ServiceOrigin,
  ServiceTime,
  StreamId,
} from "../schema/atoms.ts";
import * as Type from "../schema/type.ts";
import { kidOf } from "../seal.ts";
import type { TrustPolicy } from "./vault-policy.ts";

export type { TrustPolicy } from "./vault-policy.ts";

/**
 * A key that the verifier trusts (protocol section 16). As JSON, shortened:
 *
 * ```json
 * {"kid":"ed25519-4c869819ecf028ae","public_key_hex":"7a6945…","origin":"log.example","endorse":false}
 * ```
 */
export const PinnedSigner = Closed({
  kid: KidText,
  public_key_hex: PublicKey,
  /** Trust the key only for streams of this service. */
  origin: Type.Optional(ServiceOrigin),
  /** Trust the key only for these streams. */
  streams: Type.Optional(Type.Array(StreamId)),
  /** Trust the key only for seals that are proven to be made at or before this time. */
  valid_to: Type.Optional(ServiceTime),
  /** False: endorsements by this key do not count. */
  endorse: Type.Optional(Type.Boolean()),
});
export type PinnedSigner = Type.Static<typeof PinnedSigner>;

/**
 * A witness that the verifier knows to be independent (protocol section 16). As JSON, shortened:
 *
 * ```json
 * {"name":"witness.example/w1","public_key_hex":"23b022…"}
 * ```
 */
export const PinnedWitness = Closed({ name: KeyName, public_key_hex: PublicKey });
export type PinnedWitness = Type.Static<typeof PinnedWitness>;

/**
 * A checkpoint that the verifier has seen before (protocol section 16). As JSON, shortened:
 *
 * ```json
 * {"stream_id":"str_01k3…","window_count":4,"checkpoint_root":"95669f…"}
 * ```
 */
export const KnownCheckpoint = Closed({ stream_id: StreamId, window_count: Ordinal, checkpoint_root: Hash });
export type KnownCheckpoint = Type.Static<typeof KnownCheckpoint>;

/**
 * A block that the verifier knows to be in a chain: its time is believed (protocol section 16). As JSON, shortened:
 *
 * ```json
 * {"network":"eip155:1","number":4660,"hash":"0xea60fb…"}
 * ```
 */
export const PinnedBlock = Closed({ network: Network, number: Count, hash: Bytes32 });
export type PinnedBlock = Type.Static<typeof PinnedBlock>;

/**
 * A contract whose code the verifier knows to write each epoch once (protocol section 16). `code_hash` is Keccak-256 of
 * the code. As JSON, shortened:
 *
 * ```json
 * {"network":"eip155:1","address":"0xc0dec0…","code_hash":"0x7f5b1e…"}
 * ```
 */
export const PinnedContract = Closed({ network: Network, address: Address, code_hash: Bytes32 });
export type PinnedContract = Type.Static<typeof PinnedContract>;

export const Requirement = OneOf("included", "witnessed", "published", "anchored");

/** The members of every policy, but for what it expects. */
export const policyMembers = {
  signers: Type.Array(PinnedSigner),
  revoked: Type.Optional(Type.Array(KidText)),
  witnesses: Type.Optional(Type.Array(PinnedWitness)),
  /**
   * The demand for cosignatures on the newest checkpoint: a number of the pinned witnesses, or a C2SP tlog-policy
   * text.
   */
  quorum: Type.Optional(CountOrText),
  blocks: Type.Optional(Type.Array(PinnedBlock)),
  contracts: Type.Optional(Type.Array(PinnedContract)),
  require: Type.Optional(Type.Array(Requirement)),
  known_checkpoints: Type.Optional(Type.Array(KnownCheckpoint)),
};

/** The expectations that every verifier can check. */
export const expectedMembers = {
  stream_id: Type.Optional(StreamId),
  from_seq_no: Type.Optional(Ordinal),
  to_seq_no: Type.Optional(Ordinal),
};

/**
 * A policy that says nothing of vaults (protocol section 16). As JSON, shortened:
 *
 * ```json
 * {"signers":[{"kid":"ed25519-3c1f…","public_key_hex":"d75a…"}],"quorum":1,"require":["witnessed"]}
 * ```
 */
export const PlainTrustPolicy = Closed(
  { ...policyMembers, expect: Type.Optional(Closed(expectedMembers)) },
  { $id: "trust-policy" },
);

/** The policy of someone who pins nothing. */
export const TRUST_NOBODY: TrustPolicy = { signers: [] };

/**
 * Returns a trust policy that pins these keys and nothing else (protocol section 16). `kernel`: it computes the
 * identifiers. `publicKeysHex`: raw Ed25519 keys, 64 lowercase hex characters each. Throws TypeError for a key that is
 * not hex. It does not check whose keys they are: only you can know that.
 *
 * @example
 * const trust = pinKeys(await loadKernel(), [parsePublicKeyHex(process.env.SVC_PUBLIC_KEY)]);
 * console.log(verify(pack, { trust }).verdict); // verified
 */
export function pinKeys(kernel: Kernel, publicKeysHex: readonly PublicKeyHex[]): TrustPolicy {
  return {
    signers: publicKeysHex.map((public_key_hex) => ({ kid: kidOf(kernel, public_key_hex), public_key_hex })),
  };
}
