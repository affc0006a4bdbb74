/**
 * Every reader sees the same in an archive that our reader accepts: one that follows the local headers, one that
 * follows the directory, and, if the machine has them, Python's zipfile and unzip. They are compared on good archives,
 * on lies, and on archives with changed bytes.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { buildZip, deflateStored, type Part, utf8 } from "@svc/testkit/evidence/build-zip";
import { hostileArchives } from "@svc/testkit/evidence/hostile-archives";
import { packageOf, partsOf, smallInput } from "@svc/testkit/evidence/truth-packages";
import { contentOf, openArchive, selectKernel } from "../../src/index.ts";
import { byDirectory, byLocalHeaders, type Found } from "./naive-readers.ts";

const parts = partsOf(await packageOf(await smallInput()));
const lies = hostileArchives(parts);
const words = utf8("so it goes, so it goes, so it goes");
const SMALL: readonly Part[] = [
  { name: "a.txt", content: words, packed: new Uint8Array(deflateRawSync(words)), method: 8 },
  { name: "b.txt", content: utf8("b") },
  { name: "c.txt", header: { flags: 0x0800 }, content: words, packed: deflateStored(words), method: 8 },
];
const small = buildZip(SMALL);

/** Returns the result of our reader, in the form of the others. */
function byOurs(bytes: Uint8Array): Found {
  const opened = openArchive(bytes);
  if (!opened.ok) return null;
  const kernel = selectKernel();
  const contents = opened.entries.map((entry) => [entry.path, contentOf(kernel, entry)] as const);
  if (contents.some(([, content]) => !content.ok)) return null;
  return contents.map(([path, content]) => [
    Buffer.from(path).toString("latin1"),
    Buffer.from(content.ok ? content.bytes : []).toString("base64"),
  ]);
}

/** Returns whether our reader accepts an archive; all others must then see the same. */
function isAcceptedByAll(bytes: Uint8Array, about: string): boolean {
  const found = byOurs(bytes);
  if (found === null) return false;
  assert.deepEqual(byLocalHeaders(bytes), found, `by local headers: ${about}`);
  assert.deepEqual(byDirectory(bytes), found, `by the directory: ${about}`);
  return true;
}

test("good archives look the same to all readers", () => {
  for (const bytes of [small, buildZip(parts), buildZip(parts.toReversed())])
    assert.ok(isAcceptedByAll(bytes, "a good archive"));
});

test("lies on which the two naive readers do not agree are all refused", () => {
  const deceiving = lies.filter(({ bytes }) => {
    const [local, directory] = [byLocalHeaders(bytes), byDirectory(bytes)];
    return local !== null && directory !== null && JSON.stringify(local) !== JSON.stringify(directory);
  });
  console.log(`# ${deceiving.length} of ${lies.length} lies show two readers two contents`);
  assert.ok(deceiving.length > 10);
  assert.deepEqual(
    deceiving.filter(({ bytes }) => byOurs(bytes) !== null).map(({ name }) => name),
    [],
  );
});

/** Every other value of a byte, as a change of it: first one bit each, then all others. */
const CHANGES = Array.from({ length: 255 }, (_, index) => index + 1);
const BITS = CHANGES.filter((change) => (change & (change - 1)) === 0);

for (const [what, changes] of [
  ["any bit", BITS],
  ["any byte in any other way", CHANGES.filter((change) => !BITS.includes(change))],
] as const)
  test(`with ${what} changed an archive is refused, or looks the same to all and holds the same`, () => {
    const found = byOurs(small);
    const accepted = new Set<number>();
    for (let at = 0; at < small.length; at++)
      for (const change of changes) {
        const bytes = small.with(at, (small[at] ?? 0) ^ change);
        if (!isAcceptedByAll(bytes, `byte ${at} ^ ${change}`)) continue;
        assert.deepEqual(byOurs(bytes), found, `byte ${at} ^ ${change}`);
        accepted.add(at);
      }
    // The directory has members that change no content: the program that packed it, and the attributes of ordinary
    // files.
    console.log(`# ${accepted.size} of ${small.length} bytes may have other values`);
    assert.ok(accepted.size > 0 && accepted.size < small.length / 10);
  });

test("two changed bytes at places drawn at random", () => {
  let accepted = 0;
  const random = generator(7);
  for (let run = 0; run < 20_000; run++) {
    const bytes = small.slice();
    for (let change = 0; change < 2; change++) bytes[random() % bytes.length] = random();
    if (isAcceptedByAll(bytes, `run ${run}`)) accepted++;
  }
  assert.ok(accepted > 0);
});

const folder = mkdtempSync(join(tmpdir(), "svc-archives-"));
after(() => rmSync(folder, { recursive: true }));

/** Reads the archives of a folder, and prints the result for each in our reader's form. */
const PYTHON = `
import base64, json, sys, zipfile
for path in sys.argv[1:]:
    try:
        with zipfile.ZipFile(path) as archive:
            found = [[i.filename.encode().decode("latin1"), base64.b64encode(archive.read(i)).decode()] for i in archive.infolist()]
    except Exception:
        found = None
    print(json.dumps(found))
`;

test("what our reader accepts, Python's zipfile reads alike", (t) => {
  if (spawnSync("python3", ["--version"]).status !== 0) return t.skip("there is no python3");
  const archives = [small, buildZip(parts), ...changedIn(small), ...lies.map(({ bytes }) => bytes)];
  const paths = archives.map((bytes, index) => put(`${index}.zip`, bytes));
  const { stdout, status } = spawnSync("python3", ["-c", PYTHON, ...paths], { encoding: "utf8", maxBuffer: 2 ** 28 });
  assert.equal(status, 0);
  const found = stdout.trim().split("\n");
  assert.equal(found.length, archives.length);
  let accepted = 0;
  archives.forEach((bytes, index) => {
    const ours = byOurs(bytes);
    if (ours === null) return;
    accepted++;
    assert.deepEqual(JSON.parse(found[index] ?? ""), ours, `archive ${index}`);
  });
  assert.ok(accepted > 2);
});

test("what our reader accepts, unzip reads alike", (t) => {
  if (spawnSync("unzip", ["-v"]).status !== 0) return t.skip("there is no unzip");
  const archives = [
    buildZip(parts),
    buildZip(SMALL.slice(0, 2)),
    ...changedIn(buildZip(SMALL.slice(0, 2))).slice(0, 20),
  ];
  for (const [index, bytes] of archives.entries()) {
    const path = put(`unzip-${index}.zip`, bytes);
    for (const [name, content] of byOurs(bytes) ?? []) {
      const { stdout } = spawnSync("unzip", ["-p", path, name]);
      assert.equal(stdout.toString("base64"), content, `${name} of archive ${index}`);
    }
  }
});

/** Returns the archives with one bit changed that our reader accepts. */
function changedIn(bytes: Uint8Array): Uint8Array[] {
  const changed = Array.from({ length: 8 * bytes.length }, (_, bit) =>
    bytes.with(bit >> 3, (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))),
  );
  return changed.filter((one) => byOurs(one) !== null);
}

function put(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Returns numbers that look random and are the same each time (xorshift). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
