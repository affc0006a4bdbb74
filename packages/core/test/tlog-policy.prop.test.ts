/** Any policy text is read or refused, with a line that exists; and a quorum demands the same as counting by hand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { testSigner } from "@svc/testkit/evidence/signer";
import { logVkey, witnessVkey } from "@svc/testkit/evidence/vkeys";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { isQuorumMet, leastWitnesses, parseTlogPolicy, referenceKernel, type TlogWitness } from "../src/index.ts";

const kernel = referenceKernel;
const WITNESSES = Array.from({ length: 8 }, (_, i) => `w${i}`);
const VKEYS = WITNESSES.map((name) => witnessVkey(`${name}.example`, testSigner(name)));
const LOG = logVkey("log.example", testSigner("log"));

const item = fc.oneof(
  fc.constantFrom(
    "log",
    "witness",
    "group",
    "quorum",
    "none",
    "all",
    "any",
    "0",
    "1",
    "2",
    "#",
    "",
    "a",
    "b",
    LOG,
    ...VKEYS,
  ),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const line = fc
  .array(item, { maxLength: 6 })
  .chain((items) => fc.constantFrom(" ", "\t", "  ").map((space) => items.join(space)));
const text = fc.oneof(
  fc.array(line, { maxLength: 8 }).map((lines) => `${lines.join("\n")}\n`),
  fc.array(line, { maxLength: 8 }).map((lines) => `${lines.join("\n")}\nquorum none\n`),
  fc.string({ unit: "binary" }),
);

test("any text is a policy or has its first fault on one of its lines", () => {
  let accepted = 0;
  fc.assert(
    fc.property(text, (one) => {
      const read = parseTlogPolicy(kernel, one);
      if (read.ok) accepted++;
      else assert.ok(read.line >= 1 && read.line <= one.split("\n").length);
    }),
    { numRuns: runs(5000) },
  );
  assert.notEqual(accepted, 0);
});

/** A tree over some witnesses in their order: each group takes the next few members that are in no group yet. */
interface Plan {
  readonly steps: readonly { readonly take: number; readonly k: number; readonly word: "any" | "all" | "k" }[];
  readonly cosigned: readonly string[];
}
const plan: fc.Arbitrary<Plan> = fc.record({
  steps: fc.array(
    fc.record({ take: fc.integer({ min: 1, max: 4 }), k: fc.nat(), word: fc.constantFrom("any", "all", "k") }),
    { minLength: 1, maxLength: 10 },
  ),
  cosigned: fc.subarray(WITNESSES),
});

test("a quorum is met exactly where counting by hand says so, and never by fewer than it asks for at least", () => {
  fc.assert(
    fc.property(plan, ({ steps, cosigned }) => {
      const lines = WITNESSES.map((name, index) => `witness ${name} ${VKEYS[index]}`);
      const met = new Map(WITNESSES.map((name) => [name, cosigned.includes(name)]));
      const open = [...WITNESSES];
      let last = "w0";
      for (const [index, { take, k, word }] of steps.entries()) {
        const members = open.splice(0, take);
        if (members.length === 0) break;
        const threshold = word === "any" ? 1 : word === "all" ? members.length : 1 + (k % members.length);
        last = `g${index}`;
        lines.push(`group ${last} ${word === "k" ? threshold : word} ${members.join(" ")}`);
        met.set(last, members.filter((name) => met.get(name)).length >= threshold);
        open.push(last);
      }
      const read = parseTlogPolicy(kernel, `${lines.join("\n")}\nquorum ${last}\n`);
      assert.ok(read.ok && read.policy.quorum !== null);
      const { witnesses, quorum } = read.policy;
      const set = new Set<TlogWitness>(witnesses.filter(({ name }) => cosigned.includes(name)));
      assert.equal(isQuorumMet(quorum, set), met.get(last));
      if (met.get(last)) assert.ok(set.size >= leastWitnesses(quorum));
    }),
    { numRuns: runs(2000) },
  );
});
