/** The evidence of an anchor on a chain, step by step, on a state that is made for each step. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { anchorOf, NETWORK } from "@svc/testkit/evidence/anchors";
import { CONTRACT, encodeRlp, type Rlp, trie } from "@svc/testkit/evidence/chain";
import { issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { epochHash, type Kernel, pinKeys, referenceKernel, type TrustPolicy } from "../../src/index.ts";
import { examineEvidence } from "../../src/objects/anchor/evidence.ts";
import type { MinedAnchor } from "../../src/objects/anchor/state.ts";
import { Examination } from "../../src/report/examination.ts";
import { type VerifierOptions, verify } from "../../src/verify/verifier.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const fromHex = (text: string) => new Uint8Array(Buffer.from(text, "hex"));
const integer = (value: bigint) => fromHex(value === 0n ? "" : value.toString(16).padStart(value > 0xffn ? 4 : 2, "0"));
const CODE = keccak_256(new Uint8Array(3));
const TIME = 0x1234n;
const base = await anchorOf((await issueStream(2)).checkpoints);

/** The differences between a state and a good one. */
interface Made {
  readonly nonce?: Rlp;
  readonly balance?: Rlp;
  readonly code?: Rlp;
  readonly storage?: Rlp;
  readonly more?: readonly Rlp[];
  readonly slot?: Rlp;
  readonly number?: Uint8Array;
  readonly changes?: Partial<MinedAnchor>;
  readonly kernel?: Kernel;
}

/** Returns a mined anchor with the evidence of this state. */
function made({ nonce = integer(1n), balance = integer(2n), code = CODE, more = [], ...options }: Made): MinedAnchor {
  const { kernel = referenceKernel, number = integer(0x1000n), changes = {} } = options;
  const epoch = new Uint8Array(64);
  new DataView(epoch.buffer).setBigUint64(24, BigInt(base.epoch_no));
  const slotKey = hex(keccak_256(keccak_256(epoch)));
  const hash = fromHex(epochHash(kernel, base));
  const { slot = hash.subarray(hash.findIndex((byte) => byte !== 0)) } = options;
  const slots = trie(new Map([[slotKey, encodeRlp(slot)]]));
  const { storage = slots.root } = options;
  const accountKey = hex(keccak_256(fromHex(CONTRACT.slice(2))));
  const state = trie(new Map([[accountKey, encodeRlp([nonce, balance, storage, code, ...more])]]));
  const zeros = (length: number) => new Uint8Array(length);
  const header = encodeRlp([
    ...[zeros(32), zeros(32), zeros(20), state.root, zeros(32), zeros(32), zeros(256)],
    ...[integer(0n), number, integer(9n), integer(9n), integer(TIME), zeros(0), zeros(32), zeros(8)],
  ]);
  const evidence = {
    block_header_rlp: hex(header),
    account_proof: state.prove(accountKey).map(hex),
    storage_proof: slots.prove(slotKey).map(hex),
  };
  const block_hash = `0x${hex(keccak_256(header))}`;
  return { ...base, block_number: 0x1000, block_hash, evidence, ...changes } as MinedAnchor;
}

function examined(options: Made = {}, trust: Partial<TrustPolicy> = {}) {
  const exam = new Examination(options.kernel ?? referenceKernel, { signers: [], ...trust });
  exam.kind = "anchor";
  const block = examineEvidence(exam, made(options), "/a", "anchor");
  return { block, problems: exam.report().problems.map(({ code, path }) => `${code} ${path}`), exam };
}

const { block_hash: BLOCK_HASH } = made({});
const GOOD = { unixSeconds: Number(TIME), isPinned: false, isCodePinned: false };

test("a block that holds the epoch hash is proven, with the time of its header", () => {
  const { block, problems } = examined();
  assert.deepEqual([block, problems], [GOOD, []]);
});

