/**
 * The witness keys that a verifier knows for a checkpoint: those of the policy that the checkpoint names, and those
 * that the verifier pins. They are indexed once, so that a policy of many keys costs no more for many checkpoints. A
 * pinned witness is name and key together.
 */
import { addTo } from "../grouping.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { isMlDsaCosignature } from "../note/cosignature.ts";
import { COSIGNATURE_LINE, type NoteLine, noteKeyId } from "../note/signed-note.ts";
import type { PublicKeyHex } from "../schema/atoms.ts";
import type { PinnedWitness } from "../trust/policy.ts";
import type { WitnessKey, WitnessPolicy } from "./policy.ts";

/** One known key. */
export interface KnownWitness {
  readonly name: string;
  readonly publicKeyHex: PublicKeyHex;
  readonly isPinned: boolean;
  /** The policy's entry; null if only the verifier knows the key. */
  readonly listed: WitnessKey | null;
}

export class KnownWitnesses {
  /** The shown policy; null if the object shows none. */
  readonly policy: WitnessPolicy | null;
  readonly #byLine = new Map<string, KnownWitness[]>();
  readonly #byEpoch = new Map<string, KnownWitness>();
  readonly #listedKeys = new Set<PublicKeyHex>();
  readonly #names = new Set<string>();

  constructor(kernel: Kernel, policy: WitnessPolicy | null, pinned: readonly PinnedWitness[]) {
    this.policy = policy;
    const pins = new Set(pinned.map((witness) => `${witness.public_key_hex} ${witness.name}`));
    for (const listed of policy?.witnessKeys ?? []) {
      const { name, public_key_hex: publicKeyHex } = listed;
      const isPinned = pins.delete(`${publicKeyHex} ${name}`);
      const known = { name, publicKeyHex, isPinned, listed };
      this.#addLine(kernel, known);
      const epoch = `${listed.witness_id} ${listed.key_epoch}`;
      if (!this.#byEpoch.has(epoch)) this.#byEpoch.set(epoch, known);
      this.#listedKeys.add(publicKeyHex);
    }
    for (const { name, public_key_hex: publicKeyHex } of pinned) {
      const isListed = !pins.delete(`${publicKeyHex} ${name}`);
      if (!isListed) this.#addLine(kernel, { name, publicKeyHex, isPinned: true, listed: null });
    }
  }

  /** Returns the keys for which a note line of this name and key id may stand; hardly ever more than one. */
  ofLine(name: string, keyId: string): readonly KnownWitness[] {
    return this.#byLine.get(`${keyId} ${name}`) ?? [];
  }

  /** Returns all keys by key id and name, as `ofLine` finds them. */
  lines(): Iterable<readonly [string, readonly KnownWitness[]]> {
    return this.#byLine;
  }

  /** Returns the policy's key of a witness and epoch. */
  ofEpoch(witnessId: string, keyEpoch: number): KnownWitness | null {
    return this.#byEpoch.get(`${witnessId} ${keyEpoch}`) ?? null;
  }

  /** Says whether the policy lists a public key. */
  lists(publicKeyHex: PublicKeyHex): boolean {
    return this.#listedKeys.has(publicKeyHex);
  }

  /**
   * Says whether a line looks like a cosignature by ML-DSA-44 of a known witness whose key of that type nobody told.
   */
  isUnchecked(line: NoteLine): boolean {
    return this.#names.has(line.name) && isMlDsaCosignature(line.signature);
  }

  #addLine(kernel: Kernel, witness: KnownWitness): void {
    this.#names.add(witness.name);
    const line = `${noteKeyId(kernel, witness.name, COSIGNATURE_LINE, witness.publicKeyHex)} ${witness.name}`;
    addTo(this.#byLine, line, witness);
  }
}
