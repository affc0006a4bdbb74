/**
 * RLP, tries and the states of anchors, at the edges of each rule, with bytes made by hand. rlp.prop and trie.prop have
 * random ones.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { encodeRlp, type Rlp } from "@svc/testkit/evidence/chain";
import { decodeHeader } from "../../src/objects/anchor/header.ts";
import { decodeRlp, rlpInteger, safeNumber } from "../../src/objects/anchor/rlp.ts";
import { anchorState } from "../../src/objects/anchor/state.ts";
import { lookUp } from "../../src/objects/anchor/trie.ts";

const fromHex = (text: string) => new Uint8Array(Buffer.from(text, "hex"));

test("a number has one form: no leading zero, at most 32 bytes", () => {
  const isInteger = (bytes: Uint8Array) => rlpInteger({ bytes, encodedLength: 1 + bytes.length }) !== null;
  assert.equal(isInteger(new Uint8Array()), true, "zero");
  assert.equal(isInteger(new Uint8Array(32).fill(1)), true);
  assert.equal(isInteger(new Uint8Array(33).fill(1)), false);
  assert.equal(isInteger(Uint8Array.of(0)), false);
  assert.equal(isInteger(Uint8Array.of(0, 1)), false);
  assert.equal(rlpInteger(undefined), null);
  assert.equal(rlpInteger({ items: [], encodedLength: 1 }), null);
});

test("bytes are a number as far as a double carries it", () => {
  assert.equal(safeNumber(fromHex("1fffffffffffff")), Number.MAX_SAFE_INTEGER);
  assert.equal(safeNumber(fromHex("20000000000000")), null);
  assert.equal(safeNumber(new Uint8Array(40).fill(255)), null);
});

test("a value has one encoding, and lies within the list around it", () => {
  const read = (text: string) => decodeRlp(fromHex(text));
  assert.notEqual(read("8180"), null, "0x80 does not stand for itself");
  assert.equal(read("817f"), null, "0x7f does");
  for (const text of [
    "",
    "b8",
    "b838",
    "c1",
    "c18105",
    "c181",
    "c1b8",
    "b90038",
    `b90038${"11".repeat(56)}`,
    "f7",
    "b837".padEnd(4 + 110, "0"),
  ])
    assert.equal(read(text), null, text);
  const bytes = (length: number) => "11".repeat(length);
  assert.notEqual(read(`b838${bytes(56)}`), null);
  assert.notEqual(read(`f83ab838${bytes(56)}`), null);
  assert.equal(read(`f839b838${bytes(55)}`), null, "a string that goes on behind its list");
  assert.equal(read(`f839b838${bytes(56)}`), null);
});

const KEY = fromHex("1".repeat(64));
const HASH = new Uint8Array(32).fill(9);
const VALUE = fromHex("cafe");
const empty = new Uint8Array();
const path = (text: string) => fromHex(text);
const nibbles = (count: number) => "1".repeat(count);

/** Returns a branch with this child for 1, and perhaps others. */
function branch(child: Rlp, others: readonly (readonly [number, Rlp])[] = []): Rlp[] {
  const items: Rlp[] = Array.from({ length: 17 }, () => empty);
  for (const [index, item] of [[1, child] as const, ...others]) items[index] = item;
  return items;
}

/** Returns the result of a lookup in a chain of nodes, each of which is made with the hash of the next. */
function outcome(...makers: readonly ((next: Uint8Array) => Rlp)[]): string {
  let next = HASH;
  const nodes: Uint8Array[] = [];
  for (const make of makers.toReversed()) {
    const encoded = encodeRlp(make(next));
    nodes.unshift(encoded);
    next = keccak_256(encoded);
  }
  const found = lookUp(next, KEY, nodes);
  return found.ok ? `ok ${Buffer.from(found.value).toString("hex")}` : `${found.fault.code} ${found.fault.node}`;
}

const INVALID = "anchor_evidence_invalid 0";

