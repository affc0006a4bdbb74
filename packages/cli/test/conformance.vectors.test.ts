/**
 * The golden vectors through `svc conformance` as a process, once for each kernel: the input, and the output in order.
 * Both kernels must write the same bytes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeHex, hexToBytes, type Json, type JsonObject, referenceKernel } from "@svc/core";
import { KERNEL_NAMES } from "@svc/testkit/kernels";
import { listVectors, readVector, readVectorJson, vectorEntries, vectorLines } from "@svc/testkit/vectors";
import { svc } from "./svc.ts";

/** A request without its id, and the answer without its id; or the members that the answer must at least have. */
interface Case {
  readonly request: JsonObject;
  readonly answer: JsonObject;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const hexOfBase64 = (text: string) => Buffer.from(text, "base64").toString("hex");
const flipped = (hex: string) => `${hex.startsWith("0") ? "1" : "0"}${hex.slice(1)}`;

function jcs(): Case[] {
  return listVectors("jcs/input", ".json").map((input) => ({
    request: { op: "json.canonical", bytes: base64(readVector(input)) },
    answer: { ok: true, canonical: base64(readVector(input.replace("/input/", "/output/"))) },
  }));
}

function json(): Case[] {
  interface Entry {
    readonly input_base64: string;
    readonly ok: boolean;
    readonly code?: string;
    readonly canonical_hex?: string;
  }
  return (readVectorJson("proofstream/json.json") as Entry[]).map(
    ({ input_base64, ok, code = "", canonical_hex = "" }) => {
      const parsed = referenceKernel.parseJson(Buffer.from(input_base64, "base64"));
      return {
        request: { op: "json.canonical", bytes: input_base64 },
        answer: ok
          ? { ok, canonical: base64(hexToBytes(canonical_hex)) }
          : { ok, code, offset: parsed.ok ? -1 : parsed.offset },
      };
    },
  );
}

function digests(): Case[] {
  // By the strict parser: JSON.parse would blur the values.
  const parsed = referenceKernel.parseJson(readVector("proofstream/digests.json"));
  assert.ok(parsed.ok);
  const names = ["name", "tag", "value", "canonical_hex", "digest"] as const;
  return vectorEntries<{ tag: string; value: Json; canonical_hex: string; digest: string }>(parsed.value, [
    ...names,
  ] as never).map(({ tag, canonical_hex, digest }) => ({
    request: { op: "digest", tag, bytes: base64(hexToBytes(canonical_hex)) },
    answer: { ok: true, digest },
  }));
}

interface Signed {
  readonly public_key: string;
  readonly message: string;
  readonly signature: string;
  readonly valid: boolean;
}

function signatures(): Signed[] {
  interface Group {
    readonly publicKey: { readonly pk: string };
    readonly tests: readonly { readonly msg: string; readonly sig: string; readonly result: string }[];
  }
  interface Golden {
    readonly public_key_hex: string;
    readonly message_hex: string;
    readonly signature_hex: string;
    readonly valid: boolean;
  }
  const { testGroups } = readVectorJson("ed25519/wycheproof-ed25519.json") as { testGroups: readonly Group[] };
  const wycheproof = testGroups.flatMap(({ publicKey: { pk }, tests }) =>
    tests.map(({ msg, sig, result }) => ({ public_key: pk, message: msg, signature: sig, valid: result === "valid" })),
  );
  const golden = (readVectorJson("proofstream/ed25519.json") as Golden[]).map((one) => ({
    public_key: one.public_key_hex,
    message: one.message_hex,
    signature: one.signature_hex,
    valid: one.valid,
  }));
  return [...wycheproof, ...golden];
}

function ed25519(): Case[] {
  const all = signatures();
  const alone = all.map(({ valid, ...item }) => ({
    request: { op: "ed25519.verify", ...item },
    answer: { ok: valid },
  }));
  const items = all.map(({ valid: _, ...item }) => item);
  const bad = all.flatMap(({ valid }, index) => (valid ? [] : [index]));
  return [...alone, { request: { op: "ed25519.batch", items }, answer: { ok: false, bad } }];
}

function inclusions(): Case[] {
  return vectorLines("merkle/inclusion.jsonl").map((text) => {
    // Some indexes are past 2^53, so their digits are taken as text.
    const digits = (name: string) => new RegExp(`"${name}": *([0-9]+)`).exec(text)?.[1] ?? assert.fail(text);
    const { root, leafHash, proof, wantErr } = JSON.parse(text);
    const [leaf_index, tree_size] = [digits("leafIdx"), digits("treeSize")];
    const isTooLarge = [leaf_index, tree_size].some((size) => BigInt(size) > BigInt(Number.MAX_SAFE_INTEGER));
    const members = {
      leaf_hash: hexOfBase64(leafHash),
      leaf_index,
      tree_size,
      path: (proof ?? []).map(hexOfBase64),
      root: hexOfBase64(root),
    };
    return {
      request: { op: "merkle.inclusion", ...members },
      answer: wantErr ? { ok: false, code: isTooLarge ? "malformed" : "inclusion_invalid" } : { ok: true },
    };
  });
}

function trees(): Case[] {
  interface Tree {
    readonly size: number;
    readonly root: string;
    readonly frontier: readonly string[];
    readonly inclusion: readonly { readonly index: number; readonly path: readonly string[] }[];
    readonly consistency: readonly { readonly from: number; readonly path: readonly string[] }[];
  }
  const { sha256, leafHash, rootFromLeafHashes } = referenceKernel;
  return (readVectorJson("proofstream/trees.json") as Tree[]).flatMap((tree) => {
    const leaves = Array.from({ length: tree.size }, (_, i) =>
      encodeHex(sha256(new TextEncoder().encode(`leaf ${i}`))),
    );
    const hashes = leaves.map((data) => leafHash(hexToBytes(data)));
    const root: Case = {
      request: { op: "merkle.root", leaves },
      answer: { ok: true, root: tree.root, frontier: [...tree.frontier] },
    };
    const inclusion = tree.inclusion.flatMap(({ index, path }) =>
      goodAndBad(
        {
          op: "merkle.inclusion",
          leaf_hash: encodeHex(hashes[index] ?? assert.fail()),
          leaf_index: index,
          tree_size: tree.size,
          path,
          root: tree.root,
        },
        "inclusion_invalid",
        ["leaf_hash", "root"],
      ),
    );
    const consistency = tree.consistency.flatMap(({ from, path }) => {
      const root1 = encodeHex(rootFromLeafHashes(hashes.slice(0, from)));
      const request = { op: "merkle.consistency", size1: from, root1, size2: tree.size, root2: tree.root, path };
      return goodAndBad(request, "consistency_invalid", ["root1", "root2"]);
    });
    return [root, ...inclusion, ...consistency];
  });
}

/** Returns a proof that holds, and the same made wrong in its hashes and in its path, one after the other. */
function goodAndBad(
  request: JsonObject & { path: readonly string[] },
  code: string,
  hashes: readonly string[],
): Case[] {
  const { path } = request;
  const bad = [
    ...hashes.map((name) => ({ ...request, [name]: flipped(request[name] as string) })),
    ...path.map((hash, index) => ({ ...request, path: path.with(index, flipped(hash)) })),
    { ...request, path: [...path, "00".repeat(32)] },
    ...(path.length === 0 ? [] : [{ ...request, path: path.slice(1) }]),
  ];
  return [{ request, answer: { ok: true } }, ...bad.map((each) => ({ request: each, answer: { ok: false, code } }))];
}

function notes(): Case[] {
  interface Note {
    readonly origin: string;
    readonly public_key_hex: string;
    readonly note: string;
    readonly cosignature: { readonly cosigned_at: number };
    readonly witness_name: string;
    readonly witness_public_key_hex: string;
    readonly cosignature_line: string;
  }
  const vkey = (name: string, type: number, key: string) => {
    const hashed = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), Buffer.from(key, "hex")]);
    const id = encodeHex(referenceKernel.sha256(hashed)).slice(0, 8);
    return `${name}+${id}+${Buffer.concat([Buffer.of(type), Buffer.from(key, "hex")]).toString("base64")}`;
  };
  return (readVectorJson("proofstream/notes.json") as Note[]).flatMap((one) => {
    const service = vkey(one.origin, 1, one.public_key_hex);
    const witness = vkey(one.witness_name, 4, one.witness_public_key_hex);
    const text = one.note.slice(0, one.note.indexOf("\n\n") + 1);
    const cosigned = one.note + one.cosignature_line;
    const changed = cosigned.replace(/\n[0-9]+\n/, "\n77\n");
    const opens = (note: string, vkeys: string[], answer: JsonObject): Case => ({
      request: { op: "note.open", note, vkeys },
      answer,
    });
    const cosigns = (note: string, answer: JsonObject): Case => ({
      request: { op: "cosignature.verify", note, vkey: witness },
      answer,
    });
    return [
      opens(one.note, [service], { ok: true, text, verified: [one.origin], ignored: 0 }),
      opens(cosigned, [service], { ok: true, text, verified: [one.origin], ignored: 1 }),
      opens(cosigned, [witness, service], { ok: true, text, verified: [one.origin, one.witness_name], ignored: 0 }),
      opens(cosigned, [], { ok: false, code: "key_not_pinned" }),
      opens(changed, [service], { ok: false, code: "signature_invalid" }),
      opens(changed, [witness], { ok: false, code: "witness_signature_invalid" }),
      opens(text, [service], { ok: false, code: "note_malformed" }),
      cosigns(cosigned, { ok: true, time: one.cosignature.cosigned_at }),
      cosigns(changed, { ok: false, code: "witness_signature_invalid" }),
      cosigns(one.note, { ok: false, code: "key_not_pinned" }),
    ];
  });
}

