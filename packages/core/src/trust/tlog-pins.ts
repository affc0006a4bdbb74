/**
 * The pins of a tlog-policy text (protocol section 16): its `log` lines pin signers, its `witness` lines witnesses. A
 * key that this release cannot check (ML-DSA-44) pins nobody. It is still known, so that a report can say what was not
 * checked.
 */
import type { Kernel } from "../kernel/kernel.ts";
import { ML_DSA_LINE } from "../note/signed-note.ts";
import type { AnyVerificationKey } from "../note/verification-key.ts";
import type { PublicKeyHex } from "../schema/atoms.ts";
import { kidOf } from "../seal.ts";
import type { PinnedSigner, PinnedWitness, TrustPolicy } from "./policy.ts";
import type { TlogPolicy } from "./tlog-policy/policy.ts";

/** A log that is a stream of this protocol is named by the service's origin, `/` and the stream id. */
const STREAM_ORIGIN = /^(.*)\/(str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25})$/su;

/**
 * Returns the policy with the pins of its text beside its own, and with the text itself. A pin that is already there is
 * not added again.
 */
export function withTlogPins(kernel: Kernel, policy: TrustPolicy, { logs, witnesses }: TlogPolicy): TrustPolicy {
  const signers = logs.flatMap(({ key }) => (isChecked(key) ? pinnedSigner(kernel, key) : []));
  const named = witnesses.flatMap(({ key }) => (isChecked(key) ? pinnedWitness(key) : []));
  return {
    ...policy,
    signers: united(policy.signers, signers),
    ...(named.length === 0 ? {} : { witnesses: united(policy.witnesses ?? [], named) }),
  };
}

/** Returns the name and key by which a witness of a tlog-policy is pinned. */
export function pinnedWitness({ name, keyHex }: AnyVerificationKey): PinnedWitness {
  return { name, public_key_hex: keyHex as PublicKeyHex };
}

/** A log whose name ends in a stream id pins that stream; any other log pins the service itself. */
function pinnedSigner(kernel: Kernel, { name, keyHex }: AnyVerificationKey): PinnedSigner {
  const public_key_hex = keyHex as PublicKeyHex;
  const [, origin = name, streamId] = STREAM_ORIGIN.exec(name) ?? [];
  return {
    kid: kidOf(kernel, public_key_hex),
    public_key_hex,
    origin,
    ...(streamId === undefined ? {} : { streams: [streamId] }),
  };
}

function isChecked({ type }: AnyVerificationKey): boolean {
  return type !== ML_DSA_LINE;
}

function united<Pin extends object>(own: readonly Pin[], more: readonly Pin[]): Pin[] {
  const known = new Set(own.map(marked));
  return [...own, ...more.filter((pin) => !known.has(marked(pin)))];
}

/** Returns a pin as one text that does not depend on the order of its members. */
function marked(pin: object): string {
  return JSON.stringify(Object.entries(pin).sort());
}