test("a leaf holds the value of the one key whose rest it spells", () => {
  const leaf = (text: string, ...more: Rlp[]) => outcome(() => [path(text), VALUE, ...more]);
  assert.equal(leaf(`20${nibbles(64)}`), "ok cafe");
  assert.equal(leaf(`20${nibbles(62)}`), "anchor_does_not_bind 0", "a shorter path");
  assert.equal(leaf(`20${nibbles(66)}`), "anchor_does_not_bind 0", "a longer one");
  assert.equal(leaf(`20${nibbles(62)}12`), "anchor_does_not_bind 0", "another one");
  assert.equal(leaf(`21${nibbles(64)}`), INVALID, "a padding that is not zero");
  assert.equal(leaf(`40${nibbles(64)}`), INVALID, "no kind of node");
  assert.equal(leaf(""), INVALID, "no path at all");
  assert.equal(leaf(`20${nibbles(64)}`, VALUE), INVALID, "a third member");
  assert.equal(
    outcome(() => [path(`20${nibbles(64)}`)]),
    INVALID,
    "no value",
  );
  assert.equal(
    outcome(() => [path(`20${nibbles(64)}`), [VALUE]]),
    INVALID,
    "a value that is a list",
  );
});

test("an extension leads on by at least one half-byte, to a node", () => {
  const end = () => [path(`3${nibbles(63)}`), VALUE];
  assert.equal(
    outcome((next) => [path("11"), next], end),
    "ok cafe",
  );
  assert.equal(
    outcome(
      (next) => [path("00"), next],
      () => [path(`20${nibbles(64)}`), VALUE],
    ),
    INVALID,
  );
  assert.equal(
    outcome((next) => [path("11"), next.subarray(1)], end),
    INVALID,
  );
  assert.equal(
    outcome((next) => [path("12"), next], end),
    "anchor_does_not_bind 0",
  );
  assert.equal(
    outcome(
      (next) => [path("11"), next],
      () => [path(`3${nibbles(62)}2`), VALUE],
    ),
    "anchor_does_not_bind 1",
  );
});

test("a node of no kind leads nowhere, also where it names a node", () => {
  const end = () => [path(`20${nibbles(62)}`), VALUE];
  assert.equal(
    outcome((next) => [path("0011"), next], end),
    "ok cafe",
  );
  for (const flag of ["4", "8", "a"])
    assert.equal(
      outcome((next) => [path(`${flag}011`), next], end),
      INVALID,
      flag,
    );
});

test("a header has its members in their forms, fifteen at least, and all of them bytes", () => {
  const zeros = (length: number) => new Uint8Array(length);
  const first = [zeros(32), zeros(32), zeros(20), HASH, zeros(32), zeros(32), zeros(256)];
  const members: Rlp[] = [
    ...first,
    ...[1, 2, 3, 4, 5].map((value) => Uint8Array.of(value)),
    zeros(0),
    zeros(32),
    zeros(8),
  ];
  const read = (items: readonly Rlp[]) => decodeHeader(encodeRlp(items));
  assert.deepEqual(read(members), { stateRoot: HASH, number: 2, unixSeconds: 5 });
  assert.deepEqual(read([...members, zeros(1)]), { stateRoot: HASH, number: 2, unixSeconds: 5 }, "later forks append");
  assert.equal(read(members.slice(0, 14)), null);
  for (let index = 0; index < members.length; index++)
    assert.equal(read(members.with(index, [])), null, `a list at ${index}`);
  for (let index = 0; index < 7; index++)
    assert.equal(read(members.with(index, zeros(31))), null, `a length at ${index}`);
  for (let index = 7; index < 12; index++)
    assert.equal(read(members.with(index, zeros(1))), null, `a zero at ${index}`);
  const late = read(members.with(8, new Uint8Array(8).fill(255)));
  assert.equal(late?.number, null, "a number that no double carries");
  assert.equal(read(members.with(11, new Uint8Array(8).fill(255))), null, "such a time");
});

