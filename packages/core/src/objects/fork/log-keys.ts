/**
 * The known keys by their key ids under a name, for lines of notes outside sealed objects: such a note states the name
 * of its signer, and not the key. They are indexed once for each name, so that many notes cost no more.
 */
import type { Kernel } from "../../kernel/kernel.ts";
import { type COSIGNATURE_LINE, type ED25519_LINE, noteKeyId } from "../../note/signed-note.ts";
import type { Kid, PublicKeyHex } from "../../schema/atoms.ts";
import type { KeyRing } from "../../trust/key-ring.ts";

/** A key that may have signed a line. */
export interface LineKey {
  readonly kid: Kid;
  readonly publicKeyHex: PublicKeyHex;
}

/** The keys of one examination as signers of notes. */
export class LogKeys {
  readonly #kernel: Kernel;
  readonly #keys: ReadonlyMap<Kid, PublicKeyHex>;
  readonly #byName = new Map<string, Map<string, LineKey[]>>();

  /** `keys` is read once: keys that it takes up later are not seen. */
  constructor(kernel: Kernel, keys: KeyRing) {
    this.#kernel = kernel;
    this.#keys = keys.known();
  }

  /** Returns the known keys that may have signed a line of this name, type and key id; hardly ever more than one. */
  of(name: string, type: typeof ED25519_LINE | typeof COSIGNATURE_LINE, keyId: string): readonly LineKey[] {
    const index = `${type} ${name}`;
    let known = this.#byName.get(index);
    if (known === undefined) {
      known = new Map();
      for (const [kid, publicKeyHex] of this.#keys) {
        const id = noteKeyId(this.#kernel, name, type, publicKeyHex);
        known.set(id, [...(known.get(id) ?? []), { kid, publicKeyHex }]);
      }
      this.#byName.set(index, known);
    }
    return known.get(keyId) ?? [];
  }
}
