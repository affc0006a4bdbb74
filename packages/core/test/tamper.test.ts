/**
 * No standard mutation of good evidence stays `verified`, but for what the protocol leaves free; none is refused for another reason
 * than its own, shows more than the good object did, or looks different to the other kernel. The first fixture of each kind is mutated in
 * every way, the others where they have something that it has not, and here and there.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Assurance,
  crossCheck,
  type Json,
  type Kind,
  pinKeys,
  type Report,
  selectKernel,
  type TrustPolicy,
  type VerifyOptions,
  verify,
} from "../src/index.ts";
import { STRANGER } from "../src/tamper/forge/forger.ts";
import { MUTANT_CLASSES, type Mutant, type MutantClass, mutants, type Select } from "../src/tamper/index.ts";
import { schemaOf } from "../src/tamper/schema-codes.ts";
import { schemaPath } from "../src/tamper/schema-path.ts";
import { type Good, goodsOf, KINDS } from "./tamper-goods.ts";

const kernel = selectKernel();
/** Of the objects after the first of a kind, one mutant in as many as these bytes go into the object. */
const BYTES_PER_STEP = 500;
/** From this size on the receipts of a bundle are checked by the kernel where they stand. */
const CHECKED_IN_BULK_BYTES = 65_536;
/** One mutant in so many is verified with the reference kernel too. */
const CROSS_CHECKED = 60;
/** The classes of which every mutant may stay verified. */
const FREE_CLASSES: readonly MutantClass[] = ["respelled", "omitted", "hinted"];

const classesSeen = new Set<MutantClass>();
const freeClassesVerified = new Set<MutantClass>();

for (const kind of KINDS) {
  test(`no mutant of a good ${kind} stays verified`, () => {
    const goods = goodsOf(kind);
    assert.notEqual(goods.length, 0, `no good ${kind}`);
    const tally = { made: 0, free: 0, crossChecked: 0 };
    const survivors: string[] = [];
    const seen = new Set<string>();
    goods.forEach((good, index) => {
      const donor = goods[(index + 1) % goods.length] ?? good;
      const step = index === 0 ? 1 : Math.ceil(good.input.length / BYTES_PER_STEP);
      // Another way leads through a large bundle, so that each place of it is met anew.
      const met = good.input.length < CHECKED_IN_BULK_BYTES ? seen : new Set<string>();
      for (const mutant of judged(kind, good, donor, sampler(met, step), tally)) survivors.push(mutant);
    });
    assert.deepEqual(survivors, []);
    assertEveryMember(kind, goods, seen);
    console.log(
      `# ${kind}: ${tally.made} mutants of ${goods.length} objects, ${survivors.length} survivors, ${tally.free} left free and verified; ` +
        `${tally.crossChecked} verified with both kernels`,
    );
  });
}

