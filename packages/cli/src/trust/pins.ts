/**
 * Adds to a trust policy and to the names beside it. An existing pin does not change. A pin that contradicts another
 * one is refused, unless it may replace it. store.ts checks the form of each value when it writes the file.
 */
import type { Kid, TrustPolicy } from "@svc/core";
import { EXIT, Refusal } from "../exit.ts";
import type { TrustFile } from "./store.ts";

type Items<Member extends keyof TrustPolicy> =
  NonNullable<TrustPolicy[Member]> extends readonly (infer Item)[] ? Item : never;
/** A pinned signer of section 16. */
export type SignerPin = Items<"signers">;
export type WitnessPin = Items<"witnesses">;
export type BlockPin = Items<"blocks">;
export type ContractPin = Items<"contracts">;
export type VaultPin = Items<"vaults">;
export type KnownHead = Items<"known_checkpoints">;

/**
 * Pins a key, and names it. Refuses a revoked key, a key pinned with other limits unless `replaces`, and a name that
 * another key has.
 */
export function addSigner(file: TrustFile, pin: SignerPin, name: string | undefined, replaces = false): TrustFile {
  const { policy, names } = file;
  if (policy.revoked?.includes(pin.kid))
    throw new Refusal(
      EXIT.usage,
      `You revoked ${pin.kid}, and a revoked key is never trusted.`,
      `If that was a mistake, take it back first: svc trust remove --revoked ${pin.kid}`,
    );
  const owner = Object.entries(names).find(([kid, other]) => other === name && kid !== pin.kid);
  if (owner !== undefined)
    throw new Refusal(
      EXIT.usage,
      `The name "${name}" belongs to another key, ${owner[0]}.`,
      "Give another name, as with a year in it, or remove that key first.",
    );
  const own = policy.signers.filter(({ kid }) => kid === pin.kid);
  const isThere = own.some((each) => isSame(each, pin));
  if (own.length > 0 && !isThere && !replaces)
    throw new Refusal(
      EXIT.usage,
      `${pin.kid} is pinned already, with other limits (origin, streams, end or endorsements).`,
      "Nothing was changed. --replace puts this pin in the place of that one.",
    );
  const others = replaces ? policy.signers.filter(({ kid }) => kid !== pin.kid) : policy.signers;
  return {
    policy: isThere && (!replaces || own.length === 1) ? policy : { ...policy, signers: [...others, pin] },
    names: name === undefined ? names : { ...names, [pin.kid]: name },
  };
}

/** Pins a witness. */
export function addWitness(file: TrustFile, pin: WitnessPin): TrustFile {
  const { witnesses = [] } = file.policy;
  if (witnesses.some((each) => isSame(each, pin))) return file;
  return withPolicy(file, { witnesses: [...witnesses, pin] });
}

/** Pins a block. Refuses another hash at the same height of the same chain, unless `replaces`. */
export function addBlock(file: TrustFile, pin: BlockPin, replaces = false): TrustFile {
  const { blocks = [] } = file.policy;
  const isSameHeight = ({ network, number }: BlockPin) => network === pin.network && number === pin.number;
  const other = blocks.find((each) => isSameHeight(each) && each.hash !== pin.hash);
  if (other !== undefined && !replaces) throw conflict(`Block ${pin.number} of ${pin.network}`, other.hash);
  if (blocks.some((each) => isSame(each, pin)) && other === undefined) return file;
  return withPolicy(file, { blocks: [...blocks.filter((each) => !isSameHeight(each)), pin] });
}

/** Pins a contract's code. Refuses another code at the same address, unless `replaces`. */
export function addContract(file: TrustFile, pin: ContractPin, replaces = false): TrustFile {
  const { contracts = [] } = file.policy;
  const isSamePlace = ({ network, address }: ContractPin) => network === pin.network && address === pin.address;
  const other = contracts.find((each) => isSamePlace(each) && each.code_hash !== pin.code_hash);
  if (other !== undefined && !replaces)
    throw conflict(`The contract ${pin.address} of ${pin.network}`, other.code_hash);
  if (contracts.some((each) => isSame(each, pin)) && other === undefined) return file;
  return withPolicy(file, { contracts: [...contracts.filter((each) => !isSamePlace(each)), pin] });
}

/**
 * Pins the key of a vault's installation; a certificate that is pinned with the same key stays. Refuses another key for
 * the same installation, unless `replaces`.
 */
export function addVault(file: TrustFile, pin: VaultPin, replaces = false): TrustFile {
  const { vaults = [] } = file.policy;
  const other = vaults.find(
    (each) => each.installation_id === pin.installation_id && each.public_key_hex !== pin.public_key_hex,
  );
  if (other === undefined && vaults.some(({ installation_id }) => installation_id === pin.installation_id)) return file;
  if (other !== undefined && !replaces)
    throw new Refusal(
      EXIT.usage,
      `${pin.installation_id} is pinned already, with another key: ${other.public_key_hex}.`,
      "Nothing was changed. Ask the vault's owner which key is its own; --replace puts this one in the place of " +
        "that one.",
    );
  return withPolicy(file, { vaults: [...vaults.filter((each) => each !== other), pin] });
}

/** Sets the quorum: a count, or the text of a tlog-policy. It replaces the one before. */
export function setQuorum(file: TrustFile, quorum: number | string): TrustFile {
  return withPolicy(file, { quorum });
}

/** Adds requirements for evidence. */
export function addRequirements(file: TrustFile, wanted: readonly Items<"require">[]): TrustFile {
  return withPolicy(file, { require: [...new Set([...(file.policy.require ?? []), ...wanted])] });
}

/** Revokes a key. Its pin stays, so the file still says whose it was. */
export function revoke(file: TrustFile, kid: Kid): TrustFile {
  const { revoked = [] } = file.policy;
  return revoked.includes(kid) ? file : withPolicy(file, { revoked: [...revoked, kid] });
}

/**
 * Notes the newest head of a stream in the place of the heads known before. The evidence must have been verified under
 * the file's policy: then it extends those heads, so that dropping them loses nothing.
 */
export function noteHead(file: TrustFile, head: KnownHead): TrustFile {
  const { known_checkpoints = [] } = file.policy;
  if (known_checkpoints.some((each) => isSame(each, head))) return file;
  return withPolicy(file, { known_checkpoints: [...known_checkpoints, head] });
}

/** Says whether two pins are the same, without regard to the order of their members. */
function isSame(left: object, right: object): boolean {
  return sorted(left) === sorted(right);
}

function sorted(pin: object): string {
  return JSON.stringify(Object.entries(pin).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function withPolicy(file: TrustFile, members: Partial<TrustPolicy>): TrustFile {
  return { ...file, policy: { ...file.policy, ...members } };
}

function conflict(what: string, hash: string): Refusal {
  return new Refusal(
    EXIT.usage,
    `${what} is pinned already, with another hash: ${hash}.`,
    "One of the two is wrong. Find out which; --replace puts this pin in the place of that one.",
  );
}
