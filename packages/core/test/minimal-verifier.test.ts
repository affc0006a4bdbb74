/**
 * Protocol section 34 against running code: the sections that a kind needs, and that verifiers which leave sections out
 * answer as they may, over all fixtures.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { inputBytes } from "@svc/testkit/vectors";
import type { Bundle, Json, Report, TrustPolicy } from "../src/index.ts";
import * as wire from "../src/objects/wire.ts";
import { type CheckList, checksOf } from "../src/report/checks.ts";
import { type MinimalAnswer, verifyReceipt } from "./minimal-verifier.ts";
import { readPage, SECTION_OF, sectionOf, spansOf, tablesOf } from "./protocol-page.ts";

const protocol = readPage("protocol.md");
const section = sectionOf(protocol, 34);
const EVERY_KIND = numbersIn(section.slice(0, section.indexOf("Beside them")));
/** By kind, the sections that the table names. */
const STATED = new Map(
  (tablesOf(section)[0]?.rows ?? []).flatMap(([kinds = "", sections = ""]): [string, number[]][] => {
    const [own = "", overAnchors] = sections.split("; over anchors");
    const kind = spansOf(kinds)[0] ?? "";
    const anchors: [string, number[]][] =
      overAnchors === undefined ? [] : [["anchor-consistency", numbersIn(overAnchors)]];
    return [[kind, numbersIn(own)], ...anchors];
  }),
);
/** A bundle without what section 27 adds to one of envelopes. */
const { contents: _contents, artifacts, manifest, ...members } = wire.Bundle.properties;
const { "provenance.json": _provenance, ...plainArtifacts } = artifacts.properties;
const PLAIN_BUNDLE = { $id: "bundle", properties: { ...members, artifacts: plainArtifacts, manifest } };

const SCHEMA_OF: Readonly<Record<CheckList, object>> = {
  receipt: wire.ReceiptRecord,
  stream: wire.StreamSegment,
  window: wire.Window,
  inclusion: wire.Inclusion,
  checkpoint: wire.Checkpoint,
  consistency: wire.Consistency,
  "anchor-consistency": wire.AnchorConsistency,
  witness: wire.WitnessStatement,
  anchor: wire.Anchor,
  fork: wire.ForkEvidence,
  key: wire.KeyEndorsement,
  "portable-receipt": wire.PortableReceipt,
  bundle: PLAIN_BUNDLE,
  "truth-package": wire.PackageManifest,
  "key-status": wire.KeyStatus,
  "provider-result": wire.ProviderResult,
  "ivc-epoch": wire.IvcEpoch,
  envelope: wire.Envelope,
  "vault-attestation": wire.VaultAttestation,
  "provenance-inclusion": wire.ShownInclusion,
  disclosure: wire.Disclosure,
  "provenance-bundle": wire.Bundle,
  "provenance-package": wire.PackageManifest,
};
/** Objects that the schema of another one leaves open: the sides of fork evidence, and the bundles of a package. */
const INSIDE: Partial<Record<CheckList, readonly object[]>> = {
  fork: [wire.ReceiptRecord, wire.Window, wire.Checkpoint, wire.Anchor],
  "truth-package": [PLAIN_BUNDLE],
  "provenance-package": [wire.Bundle],
};

test("the table has a row for each kind", () => {
  assert.deepEqual([...STATED.keys()].toSorted(), Object.keys(SCHEMA_OF).toSorted());
  assert.deepEqual(EVERY_KIND, [1, 2, 3, 4, 5, 16]);
});

for (const [kind, schema] of Object.entries(SCHEMA_OF)) {
  const stated = STATED.get(kind) ?? [];
  const objects = [schema, ...(INSIDE[kind as CheckList] ?? [])];

  test(`the sections of ${kind} describe every object in it, state every check and define every hash`, () => {
    const describing = objects.flatMap(idsIn).map((id) => SECTION_OF[id] ?? 0);
    // Section 7 says how to compute a head.
    const hashing = objects.some((one) => JSON.stringify(one).includes('"stream_head_hash"')) ? [7] : [];
    const missing = [...describing, ...hashing].filter((number) => ![...EVERY_KIND, ...stated].includes(number));
    assert.deepEqual([...new Set(missing)], []);
    const stating = [...EVERY_KIND, ...stated].map((number) => sectionOf(protocol, number)).join("\n");
    const rows = [...stating.matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \|/gm)].flatMap(([, checks = ""]) =>
      spansOf(checks),
    );
    // The text describes the first three checks in words.
    const told = ["json", "shape", "trust", ...rows];
    assert.deepEqual(
      checksOf(kind as CheckList).filter((check) => !told.includes(check)),
      [],
    );
  });

  test(`no section of ${kind} could be left out`, () => {
    const describing = objects.flatMap(idsIn).map((id) => SECTION_OF[id] ?? 0);
    const heads = objects.some((one) => JSON.stringify(one).includes('"stream_head_hash"')) ? [7] : [];
    const own = new Set([...describing, ...heads]);
    // A section to which a needed one refers is needed as well.
    for (const number of own)
      if (stated.includes(number)) for (const linked of numbersIn(sectionOf(protocol, number))) own.add(linked);
    assert.deepEqual(
      stated.filter((number) => !own.has(number)),
      [],
    );
  });
}

