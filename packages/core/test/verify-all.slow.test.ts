/** Many objects in one call: the whole reports are those of `verify`, one by one. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { KERNEL_NAMES } from "@svc/testkit/kernels";
import { inputBytes } from "@svc/testkit/vectors";
import {
  type Json,
  type Kernel,
  type Kind,
  pinKeys,
  referenceKernel,
  type SignatureItem,
  selectKernel,
  startWasmKernel,
  type VerifyItem,
  type VerifyOptions,
  verify,
  verifyAll,
} from "../src/index.ts";
import { KERNEL_BYTES } from "./runtimes/expected.ts";
import { stoppingIn } from "./runtimes/patched-kernel.ts";

interface Fixture {
  readonly kind: Kind;
  readonly trust: Json;
  readonly links?: readonly Json[];
  readonly input?: string;
  readonly input_base64?: string;
}

const folder = fileURLToPath(new URL("../../../fixtures/cases/", import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
const fixtures = files.map((file) => JSON.parse(readFileSync(folder + file, "utf8")) as Fixture);
const bytesOf = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const trust = pinKeys(referenceKernel, [SERVICE.publicKeyHex]);

const evidence = await issueStream(20);
const good = evidence.records.map(bytesOf);
const forged = bytesOf({ ...evidence.records[3], receipt: { ...evidence.records[4]?.receipt } });
const changed = bytesOf({ ...evidence.records[5], source_ref: "another" });
const mixed = [...good, forged, bytesOf("{"), changed, bytesOf(await bundleOf(evidence)), forged, ...good];

/** Compares the reports of `verify` on each with those of one call of `verifyAll`. */
function assertSame(items: readonly VerifyItem[], options: VerifyOptions): void {
  const expected = items.map(({ bytes, ...own }) => verify(bytes, { ...options, ...own }));
  assert.deepEqual(verifyAll(items, options), expected);
}

/** Returns a kernel, and the number of signatures in each of its calls. */
function counting(kernel: Kernel, refusesAbove = Number.POSITIVE_INFINITY): { kernel: Kernel; calls: number[] } {
  const calls: number[] = [];
  const verifyEd25519 = (items: readonly SignatureItem[]) => {
    calls.push(items.length);
    if (items.length > refusesAbove) throw new RangeError("no room");
    return kernel.verifyEd25519(items);
  };
  return { kernel: { ...kernel, verifyEd25519 }, calls };
}

for (const name of KERNEL_NAMES) {
  const kernel = selectKernel(name);

  test(`${name}: every fixture, in one call for each trust policy`, () => {
    assert.notEqual(fixtures.length, 0);
    const groups = Map.groupBy(fixtures, ({ trust, links }) => JSON.stringify([trust, links]));
    for (const [first, ...rest] of groups.values()) {
      if (first === undefined) continue;
      const items = [first, ...rest].map((fixture) => ({ kind: fixture.kind, bytes: inputBytes(fixture) }));
      assertSame(items, { kernel, trust: first.trust, ...(first.links === undefined ? {} : { links: first.links }) });
    }
  });

  test(`${name}: the bad among the good`, () => {
    const items = mixed.map((bytes) => ({ bytes }));
    assertSame(items, { kernel, trust });
    const verdicts = verifyAll(items, { kernel, trust }).map(({ verdict }) => verdict);
    const verified = good.map(() => "verified");
    const between = ["rejected", "rejected", "rejected", "verified", "rejected"];
    assert.deepEqual(verdicts, [...verified, ...between, ...verified]);
  });

  test(`${name}: an item's own kind comes before that of the options, and no item is no report`, () => {
    const [bytes] = good;
    assert.ok(bytes !== undefined);
    assertSame([{ bytes, kind: "window" }, { bytes }], { kernel, trust, kind: "receipt" });
    assert.deepEqual(verifyAll([], { kernel }), []);
  });
}

test("every fixture in one call, whatever its kind, with trust in nobody", () => {
  const items = fixtures.map((fixture) => ({ bytes: inputBytes(fixture) }));
  assertSame(items, {});
});

