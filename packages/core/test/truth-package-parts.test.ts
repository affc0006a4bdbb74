/**
 * Parts of truth packages, each by itself: the assurance of several bundles, cells of the table, ranges, and an entry
 * that cannot be unpacked.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { buildZip, deflateStored } from "@svc/testkit/evidence/build-zip";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { packageInput, packageOf, partsOf, smallInput } from "@svc/testkit/evidence/truth-packages";
import { type PackageInput, pinKeys, selectKernel, verify } from "../src/index.ts";
import { AskedEvents } from "../src/objects/truth-package/asked.ts";
import { type Shown, shownByBoth } from "../src/objects/truth-package/assurance.ts";
import { eventLines } from "../src/objects/truth-package/events-csv.ts";
import { proofOf } from "../src/objects/truth-package/proof.ts";

const kernel = selectKernel();
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const input = await packageInput();
const small = await smallInput();

test("two bundles show together what the one shows that shows less, member by member, in either order", () => {
  const most: Shown = {
    included: true,
    complete: true,
    witnessed: { required: 1, valid: 3, pinned: 2 },
    published: "witnessed",
    anchored: "pinned",
  };
  const together = (one: Shown, other: Shown) => {
    assert.deepEqual(shownByBoth(one, other), shownByBoth(other, one));
    return shownByBoth(one, other);
  };
  assert.deepEqual(together(most, most), most);
  const lesser: Partial<Shown>[] = [
    { included: false },
    { complete: false },
    { witnessed: { required: 2, valid: 3, pinned: 2 } },
    { witnessed: { required: 1, valid: 2, pinned: 2 } },
    { witnessed: { required: 1, valid: 3, pinned: 0 } },
    ...(["none", "included"] as const).map((published) => ({ published })),
    ...(["none", "pending", "unpinned"] as const).map((anchored) => ({ anchored })),
  ];
  for (const less of lesser) assert.deepEqual(together(most, { ...most, ...less }), { ...most, ...less });
  assert.equal(together({ ...most, published: "none" }, { ...most, published: "included" }).published, "none");
  assert.equal(together({ ...most, anchored: "pending" }, { ...most, anchored: "unpinned" }).anchored, "pending");
  assert.equal(together({ ...most, anchored: "none" }, { ...most, anchored: "pending" }).anchored, "none");
});

test("a cell that a spreadsheet would compute gets an apostrophe before it, and quotes are doubled", async () => {
  const [bundle] = small.bundles;
  const [record] = bundle?.artifacts["receipts.json"] ?? [];
  if (bundle === undefined || record === undefined) assert.fail("no record");
  const cell = (event_type: string, source_ref: string) => {
    const changed = { ...record, event_type, source_ref };
    const artifacts = { ...bundle.artifacts, "receipts.json": [changed] };
    const [, line] = [...eventLines(kernel, new AskedEvents(small.ranges), [proofOf({ ...bundle, artifacts })])];
    return new TextDecoder().decode(line).split(",").slice(3, 5).join();
  };
  for (const start of ["=", "+", "-", "@", "\t", "\r"]) {
    assert.equal(cell(`${start}1`, start), `"'${start}1","'${start}"`);
    assert.equal(cell(`a${start}`, ` ${start}`), `"a${start}"," ${start}"`);
  }
  assert.equal(cell('"', 'a"b""'), '"""","a""b"""""');
  assert.equal(cell("'=", "\n="), `"'=","\n="`);
});

test("of the ranges of a stream one has to cover what is expected, and the report says what that was", async () => {
  const [first, second] = input.ranges;
  if (first === undefined || second === undefined) assert.fail("no ranges");
  const expecting = async (changes: Partial<PackageInput>, expect: object) => {
    const { problems } = verify(await packageOf({ ...input, ...changes }), {
      trust: { ...trust, expect },
    });
    return problems.filter(({ path }) => path === "").map(({ code, expected }) => `${code}: ${expected}`);
  };
  const halves = [{ ...first, to_seq_no: 5 }, { ...first, from_seq_no: 6 }, second];
  assert.deepEqual(await expecting({ ranges: halves }, { from_seq_no: 2, to_seq_no: 4 }), []);
  assert.deepEqual(await expecting({ ranges: halves }, { from_seq_no: 4, to_seq_no: 6 }), ["range_incomplete: 4 to 6"]);
  assert.deepEqual(await expecting({}, { from_seq_no: 1 }), ["range_incomplete: 1 to any"]);
  assert.deepEqual(await expecting({}, { to_seq_no: 5 }), ["range_incomplete: any to 5"]);
});

test("ranges of streams in another order are of another form, whatever their numbers", async () => {
  const [first, second] = input.ranges;
  if (first === undefined || second === undefined) assert.fail("no ranges");
  const ranges = [
    { ...second, from_seq_no: 1, to_seq_no: 2 },
    { ...first, from_seq_no: 3 },
  ];
  const [problem] = verify(await packageOf({ ...input, ranges }), { trust }).problems;
  assert.deepEqual([problem?.code, problem?.path], ["malformed", "/svc.truth-package.manifest.json/ranges/1"]);
});

test("a bundle that does not cover its range is reported with the range that it covers", async () => {
  const [range] = small.ranges;
  if (range === undefined) assert.fail("no range");
  const actual = async (changes: Partial<PackageInput>) =>
    verify(await packageOf({ ...input, ...changes }), { trust }).problems.flatMap(({ code, path, actual }) =>
      code === "range_incomplete" ? [`${path}: ${actual}`] : [],
    );
  const at = "/svc.truth-package.manifest.json/ranges/";
  assert.deepEqual(await actual({ ...small, ranges: [{ ...range, to_seq_no: 2 }] }), [`${at}0: 1 to 1`]);
  assert.deepEqual(await actual({ bundles: input.bundles.slice(0, 1) }), [`${at}1: no bundle`]);
  const evidence = await issueStream(4, { perWindow: 2 });
  const later = await bundleOf(evidence, 2);
  assert.deepEqual(await actual({ ...small, ranges: [{ ...range, from_seq_no: 2, to_seq_no: 4 }], bundles: [later] }), [
    `${at}0: 3 to 4`,
  ]);
});

test("a table that cannot be unpacked is not compared as well", async () => {
  const parts = partsOf(await packageOf(small));
  const damaged = parts.map((part) =>
    part.name === "events.csv" ? { ...part, packed: deflateStored(part.content).slice(0, -1), method: 8 } : part,
  );
  const { problems, checks } = verify(buildZip(damaged), { trust });
  assert.deepEqual(
    problems.map(({ code, path }) => [code, path]),
    [["archive_malformed", "/events.csv"]],
  );
  assert.equal(checks.find(({ id }) => id === "export")?.status, "pass");
});