test("a branch has sixteen children, each empty or a node, and a value of bytes", () => {
  const end = () => [path(`3${nibbles(63)}`), VALUE];
  assert.equal(
    outcome((next) => branch(next), end),
    "ok cafe",
  );
  assert.equal(
    outcome((next) => branch(next, [[16, path("0102030405")]]), end),
    "ok cafe",
    "its own value",
  );
  assert.equal(
    outcome((next) => branch(next, [[16, [VALUE]]]), end),
    INVALID,
    "a value that is a list",
  );
  assert.equal(
    outcome((next) => branch(next, [[2, path("0102030405")]]), end),
    INVALID,
    "a child that is no node",
  );
  assert.equal(
    outcome(() => branch(empty, [[2, HASH]])),
    "anchor_does_not_bind 0",
  );
  assert.equal(
    outcome(() => branch(empty)),
    INVALID,
    "less than 32 bytes",
  );
  assert.equal(
    outcome((next) => branch(next, [[2, []]]), end),
    INVALID,
    "a child that is a list, and no node",
  );
  assert.equal(
    outcome((next) => branch(next).slice(1), end),
    INVALID,
    "sixteen members",
  );
  assert.equal(
    outcome(
      (next) => [path(`11`), next],
      (next) => branch(next),
    ),
    "anchor_evidence_invalid 2",
    "a missing node",
  );
  assert.equal(
    outcome((next) => branch(next), end, end),
    "anchor_evidence_invalid 2",
    "one too many",
  );
});

test("a node of up to 31 bytes is inside of the one before, and no longer one", () => {
  const inside = (length: number): Rlp => [path("3111"), new Uint8Array(length - 5).fill(7)];
  const through = (child: Rlp) =>
    outcome(
      (next) => [path(`00${nibbles(60)}`), next],
      () => branch(child),
    );
  assert.equal(encodeRlp(inside(31)).length, 31);
  assert.equal(through(inside(31)), `ok ${"07".repeat(26)}`);
  assert.equal(through(inside(32)), "anchor_evidence_invalid 1");
});

test("where the key ends at a branch nothing is under it", () => {
  const leaf: Rlp = [path("20"), VALUE];
  const ended = outcome(
    (next) => [path(`00${nibbles(64)}`), next],
    () =>
      branch(leaf, [
        [0, leaf],
        [2, HASH],
      ]),
  );
  assert.equal(ended, "anchor_does_not_bind 1");
});

test("a path has at most 64 nodes, and begins at a hash", () => {
  const bad = Uint8Array.of(0x80);
  const node = (count: number) => {
    const found = lookUp(HASH, KEY, Array(count).fill(bad));
    return found.ok ? "ok" : found.fault.node;
  };
  assert.deepEqual([node(64), node(65)], [0, 64]);
  const rootless = lookUp(HASH.subarray(1), KEY, []);
  assert.deepEqual(rootless.ok ? null : [rootless.fault.code, rootless.fault.node], ["anchor_evidence_invalid", 0]);
});

test("an anchor is published, sent or mined, and the first member that fits none of these is named", () => {
  const NONE = { network: null, contract: null, tx_hash: null, block_number: null, block_hash: null, evidence: null };
  const SENT = { network: "n", contract: "c", tx_hash: "t" };
  const MINED = { block_number: 1, block_hash: "b", evidence: {} };
  const of = (changes: object) => {
    const found = anchorState({ ...NONE, ...changes } as never);
    return "state" in found ? found.state : `misfit ${found.misfit}`;
  };
  assert.equal(of({}), "published");
  assert.equal(of(SENT), "pending");
  assert.equal(of({ ...SENT, ...MINED }), "mined");
  for (const name of Object.keys(SENT)) {
    const first = name === "network" ? "contract" : "network";
    assert.equal(of({ [name]: "x" }), `misfit ${first}`);
    assert.equal(of({ ...SENT, [name]: null }), `misfit ${name}`);
    assert.equal(of({ ...SENT, ...MINED, [name]: null }), `misfit ${name}`);
  }
  for (const name of Object.keys(MINED)) {
    const first = name === "block_number" ? "block_hash" : "block_number";
    assert.equal(of({ ...SENT, [name]: 1 }), `misfit ${first}`);
    assert.equal(of({ ...SENT, ...MINED, [name]: null }), `misfit ${name}`);
    assert.equal(of({ [name]: 1 }), "misfit network");
  }
});
