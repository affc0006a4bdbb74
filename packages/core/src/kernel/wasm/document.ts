/**
 * Documents of the compiled kernel. The kernel holds one at a time, and reads a document again if it is needed after
 * another one.
 */
import { type CompiledKernel, type KernelExport, KernelInstance, REFUSED } from "@svc/wasm";
import {
  type JsonDocument,
  type MemberPath,
  type MemberSpans,
  type RecordColumns,
  type RecordRecipe,
  requirePart,
  requireRecipe,
} from "../document.ts";
import type { OpenedJson } from "../kernel.ts";
import { type AcceptedJson, checkJson, parseAccepted } from "./json.ts";
import { encodePath, encodeRecipe } from "./recipe.ts";

/**
 * Opens documents in a separate instance: a large one does not make other calls slow, and other calls do not drop it.
 */
export class Documents {
  readonly #kernel: KernelInstance;
  #open: { readonly document: JsonDocument; readonly generation: number } | null = null;

  constructor(compiled: CompiledKernel) {
    this.#kernel = new KernelInstance(compiled);
  }

  /** Parses a text strictly and keeps it. */
  openJson(bytes: Uint8Array): OpenedJson {
    this.#forget();
    const checked = checkJson(this.#kernel, "document_open", bytes);
    if (!checked.ok) {
      this.#kernel.release();
      return checked;
    }
    const length = checked.isCanonical ? bytes.length : this.#kernel.documentLength();
    const document = documentOf(this, bytes, checked, length);
    this.#open = { document, generation: this.#kernel.generation };
    return { ok: true, document };
  }

  /** Returns the instance, with this document in it. */
  holding(document: JsonDocument, bytes: Uint8Array): KernelInstance {
    if (this.#open?.document !== document || this.#open.generation !== this.#kernel.generation) {
      this.#forget();
      if (!checkJson(this.#kernel, "document_open", bytes).ok)
        throw new TypeError("the bytes of an open document were changed");
      this.#open = { document, generation: this.#kernel.generation };
    }
    return this.#kernel;
  }

  close(document: JsonDocument): void {
    if (this.#open?.document === document) this.#forget();
  }

  #forget(): void {
    this.#open = null;
    this.#kernel.closeDocument();
  }
}

/** Returns an open document, whose canonical bytes have a length. */
function documentOf(documents: Documents, bytes: Uint8Array, accepted: AcceptedJson, length: number): JsonDocument {
  const { isCanonical, depth } = accepted;
  const held = () => documents.holding(document, bytes);
  const locate = (path: MemberPath) => {
    const start = callWith(held(), "document_locate", encodePath(path));
    return start === REFUSED ? null : start;
  };
  const canonicalBytes = () => (isCanonical ? bytes : held().document());
  const document: JsonDocument = {
    isCanonical,
    depth,
    canonicalBytes,
    value: () => parseAccepted(bytes, accepted, canonicalBytes),
    members(path) {
      const start = locate(path);
      const kernel = held();
      if (start === null || callWith(kernel, "document_members", NO_INPUT, start) === REFUSED) return null;
      return spansOf(kernel.output());
    },
    hashPart(prefix, part) {
      requirePart(part, length);
      const kernel = held();
      callWith(kernel, "document_hash", prefix, part.start, part.end);
      const hash = new Uint8Array(32);
      kernel.readOutput(hash);
      return hash;
    },
    records(path, recipe) {
      requireRecipe(recipe);
      const start = locate(path);
      const encoded = encodeRecipe(recipe);
      const read = (from: number) => (start === null ? null : batchAt(held(), start, from, encoded, recipe));
      const first = read(0);
      return first === null ? null : batches(first, read);
    },
    close: () => documents.close(document),
  };
  return document;
}

/** Returns the records from an offset on, where 0 means the first one; null if no array or object begins at `start`. */
function batchAt(
  kernel: KernelInstance,
  start: number,
  from: number,
  encoded: Uint8Array,
  recipe: RecordRecipe,
): Batch | null {
  const count = callWith(kernel, "document_records", encoded, start, from);
  if (count === REFUSED) return null;
  const output = kernel.output();
  return { columns: columnsOf(output.subarray(4), count, recipe), next: numberAt(output, 0) };
}

/** Some records, and the offset of the record behind them; 0 behind the last. */
interface Batch {
  readonly columns: RecordColumns;
  readonly next: number;
}

function* batches(first: Batch, read: (from: number) => Batch | null): Iterable<RecordColumns> {
  for (let batch: Batch | null = first; batch !== null; batch = batch.next === 0 ? null : read(batch.next))
    yield batch.columns;
}

const NO_INPUT = new Uint8Array();

function callWith(kernel: KernelInstance, name: KernelExport, bytes: Uint8Array, ...numbers: number[]): number {
  return kernel.call(name, bytes.length, (input) => input.set(bytes), ...numbers);
}

function numberAt(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
}

/** Reads four numbers for each member: start and end of the name, start and end of the value. */
function spansOf(output: Uint8Array): MemberSpans {
  const numbers = new DataView(output.buffer, output.byteOffset, output.length);
  const count = output.length / 16;
  const names = new Uint32Array(2 * count);
  const values = new Uint32Array(2 * count);
  for (let i = 0; i < 2 * count; i++) {
    const at = 16 * (i >> 1) + 4 * (i & 1);
    names[i] = numbers.getUint32(at, true);
    values[i] = numbers.getUint32(at + 8, true);
  }
  return { count, names, values };
}

function columnsOf(output: Uint8Array, count: number, recipe: RecordRecipe): RecordColumns {
  let at = 0;
  const column = (width: number) => {
    const start = at;
    at += width * count;
    return output.subarray(start, at);
  };
  const text = () => {
    const start = at + 4;
    at = start + numberAt(output, at);
    return output.subarray(start, at);
  };
  return {
    count,
    regular: column(1),
    digests: recipe.digests.map(() => column(32)),
    verdicts: recipe.signatures.map(() => column(1)),
    hashes: recipe.hashes.map(() => column(32)),
    literals: recipe.literals.map(() => text()),
    names: text(),
  };
}
