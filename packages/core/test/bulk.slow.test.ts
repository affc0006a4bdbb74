/**
 * The fast way to read a large bundle against the way record by record: whole reports are equal, for a good bundle, for
 * every place of damage, and under every kind of trust.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import type { Json, Kernel, TrustPolicy } from "../src/index.ts";
import { pinKeys, referenceKernel, selectKernel, verify } from "../src/index.ts";
import { Examination } from "../src/report/examination.ts";
import { readInBulk } from "../src/verify/read-in-bulk.ts";

const kernels: readonly Kernel[] = [selectKernel("wasm"), referenceKernel];
const EVENTS = 150;
const evidence = await issueStream(EVENTS, { perWindow: 8, perCheckpoint: 4 });
const trust = pinKeys(referenceKernel, [SERVICE.publicKeyHex]);
type Node = Record<string, unknown>;

/** Returns a kernel that opens no document, so that everything is read whole. */
function withoutDocuments(kernel: Kernel): Kernel {
  return { ...kernel, sha256Hex: kernel.sha256Hex, openJson: () => ({ ok: false, code: "json_malformed", offset: 0 }) };
}

function isReadInBulk(kernel: Kernel, bytes: Uint8Array, policy: TrustPolicy): boolean {
  return readInBulk(new Examination(kernel, policy), bytes) !== null;
}

/**
 * Verifies in both ways with both kernels; all four reports must be the same. Returns whether the fast way was taken.
 */
function check(bytes: Uint8Array, policy: TrustPolicy, about: string) {
  const reports = kernels.flatMap((kernel) =>
    [kernel, withoutDocuments(kernel)].map((one) => {
      const { verifier: _, ...report } = verify(bytes, { trust: policy, kernel: one });
      return report;
    }),
  );
  for (const report of reports) assert.deepEqual(report, reports[0], about);
  const taken = kernels.map((kernel) => isReadInBulk(kernel, bytes, policy));
  assert.equal(taken[0], taken[1], about);
  return { report: reports[0], inBulk: taken[0] };
}

async function fresh(): Promise<Node> {
  return structuredClone(await bundleOf(evidence)) as Node;
}

function encode(bundle: Node, space?: number): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(bundle, null, space));
}

const records = (bundle: Node) => (bundle.artifacts as Record<string, Node[]>)["receipts.json"] ?? [];

function set(node: Node, name: string, value: unknown): void {
  node[name] = value;
}

test("a good bundle, canonical, compact and pretty-printed, is read in bulk", async () => {
  const bundle = await fresh();
  for (const bytes of [referenceKernel.canonicalize(bundle as Json), encode(bundle), encode(bundle, 2)]) {
    const { report, inBulk } = check(bytes, trust, "good");
    assert.equal(report?.verdict, "verified");
    assert.equal(inBulk, true);
  }
});

test("redacted payloads are counted, all of them and some", async () => {
  const none = await fresh();
  delete none.payloads;
  const some = await fresh();
  const payloads = some.payloads as Node;
  for (const id of Object.keys(payloads).filter((_, index) => index % 3 === 0)) delete payloads[id];
  for (const [bundle, redacted] of [
    [none, EVENTS],
    [some, EVENTS / 3],
  ] as const) {
    const { report, inBulk } = check(encode(bundle), trust, "redacted");
    assert.deepEqual([report?.verdict, report?.assurance.redacted, inBulk], ["verified", redacted, true]);
  }
});

test("trust that reaches nobody, another key, or an end, gives the same report", async () => {
  const bundle = encode(await fresh());
  const [signer] = trust.signers;
  assert.ok(signer);
  const others = pinKeys(referenceKernel, ["11".repeat(32) as never]);
  const policies: TrustPolicy[] = [
    { signers: [] },
    others,
    { signers: [signer], revoked: [signer.kid] },
    { signers: [{ ...signer, valid_to: "2030-01-01T00:00:00.000Z" }] },
    { signers: [{ ...signer, valid_to: "2000-01-01T00:00:00.000Z" }] },
    { signers: [{ ...signer, origin: "other.example/log" }] },
    { signers: [{ ...signer, streams: ["str_01k30000000000000000000009"] }] },
  ];
  const verdicts = policies.map((policy) => check(bundle, policy, JSON.stringify(policy)).report?.verdict);
  assert.ok(!verdicts.includes("verified"), JSON.stringify(verdicts));
});