interface Fixture {
  readonly kind: string;
  readonly trust: Json;
  readonly verdict: string;
  readonly input?: string;
  readonly input_base64?: string;
}

const cases = new URL("../../../fixtures/cases/", import.meta.url);
const reports = new URL("../../../fixtures/reports/", import.meta.url);
const paths = readdirSync(cases, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".json"));
const fixtures = paths.map((path) => ({
  path,
  fixture: JSON.parse(readFileSync(new URL(path, cases), "utf8")) as Fixture,
  report: JSON.parse(readFileSync(new URL(path, reports), "utf8")) as Report,
}));

/** Keys and signatures that a strict library without the cofactor refuses, by section 3; Node's is such a library. */
const REFUSED_BY_LIBRARY = ["torsion-in-key", "torsion-in-r", "r-of-small-order"].map(
  (craft) => `receipt/good-ed25519-${craft}.json`,
);

test(
  "a receipt-only verifier gives the verdict on every receipt, and answers cannot_evaluate or rejects everything " +
    "else",
  () => {
    const answers = new Map<MinimalAnswer, number>();
    for (const { path, fixture } of fixtures) {
      const answer = verifyReceipt(inputBytes(fixture), fixture.trust);
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
      if (REFUSED_BY_LIBRARY.includes(path)) assert.equal(answer, "rejected", path);
      else if (fixture.kind === "receipt") assert.equal(answer, fixture.verdict, path);
      else assert.ok(answer === "cannot_evaluate" || (answer === "rejected" && fixture.verdict === "rejected"), path);
    }
    for (const answer of ["verified", "rejected", "untrusted", "cannot_evaluate"] as const)
      assert.ok((answers.get(answer) ?? 0) >= 3, `${answer} ${answers.get(answer)}`);
  },
);

test("a receipt-only verifier gives no verdict where a text decides about the quorum", () => {
  const { fixture } = fixtures.find(({ path }) => path === "receipt/good.json") ?? assert.fail();
  const trust = { ...(fixture.trust as object), quorum: "quorum none\n" } as Json;
  assert.equal(verifyReceipt(inputBytes(fixture), trust), "cannot_evaluate");
  const edited = fixtures.find(({ path }) => path === "receipt/payload-edited.json") ?? assert.fail();
  assert.equal(verifyReceipt(inputBytes(edited.fixture), trust), "rejected", "a fault rejects all the same");
});

test("what a bundle-only verifier leaves out decides nothing about the bundles that it gives a verdict on", () => {
  let met = 0;
  for (const { path, fixture, report } of fixtures) {
    if (fixture.kind !== "bundle" || report.checks.some(({ id, status }) => id === "shape" && status !== "pass"))
      continue;
    if (meetsWhatBundleOnlyLeavesOut(JSON.parse(fixture.input ?? "") as Bundle, fixture.trust as TrustPolicy)) met += 1;
    else
      for (const { id, status } of report.checks)
        if (id === "anchor" || id === "fork") assert.equal(status, "not_checked", `${path}: ${id}`);
  }
  assert.ok(met > 20, `${met}`);
});

/** The last row of section 34's table. */
function meetsWhatBundleOnlyLeavesOut({ artifacts }: Bundle, trust: TrustPolicy): boolean {
  const last = artifacts["checkpoints.json"].at(-1);
  const window = artifacts["windows.json"].find(({ policy_digest }) => policy_digest === last?.policy_digest);
  const { policies } = artifacts["witnesses.json"];
  return (
    artifacts["provenance.json"] !== undefined ||
    trust.require_assurance !== undefined ||
    artifacts["forks.json"] !== undefined ||
    artifacts["anchors.json"].length > 0 ||
    (window !== undefined && policies.some(({ anchor }) => anchor === "required")) ||
    typeof trust.quorum === "string"
  );
}

/** Returns the numbers of the sections that a text links to. */
function numbersIn(text: string): number[] {
  return [...new Set([...text.matchAll(/\]\(#(\d+)-/g)].map(([, number]) => Number(number)))];
}

/** Returns the names of the objects that a schema holds, its own among them. */
function idsIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { $id } = schema as { readonly $id?: string };
  const inside = Object.values(schema).flatMap(idsIn);
  return $id === undefined ? inside : [$id, ...inside];
}
