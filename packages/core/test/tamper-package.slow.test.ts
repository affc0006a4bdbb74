/**
 * No standard mutation of a good truth package stays `verified`, except where the protocol leaves it free: of its
 * archive, its manifest, its table, and of every bundle in it. The smallest package is mutated in every way, except for
 * its bundle, which tamper.slow.test.ts mutates by itself; the others in the parts that it lacks, and in samples.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { at, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { packageOf, smallInput } from "@svc/testkit/evidence/truth-packages";
import {
  issueKeyEndorsement,
  type Json,
  MANIFEST_PATH,
  pinKeys,
  referenceKernel,
  selectKernel,
  type TrustPolicy,
  verify,
} from "../src/index.ts";
import { PackageManifest } from "../src/objects/truth-package/schema.ts";
import { UNTRUSTED_SIGNER } from "../src/tamper/forge/forger.ts";
import { MUTANT_CLASSES, packageMutants, type Select } from "../src/tamper/index.ts";
import type { Schema } from "../src/tamper/schema-codes.ts";
import { schemaPath } from "../src/tamper/schema-path.ts";
import { emptyTally, faultsOf } from "./tamper-judge.ts";

const kernel = selectKernel();
/** One mutant in so many is made of the parts that are sampled. */
const STEP = 97;

interface Good {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly trust: Json;
}

const FOLDER = new URL("../../../fixtures/cases/truth-package/", import.meta.url);
const fixtures = readdirSync(FOLDER)
  .filter((name) => /^good[-.]/.test(name))
  .sort((a, b) => Number(b === "good-small.json") - Number(a === "good-small.json"))
  .map((name): Good => {
    const { input_base64, trust } = JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
    return { name, bytes: new Uint8Array(Buffer.from(input_base64, "base64")), trust };
  });

/** One sealed by a key that the pinned one endorses: no fixture has endorsements. */
const SUCCESSOR = testSigner("successor");
const endorsed: Good = {
  name: "by an endorsed key",
  bytes: await packageOf(
    {
      ...(await smallInput()),
      key_endorsements: [await issueKeyEndorsement(referenceKernel, SERVICE, SUCCESSOR.publicKeyHex, at(0))],
    },
    SUCCESSOR,
  ),
  trust: pinKeys(kernel, [SERVICE.publicKeyHex]),
};
const goods: readonly Good[] = [...fixtures, endorsed];

/**
 * Selects the first edit of each class at a place, and one in `step` of the rest; all edits at the places of `isWhole`.
 */
function sampler(seen: Set<string>, step: number, isWhole: (path: string) => boolean): Select {
  let count = 0;
  return (mutantClass, path) => {
    const place = `${mutantClass} ${schemaPath(path)}`;
    const isFirst = !seen.has(place);
    seen.add(place);
    return isWhole(path) || isFirst || count++ % step === 0;
  };
}

test("no mutant of a good package stays verified", () => {
  assert.ok(goods.length > 3);
  const tally = emptyTally();
  const seen = new Set<string>();
  const found: string[] = [];
  goods.forEach(({ name, bytes, trust }, index) => {
    const donor = goods[(index + 1) % goods.length] ?? assert.fail();
    const options = { trust, kernel };
    const most = [bytes, donor.bytes].map((one) => verify(one, options));
    assert.equal(most[0]?.verdict, "verified", name);
    const select = sampler(seen, STEP, (path) => index === 0 && !path.startsWith("/proofs.json/"));
    const all = packageMutants(bytes, { kernel, donors: [donor.bytes], select });
    const before = { name, verdict: "verified", most: most.map(({ assurance }) => assurance) };
    found.push(...faultsOf(all, options, before, tally));
  });
  console.log(
    `# ${tally.made} mutants of ${goods.length} packages, ${tally.survivors} survivors, ${tally.free} left free ` +
      `and verified; ` +
      `${tally.crossChecked} verified with both kernels`,
  );
  assert.deepEqual(found, []);
  const mutated = new Set([...seen].map((place) => place.slice(place.indexOf(" ") + 1)));
  const missed = [...membersOf(PackageManifest as Schema, `/${MANIFEST_PATH}`)].filter((path) => !mutated.has(path));
  assert.deepEqual(missed, []);
  // A package binds the parts that may be left out of a lone object.
  assert.deepEqual(
    MUTANT_CLASSES.filter((own) => !tally.seen.has(own)),
    ["omitted"],
  );
  for (const own of ["hinted", "respelled"] as const) assert.ok(tally.verified.has(own), own);
});

function* membersOf({ properties = {}, items }: Schema, path: string): Generator<string> {
  yield path;
  for (const [name, member] of Object.entries(properties)) yield* membersOf(member, `${path}/${name}`);
  if (items !== undefined) yield* membersOf(items, `${path}/*`);
}

test("a reader who trusts the stranger finds nothing wrong in packages that it sealed over their bundles", () => {
  const [{ bytes, trust } = assert.fail()] = goods;
  const { signers } = trust as TrustPolicy;
  const both = { signers: [...signers, ...pinKeys(kernel, [UNTRUSTED_SIGNER.publicKeyHex]).signers] };
  let count = 0;
  const seen = new Set<string>();
  const sampled = sampler(seen, 20, () => false);
  const select: Select = (own, path) => own === "resealed" && sampled(own, path);
  for (const mutant of packageMutants(bytes, { kernel, select })) {
    const about = `${mutant.path} ${mutant.description}`;
    if (verify(mutant.bytes, { trust, kernel }).verdict !== "untrusted") continue;
    const { verdict, problems } = verify(mutant.bytes, { trust: both, kernel });
    assert.equal(verdict, "verified", `${about}: ${problems[0]?.message}`);
    count++;
  }
  assert.ok(count > 10, `${count}`);
});

test("the mutants of a package are the same each time, each with a different name", () => {
  const [{ bytes } = assert.fail()] = goods;
  const select: Select = (_, path) => !path.startsWith("/proofs.json/0/artifacts");
  const all = () => [...packageMutants(bytes, { kernel, select })];
  const first = all();
  assert.deepEqual(first, all());
  assert.equal(new Set(first.map(({ id }) => id)).size, first.length);
});

test("what is no package is not tampered with", () => {
  const json = new TextEncoder().encode("{}");
  assert.throws(() => [...packageMutants(json, { kernel })], /^TypeError: no archive to be tampered with: /);
});
