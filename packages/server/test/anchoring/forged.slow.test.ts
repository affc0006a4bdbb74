/** Evidence from a real chain, with each of its members changed: none of it is verified, whatever is pinned. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type PublicKeyHex, pinKeys, verify } from "@svc/core";
import { EVIDENCE_ANCHOR_CODE_HASH } from "@svc/core/evidence-anchor";
import { TEST_NETWORK } from "@svc/testkit/chain";
import { anchored, startAnchored } from "@svc/testkit/server/anchored";
import { loan } from "@svc/testkit/server/loan";
import { kernel } from "../../src/kernel.ts";

/** A change of a value: where, what, and the whole with it. */
interface Changed {
  readonly path: string;
  readonly whole: unknown;
}

/** Yields every change of one place: a character, a number, a null, an item dropped, repeated or swapped. */
function* changes(value: unknown, path: string, put: (value: unknown) => unknown): Generator<Changed> {
  const to = (other: unknown, what: string) => ({ path: `${path} ${what}`, whole: put(other) });
  if (value === null) yield to("0x00", "given");
  else yield to(null, "null");
  if (typeof value === "number") for (const by of [-1, 1]) yield to(value + by, `${by}`);
  if (typeof value === "string") {
    const middle = Math.floor(value.length / 2);
    for (const at of [2, middle, value.length - 1]) {
      const other = value.charAt(at) === "0" ? "1" : "0";
      yield to(`${value.slice(0, at)}${other}${value.slice(at + 1)}`, `at ${at}`);
    }
    for (const other of ["", value.slice(2), `${value}00`, value.toUpperCase()])
      if (other !== value) yield to(other, "cut, padded or in capitals");
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const at = `${path}/${index}`;
      yield { path: `${at} dropped`, whole: put(value.toSpliced(index, 1)) };
      yield { path: `${at} repeated`, whole: put(value.toSpliced(index, 0, item)) };
      if (index > 0)
        yield { path: `${at} swapped`, whole: put(value.with(index, value[index - 1]).with(index - 1, item)) };
      yield* changes(item, at, (other) => put(value.with(index, other)));
    }
    yield to([...value, value[0] ?? ""], "with one more");
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const { [name]: _gone, ...rest } = value as Record<string, unknown>;
      yield { path: `${path}/${name} dropped`, whole: put(rest) };
      yield* changes(item, `${path}/${name}`, (other) => put({ ...value, [name]: other }));
    }
    yield to({ ...value, more: "" }, "with a member more");
  }
}

/** The seal does not cover these, and beside no checkpoint they say nothing. */
const SAYS_NOTHING = /^\/members(?: |\/0 |\/0\/checkpoint_id at )/;

test("an anchor from a real chain with any member changed is not verified", async (t) => {
  const { client, made, chain, contract } = await startAnchored(t);
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  const anchor = await anchored(client, chain, made.stream_id);
  await chain.stop();
  const trust = {
    ...pinKeys(kernel, [made.public_key_hex as PublicKeyHex]),
    blocks: [{ network: TEST_NETWORK, number: anchor.block_number ?? 0, hash: anchor.block_hash ?? "" }],
    contracts: [{ network: TEST_NETWORK, address: contract, code_hash: EVIDENCE_ANCHOR_CODE_HASH }],
  };
  const check = (whole: unknown, require: readonly "anchored"[]) =>
    verify(Buffer.from(JSON.stringify(whole)), { kind: "anchor", trust: { ...trust, require }, kernel });
  assert.equal(check(anchor, ["anchored"]).verdict, "verified");
  let count = 0;
  for (const { path, whole } of changes(anchor, "", (other) => other)) {
    count += 1;
    for (const require of [[], ["anchored"]] as const) {
      const { verdict, assurance, problems } = check(whole, require);
      if (SAYS_NOTHING.test(path) && verdict === "verified") continue;
      assert.notEqual(verdict, "verified", path);
      assert.ok(problems.length > 0, path);
      assert.notEqual(assurance.anchored === "pinned" && verdict === "rejected", true, `${path}: pinned, and rejected`);
    }
  }
  assert.ok(count > 150, `${count} changes`);
});
