/** Verification with pauses: the same whole report, pauses between the parts, and an end if the pause rejects. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { buildZip } from "@svc/testkit/evidence/build-zip";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { packageInput, packageOf, partsOf } from "@svc/testkit/evidence/truth-packages";
import {
  type CooperativeOptions,
  pinKeys,
  referenceKernel,
  selectKernel,
  type VerifyOptions,
  verify,
  verifyCooperatively,
} from "../src/index.ts";

const kernel = selectKernel("wasm");
const trust = pinKeys(referenceKernel, [SERVICE.publicKeyHex]);
const bundle = await bundleOf(await issueStream(400, { perWindow: 100, perCheckpoint: 2 }));
const good = kernel.canonicalize(bundle);
const bad = new TextEncoder().encode(new TextDecoder().decode(good).replace('"amount":12501', '"amount":12502'));

/** Returns pauses that note the progress of the work. */
function noting(partBytes?: number): {
  readonly cooperation: CooperativeOptions;
  readonly seen: (readonly [number, number])[];
} {
  const seen: (readonly [number, number])[] = [];
  const pause = async (done: number, parts: number) => void seen.push([done, parts]);
  return { cooperation: { pause, ...(partBytes === undefined ? {} : { partBytes }) }, seen };
}

test("the report is that of verify, whatever the size of the parts", async () => {
  for (const each of [kernel, referenceKernel]) {
    for (const bytes of [good, bad]) {
      const wanted = verify(bytes, { trust, kernel: each });
      for (const partBytes of [undefined, 1, 20_000])
        assert.deepEqual(
          await verifyCooperatively(bytes, { trust, kernel: each }, noting(partBytes).cooperation),
          wanted,
        );
    }
  }
  assert.equal(verify(good, { trust, kernel }).verdict, "verified");
  assert.equal(verify(bad, { trust, kernel }).problems[0]?.code, "payload_hash_mismatch");
});

test("there is a pause after each part, which knows how many there are", async () => {
  const { cooperation, seen } = noting(20_000);
  await verifyCooperatively(good, { trust, kernel }, cooperation);
  const parts = seen[0]?.[1] ?? 0;
  assert.ok(parts > 10, `${parts}`);
  assert.deepEqual(
    seen,
    Array.from({ length: parts }, (_, at) => [at + 1, parts]),
  );
});

test("a pause that rejects ends the work", async () => {
  const stopped = new Error("stopped");
  const pause = async (done: number) => {
    if (done === 2) throw stopped;
    assert.ok(done < 2);
  };
  await assert.rejects(
    verifyCooperatively(good, { trust, kernel }, { pause, partBytes: 20_000 }),
    (error) => error === stopped,
  );
});

const large = await packageOfTwo(400);

/** Resolves to a package of two streams, of which only the second is large enough to be read in parts. */
async function packageOfTwo(events: number): Promise<Uint8Array> {
  const input = await packageInput();
  const second = await issueStream(events, { perWindow: 100, perCheckpoint: 2, streamNo: 2 });
  const bundles = [input.bundles[0], await bundleOf(second)];
  const ranges = [input.ranges[0], { ...input.ranges[1], from_seq_no: 1, to_seq_no: events }];
  return packageOf({ ...input, bundles, ranges } as typeof input);
}

/** Returns the package with its proofs as another text, deflated if asked for. */
function withProofs(bytes: Uint8Array, change: (text: string) => string, isDeflated = false): Uint8Array {
  const parts = partsOf(bytes).map((part) => {
    if (part.name !== "proofs.json") return part;
    const content = Buffer.from(change(Buffer.from(part.content).toString()));
    return { ...part, content, ...(isDeflated ? { packed: deflateRawSync(content), method: 8 } : {}) };
  });
  return buildZip(parts);
}

test("of a package too the report is that of verify", async () => {
  const packages = {
    good: large,
    deflated: withProofs(large, (text) => text, true),
    "a changed payload": withProofs(large, (text) => text.replace('"amount":12501', '"amount":12502')),
    "not canonical": withProofs(large, (text) => ` ${text}`),
    "no list": withProofs(large, (text) => `{"proofs":${text}}`),
    "a bundle too much": withProofs(large, (text) => text.replace(/]$/, `,${text.slice(1)}`)),
    "no JSON": withProofs(large, (text) => text.slice(1)),
    "cut off": large.subarray(0, -1),
  };
  const verdicts = new Map<string, string>();
  for (const [name, bytes] of Object.entries(packages)) {
    const wanted = verify(bytes, { trust, kernel });
    verdicts.set(name, wanted.verdict);
    for (const partBytes of [undefined, 20_000])
      assert.deepEqual(
        await verifyCooperatively(bytes, { trust, kernel }, noting(partBytes).cooperation),
        wanted,
        name,
      );
  }
  assert.deepEqual(
    [...verdicts].filter(([, verdict]) => verdict === "verified").map(([name]) => name),
    ["good", "deflated"],
  );
});

test("the report on every truth package of the fixtures is that of verify", async () => {
  const folder = new URL("../../../fixtures/cases/truth-package/", import.meta.url);
  const names = readdirSync(folder);
  assert.ok(names.length > 40, `${names.length}`);
  for (const name of names) {
    const { input_base64, ...options } = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
    const { kind, trust, links = [] } = options as Required<Pick<VerifyOptions, "kind" | "trust" | "links">>;
    const bytes = new Uint8Array(Buffer.from(input_base64, "base64"));
    const report = await verifyCooperatively(bytes, { kind, trust, links, kernel }, noting().cooperation);
    assert.deepEqual(report, verify(bytes, { kind, trust, links, kernel }), name);
  }
});

test("in a package there is a pause after each part of a large bundle, and between the steps", async () => {
  const { cooperation, seen } = noting(20_000);
  await verifyCooperatively(large, { trust, kernel }, cooperation);
  assert.ok(seen.length > 12, `${seen.length}`);
  const done = seen.map(([each, of]) => each / of);
  assert.deepEqual(
    done,
    done.toSorted((a, b) => a - b),
  );
  assert.ok(done.every((each) => each > 0 && each <= 1));
  assert.equal(done.filter((each) => each === 1).length, 4, "two bundles, the table");
  const stopped = new Error("stopped");
  const pause = async () => {
    throw stopped;
  };
  await assert.rejects(verifyCooperatively(large, { trust, kernel }, { pause }), (error) => error === stopped);
});
