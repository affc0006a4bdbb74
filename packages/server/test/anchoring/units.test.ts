/** The parts of anchoring that need no chain: fees, the answers of nodes, the encoding of headers, and signatures. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeHex, hexToBytes } from "@svc/core";
import { anchorCall, epochsCall, slotOf } from "@svc/core/evidence-anchor";
import { keccak256 } from "@svc/core/keccak";
import { RICH_ADDRESS, RICH_KEY } from "@svc/testkit/chain";
import { keyFileOf } from "@svc/testkit/server/anchored";
import { Transaction } from "micro-eth-signer";
import { RLP } from "micro-eth-signer/core/rlp.js";
import { ANCHOR_FAULTS, AnchorFault, anchorFaultIn } from "../../src/chain/anchor-fault.ts";
import { readAnchoringKey } from "../../src/chain/anchoring-key.ts";
import { bumped, feeFor, gasLimitFor, gweiOf, legacyFee } from "../../src/chain/fees.ts";
import { headerOf } from "../../src/chain/header.ts";
import { dataIn, numberIn, objectOrNull, quantityIn } from "../../src/chain/node-values.ts";

const is = (code: string) => (error: unknown) => error instanceof AnchorFault && error.code === code;

test("a fee has room for a base fee that doubles, and one that takes its place is an eighth more in both parts", () => {
  const fee = feeFor(100n, 8n);
  assert.deepEqual(fee, { maxFeeWei: 208n, tipWei: 8n, isLegacy: false });
  assert.deepEqual(bumped(fee, feeFor(1n, 1n)), { maxFeeWei: 234n, tipWei: 9n, isLegacy: false });
  assert.deepEqual(bumped(fee, feeFor(1000n, 50n)), { maxFeeWei: 2050n, tipWei: 50n, isLegacy: false });
  // A chain without base fees has one price, for which both parts stand.
  assert.deepEqual(legacyFee(8n), { maxFeeWei: 8n, tipWei: 8n, isLegacy: true });
  assert.deepEqual(bumped(fee, legacyFee(1n)), { maxFeeWei: 234n, tipWei: 234n, isLegacy: true });
  for (const [wei, gwei] of [
    [0n, 0],
    [1n, 1],
    [1_000_000_000n, 1],
    [1_000_000_001n, 2],
    [2n ** 256n - 1n, Number.MAX_SAFE_INTEGER],
  ] as const)
    assert.equal(gweiOf(wei), gwei);
  assert.equal(gasLimitFor(48_000n), 60_000n);
  assert.throws(() => gasLimitFor(9_000_000n), is("node_contradicted"));
});

test("quantities, bytes and objects of a node are read strictly", () => {
  assert.equal(quantityIn("0xFF", "it"), 255n);
  for (const wrong of [255, "255", "0x", "0xg", `0x${"f".repeat(65)}`, null, undefined, {}, ["0x1"]])
    assert.throws(() => quantityIn(wrong, "it"), is("answer_malformed"));
  assert.throws(() => numberIn("0x20000000000000", "it"), is("answer_malformed"));
  assert.equal(dataIn("0xABcd", "it", 2), "0xabcd");
  for (const wrong of ["0xabc", "abcd", "0xabcd00", 1])
    assert.throws(() => dataIn(wrong, "it", 2), is("answer_malformed"));
  assert.equal(objectOrNull(null, "it"), null);
  for (const wrong of [[], "{}", 1, undefined]) assert.throws(() => objectOrNull(wrong, "it"), is("answer_malformed"));
});

/** The first block of Ethereum's main chain, as every node states it. */
const GENESIS = {
  hash: "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3",
  parentHash: `0x${"00".repeat(32)}`,
  sha3Uncles: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
  miner: `0x${"00".repeat(20)}`,
  stateRoot: "0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544",
  transactionsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  receiptsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  logsBloom: `0x${"00".repeat(256)}`,
  difficulty: "0x400000000",
  number: "0x0",
  gasLimit: "0x1388",
  gasUsed: "0x0",
  timestamp: "0x0",
  extraData: "0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa",
  mixHash: `0x${"00".repeat(32)}`,
  nonce: "0x0000000000000042",
};

