/** The routes of witness policies: their declaration by a tenant, and the public one that reads them. */
import { atoms, schemas } from "@svc/core";
import Type from "typebox";
import { contract } from "../contract.ts";
import { MAX_BODY_BYTES, MAX_WITNESS_KEYS } from "../limits.ts";
import { hash, ordinal } from "../parameters.ts";

/**
 * The members by which a declaration names the witnesses of a policy. Every member is optional: what is left out is as
 * in the policy `default`, whose only witness is the service's own.
 */
export const WITNESS_MEMBERS = {
  mode: Type.Optional(atoms.OneOf("managed-shadow", "independent")),
  threshold: Type.Optional(atoms.Ordinal),
  witnessKeys: Type.Optional(
    Type.Array(
      atoms.Closed({
        witness_id: atoms.Slug,
        name: atoms.KeyName,
        public_key_hex: atoms.PublicKey,
        key_epoch: Type.Optional(atoms.Ordinal),
        valid_from: Type.Optional(atoms.ServiceTime),
        valid_to: Type.Optional(atoms.NullableServiceTime),
        managed: Type.Optional(Type.Boolean()),
      }),
      { maxItems: MAX_WITNESS_KEYS },
    ),
  ),
  when_unmet: Type.Optional(atoms.OneOf("closed", "open")),
};

/**
 * The witnesses of a policy, as a tenant declares them.
 *
 * ```json
 * {
 *   "mode": "independent", "threshold": 1,
 *   "witnessKeys": [
 *     {
 *       "witness_id": "w1", "name": "w1.example",
 *       "public_key_hex": "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
 *     }
 *   ],
 *   "when_unmet": "closed"
 * }
 * ```
 */
export const WitnessPolicyBody = atoms.Closed(WITNESS_MEMBERS);
export type WitnessPolicyBody = Type.Static<typeof WitnessPolicyBody>;

/**
 * A version of a witness policy, as it is hashed, and what is not hashed of it.
 *
 * ```json
 * {
 *   "witness_policy": {
 *     "policy_id": "witnessed", "policy_version": 1, "mode": "independent", "threshold": 1,
 *     "witnessKeys": [
 *       {
 *         "witness_id": "w1", "name": "w1.example",
 *         "public_key_hex": "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "key_epoch": 1,
 *         "valid_from": "2026-11-26T08:02:45.225Z", "valid_to": null, "managed": false
 *       }
 *     ],
 *     "declared_at": "2026-11-26T08:02:45.225Z"
 *   },
 *   "witness_policy_digest": "da7779ddcde75c59203b6a5498a299b7ee7c3959e587cb0162903c230050b6fe",
 *   "when_unmet": "closed", "unmet": []
 * }
 * ```
 */
export const DeclaredWitnessPolicy = atoms.Closed({
  witness_policy: schemas.WitnessPolicy,
  witness_policy_digest: atoms.Hash,
  /** Whether packs wait for the cosignatures that it asks for, or are given without them. */
  when_unmet: atoms.OneOf("closed", "open"),
  /** The demands that this server cannot meet, in words. */
  unmet: Type.Array(Type.String()),
});
export type DeclaredWitnessPolicy = Type.Static<typeof DeclaredWitnessPolicy>;

export const policy = contract({
  method: "GET",
  path: "/v2/witness/policies/{policyId}",
  chapter: "evidence",
  summary: "The witness policy of a policy, as it is hashed.",
  description:
    "Policy ids are each tenant's own, so a declared policy is found by its id and its `digest`. The id alone is " +
    "enough for a built-in policy, and for any where the deployment has one tenant.",
  access: "public",
  query: {
    version: ordinal("the version of the policy; the newest where neither it nor the digest is there"),
    digest: hash("the `witness_policy_digest` of a window or checkpoint"),
  },
  answer: { status: 200, description: "The resolved witness policy.", schema: schemas.WitnessPolicy },
  errors: ["policy_not_found"],
});

export const declare = contract({
  method: "PUT",
  path: "/v2/tenant/witness/policies/{policyId}",
  chapter: "streams",
  summary: "Declares the witnesses of a policy, as its next version.",
  description:
    "New windows follow it at once and name it by its digest; what is sealed keeps its version. The policy's " +
    "numbers stay as they are. A key without `valid_from` is good from the declaration on. What the newest " +
    "version says already makes no other one. With `when_unmet` `closed` an audit pack or an export waits for " +
    "the cosignatures that the policy asks for, and is refused without them (`evidence_missing`); with `open` it " +
    "is given without them, has the header `SVC-Evidence-Missing`, and verifiers reject it " +
    "(`witness_quorum_unmet`) as long as it is so. `unmet` says what this server cannot do of it, such as to " +
    "reach a witness that has no address in `SVC_WITNESSES`.",
  access: "system",
  action: "declare_policy",
  idempotencyKey: "optional",
  body: { schema: WitnessPolicyBody, maxBytes: MAX_BODY_BYTES },
  answer: { status: 200, description: "The newest version.", schema: DeclaredWitnessPolicy },
  errors: [
    "policy_id_taken",
    "witness_keys_missing",
    "witness_threshold_unreachable",
    "witness_key_repeated",
    "witness_name_repeated",
    "witness_epochs_overlap",
    "witness_validity_backwards",
    "witness_not_managed",
    "witness_not_independent",
  ],
});
