/**
 * Removes parts of a trust policy. They must be there: to remove something that was never pinned is a mistake that a
 * person should hear of. An optional member that becomes empty goes too.
 */
import type { Kid, TrustPolicy } from "@svc/core";
import { EXIT, Refusal } from "../exit.ts";
import type { TrustFile } from "./store.ts";

/** The parts that can be removed, and their names on the command line. */
export interface Removal {
  readonly signer?: string;
  readonly revoked?: string;
  readonly witness?: string;
  readonly quorum?: true;
  readonly block?: string;
  readonly contract?: string;
  readonly vault?: string;
  readonly require?: string;
  readonly knownCheckpoint?: string;
}

type ListMember = "revoked" | "witnesses" | "blocks" | "contracts" | "vaults" | "require" | "known_checkpoints";

/** Removes all named parts. Refuses one that is not there. */
export function removePins(file: TrustFile, removal: Removal): TrustFile {
  const { signer, revoked, witness, quorum, block, contract, vault, require, knownCheckpoint } = removal;
  let { policy, names } = file;
  if (signer !== undefined) ({ policy, names } = withoutSigner({ policy, names }, kidOfPin(file, signer)));
  if (revoked !== undefined) {
    const kid = kidOfRevoked(file, revoked);
    policy = without(policy, "revoked", (each) => each === kid, revoked);
  }
  if (witness !== undefined) {
    const isIt = ({ name, public_key_hex }: { name: string; public_key_hex: string }) =>
      name === witness || public_key_hex === witness;
    policy = without(policy, "witnesses", isIt, witness);
  }
  if (block !== undefined) policy = without(policy, "blocks", ({ hash }) => hash === block, block);
  if (contract !== undefined) policy = without(policy, "contracts", ({ address }) => address === contract, contract);
  if (vault !== undefined)
    policy = without(
      policy,
      "vaults",
      ({ installation_id, public_key_hex }) => installation_id === vault || public_key_hex === vault,
      vault,
    );
  if (require !== undefined) policy = without(policy, "require", (each) => each === require, require);
  if (knownCheckpoint !== undefined)
    policy = without(policy, "known_checkpoints", ({ stream_id }) => stream_id === knownCheckpoint, knownCheckpoint);
  if (quorum) {
    if (policy.quorum === undefined) throw notThere("quorum");
    const { quorum: _quorum, ...rest } = policy;
    policy = rest;
  }
  return { policy, names };
}

/** Returns the kid of a pinned signer that is given by kid, public key or name. Refuses one that is not pinned. */
export function kidOfPin({ policy, names }: TrustFile, given: string): Kid {
  const pin = policy.signers.find(
    ({ kid, public_key_hex }) => kid === given || public_key_hex === given || names[kid] === given,
  );
  if (pin === undefined) throw notThere(`such pin: "${given}"`);
  return pin.kid;
}

function kidOfRevoked({ names }: TrustFile, given: string): string {
  return Object.entries(names).find(([, name]) => name === given)?.[0] ?? given;
}

function withoutSigner({ policy, names }: TrustFile, kid: Kid): TrustFile {
  const { [kid]: _name, ...others } = names;
  return { policy: { ...policy, signers: policy.signers.filter((pin) => pin.kid !== kid) }, names: others };
}

function without<Member extends ListMember>(
  policy: TrustPolicy,
  member: Member,
  isIt: (item: NonNullable<TrustPolicy[Member]>[number]) => boolean,
  given: string,
): TrustPolicy {
  const { [member]: list = [], ...rest } = policy;
  const kept = (list as NonNullable<TrustPolicy[Member]>[number][]).filter((item) => !isIt(item));
  if (kept.length === list.length) throw notThere(`such pin: "${given}"`);
  // The others keep their place in the file.
  return kept.length > 0 ? { ...policy, [member]: kept } : (rest as TrustPolicy);
}

function notThere(what: string): Refusal {
  return new Refusal(
    EXIT.usage,
    `The trust file has no ${what}.`,
    'Nothing was changed. "svc trust list" shows what it has.',
  );
}