test("the header of the first block of Ethereum has its hash, and no other header has", () => {
  assert.equal(headerOf(GENESIS).slice(0, 6), "f90214");
  // Members that it does not have are left out, whatever a node states.
  assert.equal(headerOf({ ...GENESIS, baseFeePerGas: "0x1" }), headerOf(GENESIS));
  for (const change of [{ gasLimit: "0x1389" }, { nonce: "0x0000000000000043" }, { timestamp: "0x1" }])
    assert.throws(() => headerOf({ ...GENESIS, ...change }), is("node_contradicted"));
  assert.throws(() => headerOf({ ...GENESIS, stateRoot: undefined }), is("answer_malformed"));
});

/** The members that forks have appended to Ethereum's headers, in order: the last two are Amsterdam's. */
const APPENDED: readonly (readonly [string, string])[] = [
  ["baseFeePerGas", "0x7"],
  ["withdrawalsRoot", `0x${"01".repeat(32)}`],
  ["blobGasUsed", "0x0"],
  ["excessBlobGas", "0x20000"],
  ["parentBeaconBlockRoot", `0x${"02".repeat(32)}`],
  ["requestsHash", `0x${"03".repeat(32)}`],
  ["blockAccessListHash", `0x${"04".repeat(32)}`],
  ["slotNumber", "0xabcdef"],
];

test("the header of every fork is written, with the members that it has appended", () => {
  const first = RLP.decode(hexToBytes(headerOf(GENESIS))) as Uint8Array[];
  for (let count = 1; count <= APPENDED.length; count++) {
    const more = APPENDED.slice(0, count).map(([, value]) => {
      const digits = value.slice(2).replace(/^0+(?=.)/, "");
      const isHash = value.length === 66;
      if (isHash) return hexToBytes(value.slice(2));
      return digits === "0" ? new Uint8Array() : hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`);
    });
    const encoded = RLP.encode([...first, ...more]);
    const hash = `0x${encodeHex(keccak256(encoded))}`;
    const stated = { ...GENESIS, ...Object.fromEntries(APPENDED), hash };
    assert.equal(headerOf(stated), encodeHex(encoded), `${count}`);
  }
});

test("the key signs the same transaction to the same bytes, and another library reads its address in them", () => {
  const key = readAnchoringKey(keyFileOf(`0x${RICH_KEY}`));
  assert.equal(key.address, RICH_ADDRESS);
  const transaction = {
    chainId: 31_337,
    nonce: 7,
    to: `0x${"ab".repeat(20)}`,
    data: anchorCall(1, "cd".repeat(32)),
    gasLimit: 60_000n,
    fee: { maxFeeWei: 2_000_000_000n, tipWei: 1_000_000_000n, isLegacy: false },
  };
  for (const [type, fee] of [
    ["eip1559", transaction.fee],
    ["legacy", legacyFee(2_000_000_000n)],
  ] as const) {
    const signed = key.sign({ ...transaction, fee });
    assert.deepEqual(key.sign({ ...transaction, fee }), signed);
    const read = Transaction.fromHex(signed.raw);
    const found = [read.type, read.sender.toLowerCase(), `0x${read.hash.replace(/^0x/, "")}`];
    assert.deepEqual(found, [type, RICH_ADDRESS, signed.txHash]);
  }
  for (const wrong of ["", "00".repeat(32), RICH_KEY.slice(1), `${RICH_KEY} ${RICH_KEY}`])
    assert.throws(() => readAnchoringKey(keyFileOf(wrong)), is("key_unusable"));
});

test("the calls of the contract are those of its interface, and a slot is where Solidity puts it", () => {
  assert.equal(anchorCall(7, "ab".repeat(32)), `0xa0ca2d08${"7".padStart(64, "0")}${"ab".repeat(32)}`);
  assert.equal(epochsCall(7), `0xc6b61e4c${"7".padStart(64, "0")}`);
  assert.equal(encodeHex(slotOf(1)), "ada5013122d395ba3c54772283fb069b10426056ef8ca54750cb9bb552a59e7d");
});

test("a fault is kept by its words, and told by its code", () => {
  for (const code of Object.keys(ANCHOR_FAULTS) as (keyof typeof ANCHOR_FAULTS)[])
    assert.deepEqual(anchorFaultIn(new AnchorFault(code, "why: this")?.message), { code, message: "why: this" });
  assert.deepEqual(anchorFaultIn("something: else"), { code: null, message: "something: else" });
});
