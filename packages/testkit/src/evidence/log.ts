/** A log for tests: leaves in memory, signed checkpoints, and proofs by core's reference kernel. */
import { createHash } from "node:crypto";
import {
  checkpointText,
  ED25519_LINE,
  encodeBase64,
  encodeNote,
  type NodeHash,
  noteKeyId,
  referenceKernel,
  type Signer,
  verificationKey,
} from "@svc/core";
import { testSigner } from "./signer.ts";

const kernel = referenceKernel;
const EMPTY_ROOT = new Uint8Array(createHash("sha256").digest());

/** A log under an origin, with its own key. Two logs of one label share key and origin, and so can fork. */
export class TestLog {
  readonly origin: string;
  readonly signer: Signer;
  readonly #label: string;
  readonly #leaves: NodeHash[] = [];

  constructor(origin: string, label = origin) {
    this.origin = origin;
    this.#label = label;
    this.signer = testSigner(label);
  }

  /** Returns a log of the same key and leaves, which grows by itself. */
  copy(): TestLog {
    const copy = new TestLog(this.origin, this.#label);
    copy.#leaves.push(...this.#leaves);
    return copy;
  }

  get vkey(): string {
    return verificationKey(kernel, this.origin, this.signer.publicKeyHex);
  }

  get size(): number {
    return this.#leaves.length;
  }

  /** Appends leaves of this text until the tree has this size. */
  growTo(size: number, text = "leaf"): this {
    while (this.size < size) this.#leaves.push(kernel.leafHash(Buffer.from(`${text} ${this.size}`)));
    return this;
  }

  root(size = this.size): Uint8Array {
    return size === 0 ? EMPTY_ROOT : kernel.rootFromLeafHashes(this.#leaves.slice(0, size));
  }

  /** Resolves to the signed note of a size; `root` and `extension` for lies. */
  async note(size = this.size, { root = this.root(size), extension = "", signer = this.signer } = {}): Promise<string> {
    const text = `${checkpointText(this.origin, size, root)}${extension}`;
    const keyId = noteKeyId(kernel, this.origin, ED25519_LINE, this.signer.publicKeyHex);
    const signature = await signer.sign(Buffer.from(text));
    return encodeNote(text, [{ name: this.origin, keyId, signature }]);
  }

  proof(from: number, to = this.size): string[] {
    if (from === 0 || from === to) return [];
    return kernel.proveConsistency(this.#leaves.slice(0, to), from).map((hash) => encodeBase64(hash));
  }

  /** Resolves to the body that an honest log sends. */
  async body(old: number, size = this.size): Promise<string> {
    return bodyOf(old, this.proof(old, size), await this.note(size));
  }
}

/** Returns a body of these parts. */
export function bodyOf(old: number | string, proof: readonly string[], note: string): string {
  return `${[`old ${old}`, ...proof].join("\n")}\n\n${note}`;
}
