/**
 * No standard mutation of good evidence stays `verified`, except where the protocol leaves it free. None is refused for
 * another reason than its own, shows more than the good object did, or looks different to the other kernel. The first
 * fixture of each kind is mutated in every way, the others in the parts that the first lacks, and in samples.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, id, SERVICE } from "@svc/testkit/evidence/service";
import {
  issueReceipt,
  type Json,
  type JsonKind,
  type JsonObject,
  pinKeys,
  type Report,
  selectKernel,
  type TrustPolicy,
  type VerifyOptions,
  verify,
  ZERO_HASH,
} from "../src/index.ts";
import { UNTRUSTED_SIGNER } from "../src/tamper/forge/forger.ts";
import { MUTANT_CLASSES, type MutantClass, mutants, type Select } from "../src/tamper/index.ts";
import { type Schema, schemaOf } from "../src/tamper/schema-codes.ts";
import { schemaPath } from "../src/tamper/schema-path.ts";
import { CHECKED_IN_BULK_BYTES, type Good, goodsOf, KINDS } from "./tamper-goods.ts";
import { codeFault, emptyTally, faultsOf, type Tally } from "./tamper-judge.ts";

const kernel = selectKernel();
/** For the objects after the first of a kind, one mutant is made for so many bytes of the object. */
const BYTES_PER_STEP = 250;
/** The classes of which every mutant may stay verified. */
const FREE_CLASSES: readonly MutantClass[] = ["respelled", "omitted", "hinted"];

const classesSeen = new Set<MutantClass>();
const freeClassesVerified = new Set<MutantClass>();

for (const kind of KINDS) {
  test(`no mutant of a good ${kind} stays verified`, () => {
    const goods = goodsOf(kind);
    assert.notEqual(goods.length, 0, `no good ${kind}`);
    const tally = emptyTally();
    const found: string[] = [];
    const seen = new Set<string>();
    goods.forEach((good, index) => {
      const donor = goods[(index + 1) % goods.length] ?? good;
      const step = index === 0 ? 1 : Math.ceil(good.input.length / BYTES_PER_STEP);
      // A large bundle is read in another way, so each of its places is met anew.
      const met = good.input.length < CHECKED_IN_BULK_BYTES ? seen : new Set<string>();
      for (const fault of faults(kind, good, donor, sampler(met, step), tally)) found.push(fault);
    });
    console.log(
      `# ${kind}: ${tally.made} mutants of ${goods.length} objects, ${tally.survivors} survivors, ${tally.free} ` +
        `left free and verified; ` +
        `${tally.crossChecked} verified with both kernels`,
    );
    for (const own of tally.seen) classesSeen.add(own);
    for (const own of tally.verified) freeClassesVerified.add(own);
    assert.deepEqual(found, []);
    assertEveryMember(kind, goods, seen);
  });
}

/** The kinds whose signers no trust in another service reaches. */
const SEALED_BY_NO_SERVICE: ReadonlySet<JsonKind> = new Set(["inclusion", "witness", "provider-result", "envelope"]);

test("a reader who trusts the stranger finds nothing wrong with what the stranger sealed", () => {
  const stranger = pinKeys(kernel, [UNTRUSTED_SIGNER.publicKeyHex]).signers;
  for (const kind of KINDS) {
    if (SEALED_BY_NO_SERVICE.has(kind)) continue;
    let count = 0;
    // A bare proof has no seal.
    const sealed = goodsOf(kind).filter(({ name }) => !name.startsWith("bare"));
    for (const { name, input, trust } of sealed.slice(0, 2)) {
      const { signers } = trust as TrustPolicy;
      const select: Select = (mutantClass) => mutantClass === "resealed";
      for (const mutant of mutants(kind, JSON.parse(input), { kernel, select })) {
        const untrusted = verify(mutant.bytes, { trust: { signers }, kernel });
        if (untrusted.verdict !== "untrusted") continue;
        const { verdict, problems } = verify(mutant.bytes, { trust: { signers: [...signers, ...stranger] }, kernel });
        assert.equal(verdict, "verified", `${name} ${mutant.path} ${mutant.description}: ${problems[0]?.message}`);
        count++;
      }
    }
    assert.notEqual(count, 0, `no ${kind} was sealed by the stranger without fault`);
  }
});