const damaged: [string, (bundle: Node) => void][] = [];
const [sample] = records(await fresh());
for (const name of Object.keys(sample ?? {})) {
  for (const at of [0, 77, EVENTS - 1]) {
    const record = (bundle: Node) => records(bundle)[at] as Node;
    damaged.push([`${name} of ${at} missing`, (bundle) => void delete record(bundle)[name]]);
    damaged.push([`${name} of ${at} is null`, (bundle) => set(record(bundle), name, null)]);
    damaged.push([
      `${name} of ${at} changed`,
      (bundle) => {
        const value = record(bundle)[name];
        if (typeof value === "number") record(bundle)[name] = value + 1;
        else if (typeof value === "string")
          record(bundle)[name] = value.replace(/.$/, (last) => (last === "1" ? "2" : "1"));
        else (value as Node).signature = `${"0".repeat(127)}1`;
      },
    ]);
  }
}
const list = (edit: (list: Node[]) => void) => (bundle: Node) => edit(records(bundle));
damaged.push(["a receipt too many", list((all) => void all.push(all[3] as Node))]);
damaged.push(["a receipt missing", list((all) => void all.splice(40, 1))]);
damaged.push(["two receipts swapped", list((all) => void all.splice(10, 2, all[11] as Node, all[10] as Node))]);
damaged.push(["another member", list((all) => set(all[9] as Node, "other", 1))]);
damaged.push(["another member in a seal", list((all) => set((all[9] as Node).receipt as Node, "other", 1))]);
damaged.push(["a payload in a receipt", list((all) => set(all[9] as Node, "payload", {}))]);
const payload = (edit: (entry: Node, payloads: Node, id: string) => void) => (bundle: Node) => {
  const payloads = bundle.payloads as Node;
  const id = Object.keys(payloads)[20] ?? "";
  edit(payloads[id] as Node, payloads, id);
};
let deep: unknown = 1;
for (let depth = 0; depth < 33; depth++) deep = { deep };
damaged.push(["a payload changed", payload((entry) => set(entry, "payload", { other: 1 }))]);
damaged.push(["a payload that is no object", payload((entry) => set(entry, "payload", [1]))]);
damaged.push(["a payload too deep", payload((entry) => set(entry, "payload", deep))]);
damaged.push(["a salt changed", payload((entry) => set(entry, "payload_salt", "0".repeat(32)))]);
damaged.push(["a salt missing", payload((entry) => void delete entry.payload_salt)]);
damaged.push(["another member beside a payload", payload((entry) => set(entry, "other", 1))]);
damaged.push(["a payload of no event", payload((entry, all) => set(all, "sev_01k3zzzzzzzzzzzzzzzzzzzzzz", entry))]);
damaged.push(["payloads that are a list", (bundle) => set(bundle, "payloads", [])]);
damaged.push([
  "receipts that are an object",
  (bundle) => set(bundle.artifacts as Node, "receipts.json", { ...records(bundle) }),
]);
damaged.push([
  "another artifact hash",
  (bundle) => set((bundle.manifest as Node).artifact_hashes as Node, "receipts.json", "0".repeat(64)),
]);
damaged.push(["no key hints", (bundle) => set(bundle, "key_hints", [])]);

for (const [about, damage] of damaged)
  test(`${about}: found in both ways, and reported alike`, async () => {
    const bundle = await fresh();
    damage(bundle);
    const { report, inBulk } = check(encode(bundle), trust, about);
    if (about === "no key hints") return;
    assert.equal(report?.verdict, "rejected");
    assert.equal(inBulk, false);
  });
