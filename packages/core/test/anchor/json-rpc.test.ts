/** The answers of a chain's node: only one to the very call is read, and values have one form. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo, callText, dataOf, numberOf, quantity, quantityOf } from "../../src/objects/anchor/json-rpc.ts";

const read = (text: string) => answerTo(7, new TextEncoder().encode(text));

test("a call is answered with a result, with the node's words, or not at all", () => {
  assert.deepEqual(JSON.parse(callText(7, "eth_chainId", [])), {
    jsonrpc: "2.0",
    id: 7,
    method: "eth_chainId",
    params: [],
  });
  assert.deepEqual(read('{"id":7,"result":null}'), { ok: true, result: null });
  assert.deepEqual(read('{"id":7,"result":"0x1","error":null}'), { ok: true, result: "0x1" });
  assert.deepEqual(read('{"id":7,"error":{"message":"no \\u001b[31mmore\\u0007","data":"0xab"}}'), {
    ok: false,
    refusal: "no  [31mmore  0xab",
  });
  for (const words of ["{}", "7", '"no"', "[]"])
    assert.deepEqual(read(`{"id":7,"error":${words}}`), { ok: false, refusal: "no reason" });
  for (const text of ["", "<html>", "[]", "null", "7", '{"result":"0x1"}', '{"id":7'])
    assert.deepEqual(read(text), { ok: false, malformed: "is no JSON-RPC" }, text);
  assert.deepEqual(answerTo(7, Uint8Array.of(0xff)), { ok: false, malformed: "is no JSON-RPC" });
  for (const id of ["8", '"7"', "null"])
    assert.deepEqual(read(`{"id":${id},"result":"0x1"}`), { ok: false, malformed: "is of another call" }, id);
  assert.deepEqual(read('{"id":7}'), { ok: false, malformed: "has no result" });
});

test("quantities and bytes are hex with 0x", () => {
  assert.deepEqual([quantityOf("0xFF"), numberOf("0x1fffffffffffff")], [255n, Number.MAX_SAFE_INTEGER]);
  for (const wrong of [255, "255", "0x", "0xg", `0x${"f".repeat(65)}`, null, undefined, {}, ["0x1"]])
    assert.deepEqual([quantityOf(wrong), numberOf(wrong)], [null, null]);
  assert.equal(numberOf("0x20000000000000"), null);
  assert.deepEqual([dataOf("0xABcd"), dataOf("0xABcd", 2), dataOf("0x", 0)], ["0xabcd", "0xabcd", "0x"]);
  for (const wrong of ["0xabc", "abcd", "0xabcd00", "0x", 1, null]) assert.equal(dataOf(wrong, 2), null);
  assert.deepEqual([quantity(0), quantity(255n)], ["0x0", "0xff"]);
});
