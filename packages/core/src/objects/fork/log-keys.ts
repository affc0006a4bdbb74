/**
 * The known keys by their key ids under a name, for lines of notes that stand outside of sealed objects: such a note says under which
 * name it was signed, and not with which key. Indexed once a name, however many notes there are.
 */
import type { Kernel } from "../../kernel/kernel.ts";
import { type COSIGNATURE_LINE, type ED25519_LINE, noteKeyId } from "../../note/signed-note.ts";
import type { Kid, PublicKeyHex } from "../../schema/atoms.ts";
import type { KeyRing } from "../../trust/key-ring.ts";

/** A key that a line may be by. */
export interface LineKey {
  readonly kid: Kid;
  readonly publicKeyHex: PublicKeyHex;
}

/** The keys of one examination as signers of notes. */
export class LogKeys {
  readonly #kernel: Kernel;
  readonly #keys: ReadonlyMap<Kid, PublicKeyHex>;
  readonly #byName = new Map<string, Map<string, LineKey[]>>();

  /** `keys` is read once: what it takes up later is not seen. */
  constructor(kernel: Kernel, keys: KeyRing) {
    this.#kernel = kernel;
    this.#keys = keys.known();
  }

  /** The known keys for which a line of this name, type and key id may stand; hardly ever more than one. */
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