test("a verifier without the examiner of evidence rejects it, and does not pass it over", () => {
  const bytes = new TextEncoder().encode(JSON.stringify(base));
  const trust = pinKeys(referenceKernel, [SERVICE.publicKeyHex]);
  const verdictOf = (options: Partial<VerifierOptions>) => {
    const { verdict, problems, assurance } = verify(bytes, { trust, kernel: referenceKernel, ...options });
    return [verdict, assurance.anchored, ...problems.map(({ code, path }) => `${code} ${path}`)];
  };
  assert.deepEqual(verdictOf({ chain: examineEvidence }), ["verified", "unpinned"]);
  assert.deepEqual(verdictOf({}), ["rejected", "none", "unsupported_object /evidence"]);
});

test("a block is pinned by network, number and hash, a contract by network, address and code", () => {
  const block = { network: NETWORK, number: 0x1000, hash: BLOCK_HASH };
  const contract = { network: NETWORK, address: CONTRACT, code_hash: `0x${hex(CODE)}` };
  assert.deepEqual(examined({}, { blocks: [block] }).block, { ...GOOD, isPinned: true });
  assert.deepEqual(examined({}, { contracts: [contract] }).block, { ...GOOD, isCodePinned: true });
  const none = `0x${"00".repeat(32)}`;
  for (const changes of [{ network: "eip155:1" }, { number: 1 }, { hash: none }])
    assert.deepEqual(examined({}, { blocks: [{ ...block, ...changes }] }).block, GOOD, JSON.stringify(changes));
  for (const changes of [{ network: "eip155:1" }, { address: `0x${"00".repeat(20)}` }, { code_hash: none }])
    assert.deepEqual(examined({}, { contracts: [{ ...contract, ...changes }] }).block, GOOD, JSON.stringify(changes));
});

test("the header is that of the block that the anchor names, by hash and by number", () => {
  for (const [changes, place] of [
    [{ block_hash: `0x${"00".repeat(32)}` }, "/a/block_hash"],
    [{ block_number: 0x1001 }, "/a/block_number"],
  ] as const) {
    const { block, problems } = examined({ changes });
    assert.deepEqual([block, problems], [null, [`anchor_does_not_bind ${place}`]]);
  }
  const { block, exam } = examined({ number: fromHex("ffffffffffffffff") });
  assert.deepEqual([block, exam.report().problems[0]?.actual], [null, "a larger number than any block has"]);
});

test("an account has a nonce, a balance, a storage root, a code hash, and nothing more", () => {
  const zero = new Uint8Array(1);
  for (const [what, options] of Object.entries({
    "a nonce with a leading zero": { nonce: zero },
    "a nonce that is a list": { nonce: [] },
    "a balance with a leading zero": { balance: zero },
    "a balance that is a list": { balance: [] },
    "a fifth member": { more: [zero] },
    "a short code hash": { code: CODE.subarray(1) },
    "a short storage root": { storage: CODE.subarray(1) },
  })) {
    const { block, problems } = examined(options as Made);
    assert.deepEqual([block, problems], [null, ["anchor_evidence_invalid /a/evidence/account_proof"]], what);
  }
});

test("the slot holds the epoch hash, without the zeros that it begins with", () => {
  const slot = (options: Made) => {
    const { block, problems } = examined(options);
    return [block === null ? null : "proven", ...problems];
  };
  const at = "/a/evidence/storage_proof";
  assert.deepEqual(slot({ slot: [] }), [null, `anchor_evidence_invalid ${at}`]);
  assert.deepEqual(slot({ slot: new Uint8Array(32).fill(7) }), [null, `anchor_does_not_bind ${at}`]);
  assert.deepEqual(slot({ storage: CODE }), [null, `anchor_does_not_bind ${at}/0`]);
  for (const zeros of [1, 2, 3]) {
    const digest = new Uint8Array(32).fill(0xab, zeros);
    assert.deepEqual(slot({ kernel: { ...referenceKernel, sha256Hex: null, taggedHash: () => digest } }), ["proven"]);
  }
});
