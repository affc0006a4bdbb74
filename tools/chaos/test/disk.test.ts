/** The model of a disk after a power cut: it keeps everything that was synced, and of the rest what the fate says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Disks, FATES, type Fate } from "../power/disk.ts";
import { type Change, ROOT, type Step } from "../power/history.ts";
import { Seeded } from "../seeded.ts";

const change = (at: number, made: Change): Step => ({ kind: "change", at, done: at, change: made });
const sync = (at: number, file: number): Step => ({ kind: "sync", at, done: at, file });
const name = (at: number, called: string, file: number | null): Step =>
  change(at, { kind: "names", file: ROOT, changes: [{ folder: ROOT, name: called, file }] });
const fill = (at: number, offset: number, length: number, letter: string): Step =>
  change(at, { kind: "write", file: 1, offset, data: Buffer.alloc(length, letter) });

const STEPS: Step[] = [
  name(0, "log", 1),
  fill(1, 0, 8192, "a"),
  sync(2, 1),
  sync(3, ROOT),
  fill(4, 4096, 8192, "b"),
  change(5, { kind: "size", file: 1, bytes: 10_000 }),
  name(6, "other", 1),
];

function cut(moment: number, fate: Fate, seed = 1) {
  const disks = new Disks({ steps: STEPS, folders: new Set([ROOT]) });
  disks.advance(moment);
  return disks.cut(new Seeded(seed), () => fate);
}

test("what was waited for is there, whatever the fate of the rest", () => {
  for (const fate of FATES)
    for (let seed = 1; seed <= 20; seed++) {
      const log = cut(7, fate, seed).get("log");
      assert.equal(log?.subarray(0, 4096).toString(), "a".repeat(4096));
      assert.match(log?.subarray(4096).toString() ?? "", /^[ab\0]*$/);
    }
});

test("nothing and all of what nobody waited for", () => {
  assert.deepEqual([...cut(1, "nothing").keys()], []);
  assert.deepEqual([...cut(7, "nothing").keys()], ["log"]);
  assert.equal(cut(7, "nothing").get("log")?.toString(), "a".repeat(8192));
  assert.deepEqual([...cut(7, "all").keys()], ["log", "other"]);
  assert.equal(cut(7, "all").get("log")?.toString(), "a".repeat(4096) + "b".repeat(10_000 - 4096));
});

test("writes are torn in pages and in sectors", () => {
  const edges = (fate: Fate) => {
    const found = new Set<number>();
    for (let seed = 1; seed <= 50; seed++) {
      const text = cut(5, fate, seed).get("log")?.toString() ?? "";
      for (let at = 1; at < text.length; at++) if (text[at] !== text[at - 1]) found.add(at);
    }
    return [...found].sort((one, other) => one - other);
  };
  assert.deepEqual(edges("pages"), [4096, 8192]);
  assert.ok(edges("sectors").length > 10 && edges("sectors").every((at) => at % 512 === 0));
});
