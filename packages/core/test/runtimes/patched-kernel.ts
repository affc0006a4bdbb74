/** A real kernel with one function that stops as soon as it is called. */
import assert from "node:assert/strict";

const IMPORT_SECTION = 2;
const EXPORT_SECTION = 7;
const CODE_SECTION = 10;
const UNREACHABLE = 0x00;
const END = 0x0b;

/**
 * Returns a copy of a kernel in which every instruction of an exported function is `unreachable`; all sizes stay as
 * they are.
 */
export function stoppingIn(kernel: Uint8Array, name: string): Uint8Array {
  const copy = kernel.slice();
  const sections = readSections(copy);
  assert.ok(!sections.has(IMPORT_SECTION), "imported functions would be counted too");
  const wanted = exportedFunction(sectionOf(sections, EXPORT_SECTION), name);
  const bodies = readVector(sectionOf(sections, CODE_SECTION), (code) => code.take(code.number()));
  const body = bodies[wanted];
  assert.ok(body !== undefined, `no code of ${name}`);
  // No local variables, which is a zero too, and only `unreachable` up to the end.
  body.fill(UNREACHABLE);
  body[body.length - 1] = END;
  return copy;
}

/** Reads the encoding of a module. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Returns a view of so many bytes. */
  take(length: number): Uint8Array {
    const bytes = this.#bytes.subarray(this.#at, this.#at + length);
    assert.equal(bytes.length, length, "a module that ends too early");
    this.#at += length;
    return bytes;
  }

  /** Returns an unsigned LEB128 number. */
  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const [byte = 0] = this.take(1);
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  }
}

function readSections(module: Uint8Array): Map<number, Reader> {
  const sections = new Map<number, Reader>();
  const reader = new Reader(module.subarray(8));
  while (!reader.isAtEnd) sections.set(reader.number(), new Reader(reader.take(reader.number())));
  return sections;
}

function sectionOf(sections: ReadonlyMap<number, Reader>, id: number): Reader {
  const section = sections.get(id);
  assert.ok(section !== undefined, `no section ${id}`);
  return section;
}

function readVector<Item>(reader: Reader, read: (reader: Reader) => Item): Item[] {
  return Array.from({ length: reader.number() }, () => read(reader));
}

function exportedFunction(section: Reader, name: string): number {
  const exports = readVector(section, (reader) => ({
    name: new TextDecoder().decode(reader.take(reader.number())),
    isFunction: reader.number() === 0,
    index: reader.number(),
  }));
  const found = exports.find((one) => one.isFunction && one.name === name);
  assert.ok(found !== undefined, `no function ${name}`);
  return found.index;
}
