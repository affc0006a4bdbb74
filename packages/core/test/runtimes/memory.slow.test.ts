/**
 * WebAssembly's memory never shrinks: after a large input the instance is given back, and small calls work in a small
 * one.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { compileKernelSync, KernelInstance } from "@svc/wasm";
import type { Kernel } from "../../src/index.ts";
import { hashAll } from "../../src/kernel/wasm/hashes.ts";
import { startWasmKernel } from "../../src/kernel/wasm/index.ts";
import { KERNEL_BYTES } from "./expected.ts";

const MIB = 2 ** 20;
const LARGE = 136 * MIB;
/** No kernel may keep so much between two calls. */
const KEPT = 48 * MIB;

interface Instance {
  readonly exports: { readonly memory: { readonly buffer: ArrayBuffer } };
}
/** WebAssembly, which is unknown to this project's types. */
const namespace = (globalThis as unknown as { WebAssembly: { Instance: new (...given: unknown[]) => Instance } })
  .WebAssembly;

/** All instances that were ever made and are not yet collected. */
const instances: WeakRef<Instance>[] = [];
const { Instance: Original } = namespace;
namespace.Instance = class extends Original {
  constructor(...given: unknown[]) {
    super(...given);
    instances.push(new WeakRef(this));
  }
};
after(() => {
  namespace.Instance = Original;
});
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const hash = new Uint8Array(32);
const hashes = Array<Uint8Array>(LARGE / 32).fill(hash);
const text = new Uint8Array(LARGE).fill(0x20);
text.set([0x5b, 0x5d]);
const badText = text.slice();
badText[LARGE - 1] = 0x21;
const NO_PREFIX = new Uint8Array();

const calls: Readonly<Record<string, (kernel: Kernel) => unknown>> = {
  sha256: (kernel) => kernel.sha256(text),
  taggedHashes: (kernel) => kernel.taggedHashes("TAG", [text, NO_PREFIX]),
  leafHash: (kernel) => kernel.leafHash(text),
  verifyEd25519: (kernel) => kernel.verifyEd25519([{ publicKey: hash, message: text, signature: new Uint8Array(64) }]),
  rootFromLeafHashes: (kernel) => kernel.rootFromLeafHashes(hashes),
  "parseJson, accepted": (kernel) => assert.ok(kernel.parseJson(text).ok),
  "parseJson, refused": (kernel) => assert.ok(!kernel.parseJson(badText).ok),
  canonicalize: (kernel) => kernel.canonicalize("\u20ac".repeat(LARGE / 3)),
  "openJson, refused": (kernel) => assert.ok(!kernel.openJson(badText).ok),
  "openJson, and close": (kernel) => {
    const opened = kernel.openJson(text);
    assert.ok(opened.ok);
    for (const _ of [1, 2]) {
      assert.equal(opened.document.members([])?.count, 0);
      const none = { digests: [], signatures: [], hashes: [], literals: [], objects: [], closed: false };
      assert.deepEqual(
        [...(opened.document.records([], none) ?? [])].map(({ count }) => count),
        [0],
      );
      assert.deepEqual(opened.document.hashPart(NO_PREFIX, { start: 0, end: 2 }), kernel.sha256(text.subarray(0, 2)));
    }
    opened.document.close();
  },
};

for (const [name, call] of Object.entries(calls)) {
  test(`${name} of ${LARGE / MIB} MiB: the memory is given back`, async () => {
    const kernel = startWasmKernel();
    call(kernel);
    assert.ok((await memoryBytes()) < KEPT);
    await assertSmallCalls(kernel);
  });
}

test("a large input that is refused in a call: the next one gives the memory back", async () => {
  const kernel = startWasmKernel();
  assert.throws(() => kernel.proveInclusion(hashes, hashes.length), RangeError);
  await assertSmallCalls(kernel);
});

test("a large input without a release is there until the next small call, and the instance says how large it is", async () => {
  const instance = new KernelInstance(compileKernelSync(KERNEL_BYTES));
  assert.equal(instance.memoryBytes, 0);
  instance.call("json_check", LARGE, (input) => input.set(text));
  assert.ok(instance.memoryBytes > LARGE && (await memoryBytes()) > LARGE);
  hashAll(instance, NO_PREFIX, [NO_PREFIX]);
  assert.ok(instance.memoryBytes > 0 && instance.memoryBytes < KEPT);
  instance.call("json_check", LARGE, (input) => input.set(text));
  instance.release();
  assert.equal(instance.memoryBytes, 0);
});

test("small calls, and a small document, all use the instance that there is", () => {
  const kernel = startWasmKernel();
  const before = instances.length;
  for (let count = 0; count < 100; count++) smallCalls(kernel);
  assert.equal(instances.length, before + 1, "one for documents");
});

/** Makes small calls of every kind, after which little memory is in use. */
async function assertSmallCalls(kernel: Kernel): Promise<void> {
  smallCalls(kernel);
  assert.ok((await memoryBytes()) < KEPT);
}

function smallCalls(kernel: Kernel): void {
  kernel.sha256(hash);
  kernel.parseJson(text.subarray(0, 100));
  const opened = kernel.openJson(text.subarray(0, 100));
  assert.ok(opened.ok);
  opened.document.close();
}

/** Resolves to the memory of all instances that are left. A weak reference holds until the running task is over. */
async function memoryBytes(): Promise<number> {
  await setImmediate();
  collectGarbage();
  const left = instances.flatMap((instance) => instance.deref() ?? []);
  return left.reduce((sum, { exports }) => sum + exports.memory.buffer.byteLength, 0);
}