test("payloads of every sort are mutated, and no mutant stays verified", async () => {
  const payload = {
    time: "2026-99-99T00:00:00.000Z",
    leap: "2026-12-31T23:59:60Z",
    emoji: "a\u{1f600}",
    hex: "f".repeat(128),
    path: "/",
    "": [],
    "~/": { note: "\n\n— ", kid: 1e308, seq_no: 5e-324 },
    "0": [[[-1.5]], null, true],
    deep: nested(31),
    additional: 0,
    ["__proto__"]: { constructor: "" },
  };
  const place = {
    stream_id: id("str", 1),
    stream_event_id: id("sev", 1),
    seq_no: 1,
    previous_event_hash: ZERO_HASH,
    received_at: at(1),
    payload_salt: "ab".repeat(16),
  };
  const event = { source_ref: "\u{1f600}", event_type: "t", occurred_at: "2026-03-01T00:00:00Z", payload };
  const record = await issueReceipt(kernel, SERVICE, event, place);
  const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
  let count = 0;
  for (const mutant of mutants("receipt", record, { kernel })) {
    const about = `${mutant.id}: ${mutant.path} ${mutant.description}`;
    const report = verify(mutant.bytes, { trust, kernel });
    if (!mutant.free) assert.notEqual(report.verdict, "verified", about);
    assert.equal(codeFault(report, mutant), null, about);
    count++;
  }
  assert.ok(count > 500, `${count} mutants`);
});

/** Returns an object that nests so deep. */
function nested(depth: number): JsonObject {
  return depth === 1 ? {} : { deep: nested(depth - 1) };
}

test("the mutants of an object are the same each time, each with a different name", () => {
  const [good] = goodsOf("receipt");
  const all = () => [...mutants("receipt", JSON.parse(good?.input ?? ""), { kernel })];
  const first = all();
  assert.deepEqual(first, all());
  assert.equal(new Set(first.map(({ id }) => id)).size, first.length);
});

test("every class of mutation has been met, and those that are free stay verified", () => {
  assert.deepEqual([...classesSeen].sort(), [...MUTANT_CLASSES].sort());
  for (const own of FREE_CLASSES) assert.ok(freeClassesVerified.has(own), own);
});

/** Selects the first edit of each class at a place of the schema, and one in `step` of the rest. */
function sampler(seen: Set<string>, step: number): Select {
  let count = 0;
  return (mutantClass, path) => {
    const place = `${mutantClass} ${schemaPath(path)}`;
    const isFirst = !seen.has(place);
    seen.add(place);
    return count++ % step === 0 || isFirst;
  };
}

/**
 * Fork evidence in a bundle rejects it, so no good bundle holds any; the tests of the kinds of its sides mutate those.
 * The rare members of a disclosure's receipt are mutated in portable receipts. Evidence of a vault is one of several
 * objects, which are mutated member by member.
 */
const IN_NO_GOOD_OBJECT = /forks\.json|^\/receipt\/|\/record\/evidence$/;

/** Asserts that every member that the schema of a kind names has been mutated somewhere. */
function assertEveryMember(kind: JsonKind, goods: readonly Good[], seen: ReadonlySet<string>): void {
  const mutated = new Set([...seen].map((place) => place.slice(place.indexOf(" ") + 1)));
  const named = goods.flatMap(({ input }) => [...membersOf(schemaOf(kind, JSON.parse(input) as Json), "")]);
  const missed = named.filter((path) => !mutated.has(path) && !IN_NO_GOOD_OBJECT.test(path));
  assert.deepEqual([...new Set(missed)], []);
}

function* membersOf({ properties = {}, items, additionalProperties }: Schema, path: string): Generator<string> {
  yield path;
  for (const [name, member] of Object.entries(properties)) yield* membersOf(member, `${path}/${name}`);
  if (items !== undefined) yield* membersOf(items, `${path}/*`);
  if (typeof additionalProperties === "object") yield* membersOf(additionalProperties, `${path}/*`);
}

/** Yields in words the faults of how the mutants of one object are verified. */
function faults(kind: JsonKind, good: Good, donor: Good, select: Select, tally: Tally): Generator<string> {
  const options: VerifyOptions = {
    trust: good.trust,
    kernel,
    ...(good.links === undefined ? {} : { links: good.links }),
  };
  const report = verifyText(good.input, options);
  assert.equal(report.verdict, good.verdict, good.name);
  const most = [report.assurance, verifyText(donor.input, options).assurance];
  const donors = [JSON.parse(donor.input) as Json];
  const all = mutants(kind, JSON.parse(good.input) as Json, { kernel, donors, select });
  return faultsOf(all, options, { ...good, most }, tally);
}

function verifyText(text: string, options: VerifyOptions): Report {
  return verify(new TextEncoder().encode(text), options);
}