test("a trust policy with a fault rejects every item, and one with a text as quorum is read", () => {
  const items = mixed.map((bytes) => ({ bytes }));
  const [signer] = trust.signers;
  assertSame(items, { trust: { signers: [{ ...signer, kid: "ed25519-0000000000000000" }] } });
  assertSame(items, { trust: { ...trust, quorum: "quorum none\n" } });
});

test("signatures of small objects are checked together, those of a bad one again alone", () => {
  const { kernel, calls } = counting(selectKernel("wasm"));
  verifyAll(
    [...good, forged, ...good].map((bytes) => ({ bytes })),
    { kernel, trust },
  );
  assert.deepEqual(calls, [41, 1]);
});

test("no more signatures wait than a group may have", () => {
  const { kernel, calls } = counting(selectKernel("wasm"));
  const items = Array.from({ length: 5000 }, (_, index) => ({ bytes: index === 4500 ? forged : (good[0] ?? forged) }));
  const verdicts = verifyAll(items, { kernel, trust }).map(({ verdict }) => verdict);
  assert.deepEqual(calls, [4096, 904, 1]);
  assert.deepEqual([verdicts.indexOf("rejected"), verdicts.lastIndexOf("rejected")], [4500, 4500]);
});

test("an object of 64 KiB has its signatures checked with others, and no larger one has", () => {
  const { kernel, calls } = counting(selectKernel("wasm"));
  const [first = forged, second = forged] = good;
  const padded = (length: number) => bytesOf(Buffer.from(first).toString().padEnd(length));
  for (const [length, together] of [
    [65_536, [2]],
    [65_537, [1, 1]],
  ] as const) {
    assertSame([{ bytes: padded(length) }, { bytes: second }], { kernel: selectKernel("wasm"), trust });
    verifyAll([{ bytes: padded(length) }, { bytes: second }], { kernel, trust });
    assert.deepEqual(calls.splice(0), together, `${length} bytes`);
  }
});

test("a large object is gone through once, and those around it together", async () => {
  const { kernel, calls } = counting(selectKernel("wasm"));
  const large = bytesOf(await bundleOf(await issueStream(200)));
  const damaged = bytesOf(new TextDecoder().decode(large).replace("loan.decided", "loan.refused"));
  const items = [...good, large, damaged, ...good].map((bytes) => ({ bytes }));
  assertSame(items, { kernel, trust });
  calls.length = 0;
  verify(large, { kernel, trust });
  verify(damaged, { kernel, trust });
  const alone = calls.splice(0);
  verifyAll(items, { kernel, trust });
  assert.deepEqual(calls, [...alone, 40]);
});

test("what a kernel cannot check together, it is asked one by one", () => {
  const { kernel, calls } = counting(selectKernel("wasm"), 1);
  const items = good.map((bytes) => ({ bytes }));
  assert.deepEqual(verifyAll(items, { kernel, trust }), verifyAll(items, { kernel: selectKernel("wasm"), trust }));
  assert.deepEqual(calls, [20, ...good.map(() => 1)]);
});

test("an item that makes the kernel stop is rejected as ever, and no other is", () => {
  const wasm = selectKernel("wasm");
  const { receipt } = evidence.records[7] ?? assert.fail("a receipt");
  const stopping = startWasmKernel(stoppingIn(KERNEL_BYTES, "ed25519_verify"));
  const kernel: Kernel = {
    ...wasm,
    verifyEd25519: (items) =>
      items.some(({ signature }) => Buffer.from(signature).toString("hex") === receipt.signature)
        ? stopping.verifyEd25519(items)
        : wasm.verifyEd25519(items),
  };
  const items = good.map((bytes) => ({ bytes }));
  assertSame(items, { kernel, trust });
  const verdicts = verifyAll(items, { kernel, trust }).map(({ verdict }) => verdict);
  assert.deepEqual([verdicts.indexOf("rejected"), verdicts.lastIndexOf("rejected")], [7, 7]);
  assertSame(items, { kernel: startWasmKernel(stoppingIn(KERNEL_BYTES, "json_check")), trust });
});