test("whoever trusts the stranger finds nothing wrong with what the stranger sealed", () => {
  const stranger = pinKeys(kernel, [STRANGER.publicKeyHex]).signers;
  for (const kind of KINDS) {
    if (kind === "inclusion" || kind === "witness") continue;
    let count = 0;
    for (const { name, input, trust } of goodsOf(kind).slice(0, 2)) {
      const { signers } = trust as unknown as TrustPolicy;
      const select: Select = (own) => own === "resealed";
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

test("the mutants of an object are the same each time, each with a name of its own", () => {
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

/** Takes what is done for the first time at a place of the schema, and of the rest one in `step`. */
function sampler(seen: Set<string>, step: number): Select {
  let count = 0;
  return (own, path) => {
    const place = `${own} ${schemaPath(path)}`;
    const isFirst = !seen.has(place);
    seen.add(place);
    return count++ % step === 0 || isFirst;
  };
}

/** Fork evidence in a bundle rejects it, so no good one holds any; what sides are is for the kinds that they are of. */
const IN_NO_GOOD_OBJECT = /forks\.json/;

/** Every member that the schema of a kind names has been mutated somewhere. */
function assertEveryMember(kind: Kind, goods: readonly Good[], seen: ReadonlySet<string>): void {
  const mutated = new Set([...seen].map((place) => place.slice(place.indexOf(" ") + 1)));
  const named = goods.flatMap(({ input }) => [...membersOf(schemaOf(kind, JSON.parse(input) as Json) as Members, "")]);
  const missed = named.filter((path) => !mutated.has(path) && !IN_NO_GOOD_OBJECT.test(path));
  assert.deepEqual([...new Set(missed)], []);
}

interface Members {
  readonly properties?: Readonly<Record<string, Members>>;
  readonly items?: Members;
  readonly additionalProperties?: boolean | Members;
}

function* membersOf({ properties = {}, items, additionalProperties }: Members, path: string): Generator<string> {
  yield path;
  for (const [name, member] of Object.entries(properties)) yield* membersOf(member, `${path}/${name}`);
  if (items !== undefined) yield* membersOf(items, `${path}/*`);
  if (typeof additionalProperties === "object") yield* membersOf(additionalProperties, `${path}/*`);
}

/** Verifies the mutants of one object. Yields those that stayed verified and were not free to. */
function* judged(
  kind: Kind,
  good: Good,
  donor: Good,
  select: Select,
  tally: { made: number; free: number; crossChecked: number },
): Generator<string> {
  const options: VerifyOptions = {
    trust: good.trust,
    kernel,
    ...(good.links === undefined ? {} : { links: good.links }),
  };
  const report = verifyText(good.input, options);
  assert.equal(report.verdict, good.verdict, good.name);
  const most = [report.assurance];
  const donorAssurance = [report.assurance, verifyText(donor.input, options).assurance];
  const value = JSON.parse(good.input) as Json;
  for (const mutant of mutants(kind, value, { kernel, donors: [JSON.parse(donor.input) as Json], select })) {
    const about = `${good.name} ${mutant.id}: ${mutant.path} ${mutant.description}`;
    const own = verify(mutant.bytes, options);
    tally.made++;
    classesSeen.add(mutant.class);
    if (own.ok && !mutant.free) yield about;
    if (own.ok && mutant.free) tally.free++;
    if (own.ok && mutant.free) freeClassesVerified.add(mutant.class);
    if (mutant.class === "respelled") assert.equal(own.verdict, good.verdict, about);
    assertExpected(own, mutant, about);
    assertNotMore(own, mutant.class === "spliced" ? donorAssurance : most, about);
    if (tally.made % CROSS_CHECKED !== 0) continue;
    tally.crossChecked++;
    const { kernel: _one, ...both } = options;
    const { first_difference } = crossCheck(mutant.bytes, both).cross_check;
    assert.equal(first_difference, null, `${about}: the kernels differ at ${first_difference?.path}`);
  }
}

function verifyText(text: string, options: VerifyOptions): Report {
  return verify(new TextEncoder().encode(text), options);
}

/** The first problem is one of those that the mutant says it gives. */
function assertExpected({ ok, problems }: Report, { expected }: Mutant, about: string): void {
  const [first] = problems;
  if (!ok) assert.ok(first, `${about}: refused without a problem`);
  if (ok || expected === null || first === undefined) return;
  assert.ok(expected.has(first.code), `${about}: ${first.code} is none of ${[...expected].join(", ")}`);
}

const PUBLISHED = ["none", "included", "witnessed"];
const ANCHORED = ["none", "pending", "unpinned", "pinned"];

/** No single assurance is higher than the highest of these. */
function assertNotMore({ assurance }: Report, most: readonly Assurance[], about: string): void {
  const own = levels(assurance);
  for (const [name, level] of Object.entries(own)) {
    const highest = Math.max(...most.map((one) => levels(one)[name] ?? 0));
    assert.ok(level <= highest, `${about}: ${name} rose from ${highest} to ${level}`);
  }
}

function levels({ signed, included, complete, witnessed, published, anchored }: Assurance): Record<string, number> {
  return {
    signed: Number(signed),
    included: Number(included),
    complete: Number(complete),
    witnessed: witnessed.valid,
    pinned: witnessed.pinned,
    published: PUBLISHED.indexOf(published),
    anchored: ANCHORED.indexOf(anchored),
  };
}
