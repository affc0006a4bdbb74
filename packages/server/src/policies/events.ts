/** The types of the events about policies. */
import { administrationType } from "@svc/host/administration";
import Type from "typebox";

/** A policy was declared. */
export const policyDeclared = administrationType({
  name: "policy.declared",
  meaning: "A version of a policy is in force.",
  schema: Type.Object({ policy_version: Type.Integer(), witness_policy_digest: Type.String() }),
  object: "default",
  after: { policy_version: 2, witness_policy_digest: "5f".repeat(32) },
});

/** The service's own witness cosigns with another key. */
export const witnessKeyRotated = administrationType({
  name: "witness_key.rotated",
  meaning: "The service's own witness cosigns with another key; the object is its public key.",
  schema: Type.Object({ name: Type.String(), key_epoch: Type.Integer(), replaces: Type.String() }),
  object: "90".repeat(32),
  after: { name: "evidence.example.com/witness", key_epoch: 2, replaces: "41".repeat(32) },
});