const SETS: readonly (readonly [path: string, cases: () => Case[]])[] = [
  ["jcs", jcs],
  ["proofstream/json.json", json],
  ["proofstream/digests.json", digests],
  ["proofstream/ed25519.json", ed25519],
  ["merkle/inclusion.jsonl", inclusions],
  ["proofstream/trees.json", trees],
  ["proofstream/notes.json", notes],
];

for (const [path, cases] of SETS) {
  const outputs = new Map<string, string>();
  for (const kernel of KERNEL_NAMES) {
    test(`${kernel}: svc conformance answers ${path}`, async () => {
      const all = cases();
      assert.notEqual(all.length, 0);
      const stdin = all.map(({ request }, id) => `${JSON.stringify({ id, ...request })}\n`).join("");
      const { stdout, stderr, code } = await svc(["conformance", "--kernel", kernel], { stdin });
      assert.equal(stderr, "");
      assert.equal(code, 0);
      const answers = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.equal(answers.length, all.length);
      for (const [id, { request, answer }] of all.entries())
        assert.deepEqual(answers[id], { id, ...answer }, JSON.stringify(request).slice(0, 300));
      outputs.set(kernel, stdout);
    });
  }
  if (KERNEL_NAMES.length > 1)
    test(`the kernels write the same bytes for ${path}`, () => {
      const [first, ...others] = [...outputs.values()];
      for (const other of others) assert.equal(other, first);
    });
}
