/**
 * Two statements exclude each other by a rule for each kind, tested at its edges: a rule that reaches too far accuses
 * somebody who cannot defend himself. Signatures play no part in it, so the sides here are made by hand.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, POLICY } from "@svc/testkit/evidence/service";
import { encodeHex, type HashHex, policyDigest, referenceKernel, ZERO_HASH } from "../src/index.ts";
import { excludeEachOther } from "../src/objects/fork/checkpoint.ts";
import { divergenceFault } from "../src/objects/fork/divergence.ts";
import { contradictingEpochs } from "../src/objects/fork/epoch.ts";
import { brokenChain, contradictingHeads } from "../src/objects/fork/head.ts";
import { contradictingLeaf, eventHashesAt } from "../src/objects/fork/leaf.ts";
import { contradictingNotes, doublyCosigned } from "../src/objects/fork/note.ts";
import { brokenPromise } from "../src/objects/fork/omission.ts";
import type { ForkRule } from "../src/objects/fork/rules.ts";
import type { Side } from "../src/objects/fork/sides.ts";
import { contradictingWindows } from "../src/objects/fork/window.ts";

const kernel = referenceKernel;
const side = (type: Side["type"], value: object) => ({ type, value }) as Side;
const receipt = (value: object) => side("receipt", value);
const window = (value: object) => side("window", value);
const checkpoint = (value: object) => side("checkpoint", value);
const anchor = (value: object) => side("anchor", value);
const note = (value: object) => side("note", value);

/** Returns the fault that a rule finds in two sides; null if they exclude each other. */
function fault(rule: ForkRule, left: Side, right: Side, fork: object = {}): string | null {
  return rule(kernel, left, right, { divergence: null, ...fork } as never);
}

test("two heads contradict that hold after one event and differ", () => {
  const [one, other] = [receipt({ seq_no: 6, stream_head_hash: "a" }), window({ to_seq_no: 6, stream_head_hash: "b" })];
  assert.equal(fault(contradictingHeads, one, other), null);
  assert.equal(fault(contradictingHeads, checkpoint({ to_seq_no: 6, stream_head_hash: "b" }), one), null);
  const same = checkpoint({ to_seq_no: 6, stream_head_hash: "a" });
  assert.equal(fault(contradictingHeads, one, same), "both sides state the same head");
  const later = receipt({ seq_no: 7, stream_head_hash: "b" });
  assert.equal(fault(contradictingHeads, one, later), "the sides state the heads after two different events");
  for (const [left, right] of [
    [one, anchor({})],
    [note({}), one],
  ] as const)
    assert.equal(fault(contradictingHeads, left, right), "heads are stated by receipts, windows and checkpoints only");
});

test("a chain is broken by the next receipt, if it follows another event", () => {
  const left = receipt({ seq_no: 5, event_hash: "a" });
  const right = (seq_no: number, previous_event_hash: string) => receipt({ seq_no, previous_event_hash });
  assert.equal(fault(brokenChain, left, right(6, "b")), null);
  assert.equal(fault(brokenChain, left, right(6, "a")), "the right event chains to the left one");
  for (const seqNo of [4, 5, 7])
    assert.equal(fault(brokenChain, left, right(seqNo, "b")), "the right event is not the one right after the left");
  for (const [one, other] of [
    [left, window({ seq_no: 6 })],
    [checkpoint({ seq_no: 5 }), right(6, "b")],
  ] as const)
    assert.equal(fault(brokenChain, one, other), "a chain is broken by two receipts");
});

test("a leaf contradicts a receipt of the window's range, where the window shows another event hash", () => {
  const shows = { from_seq_no: 5, to_seq_no: 8, leaves: ["5", "6", "7", "8"] };
  const at = (seq_no: number, event_hash: string) => receipt({ seq_no, event_hash });
  for (const seqNo of [5, 8]) {
    assert.equal(fault(contradictingLeaf, at(seqNo, "x"), window(shows)), null);
    assert.equal(
      fault(contradictingLeaf, at(seqNo, `${seqNo}`), window(shows)),
      "the window holds the receipt's event",
    );
  }
  const tooLong = { ...shows, leaves: ["5", "6", "7", "8", "9"], inclusions: [{ seq_no: 4, event_hash: "4" }] };
  for (const seqNo of [4, 9])
    assert.equal(fault(contradictingLeaf, at(seqNo, "x"), window(tooLong)), "the receipt is of no event of the window");
  const proves = window({ from_seq_no: 5, to_seq_no: 8, inclusions: [{ seq_no: 6, event_hash: "6" }] });
  assert.equal(fault(contradictingLeaf, at(6, "x"), proves), null);
  assert.equal(fault(contradictingLeaf, at(7, "x"), proves), "the window shows no event hash at the receipt's place");
  for (const [left, right] of [
    [window(shows), at(5, "x")],
    [at(5, "x"), checkpoint(shows)],
    [window(shows), window(shows)],
  ] as const)
    assert.equal(fault(contradictingLeaf, left, right), "the left side must be a receipt, the right one a window");
});

test("what a window shows for an event is its leaf and the inclusions of that very event", () => {
  const inclusions = [
    { seq_no: 6, event_hash: "six" },
    { seq_no: 7, event_hash: "seven" },
  ];
  const shown = (more: object) => eventHashesAt({ from_seq_no: 5, inclusions, ...more } as never, 6);
  assert.deepEqual(shown({}), ["six"]);
  assert.deepEqual(shown({ leaves: ["5", "6"] }), ["6", "six"]);
  assert.deepEqual(shown({ leaves: ["5"], inclusions: undefined }), []);
});

test("two windows contradict that have one number, or ranges in another order than their numbers", () => {
  const of = (window_no: number, from_seq_no: number, to_seq_no: number) =>
    window({ window_no, from_seq_no, to_seq_no });
  const both = (left: Side, right: Side) => {
    const [one, other] = [fault(contradictingWindows, left, right), fault(contradictingWindows, right, left)];
    assert.equal(one, other);
    return one;
  };
  assert.equal(both(of(3, 5, 8), of(3, 5, 9)), null);
  assert.equal(both(of(3, 5, 8), of(3, 5, 8)), "both sides are the same window");
  assert.equal(both(of(3, 5, 8), of(4, 8, 9)), null, "they share an event");
  assert.equal(both(of(3, 5, 8), of(4, 1, 2)), null);
  const inOrder = "the ranges of the windows are in the order of their numbers";
  assert.equal(both(of(3, 5, 8), of(4, 9, 9)), inOrder);
  assert.equal(both(of(3, 5, 8), of(9, 20, 29)), inOrder);
  assert.equal(fault(contradictingWindows, of(3, 5, 8), receipt({ window_no: 3 })), "both sides must be windows");
  assert.equal(fault(contradictingWindows, receipt({ window_no: 3 }), of(3, 5, 8)), "both sides must be windows");
});

test("two checkpoints exclude each other that share what is one's alone, or whose numbers rise differently", () => {
  const base = {
    origin: "o",
    checkpoint_no: 3,
    window_count: 6,
    to_seq_no: 12,
    previous_checkpoint_hash: "p" as HashHex,
  };
  const later = { origin: "o", checkpoint_no: 4, window_count: 8, to_seq_no: 16, previous_checkpoint_hash: "q" };
  const exclude = (changes: object, own: object = {}) => {
    const [left, right] = [
      { ...base, ...own },
      { ...later, ...changes },
    ] as never[];
    const [one, other] = [
      excludeEachOther(left as never, right as never),
      excludeEachOther(right as never, left as never),
    ];
    assert.equal(one, other);
    return one;
  };
  assert.equal(exclude({}), false);
  assert.equal(exclude({ origin: "other" }), true);
  assert.equal(exclude({ window_count: 6, checkpoint_no: 3, to_seq_no: 12 }), true, "one window count");
  assert.equal(exclude({ checkpoint_no: 3 }), true, "one number");
  assert.equal(exclude({ checkpoint_no: 2 }), true, "a number that falls");
  assert.equal(exclude({ to_seq_no: 12 }), true, "no more events");
  assert.equal(exclude({ to_seq_no: 11 }), true, "fewer events");
  assert.equal(exclude({ checkpoint_no: 2, to_seq_no: 11 }), true, "both");
  assert.equal(exclude({ previous_checkpoint_hash: "p" }), true, "one predecessor");
  const first = { previous_checkpoint_hash: ZERO_HASH };
  assert.equal(exclude(first, first), false, "no predecessor is nobody's");
  assert.equal(exclude({}, first), false);
});

test("two epochs contradict that have one number or one size, and not both with one root", () => {
  const of = (epoch_no: number, log_size: number, epoch_root: string, origin = "o") =>
    anchor({ epoch_no, log_size, epoch_root, origin });
  const base = of(3, 10, "a");
  const stand = "the two epochs can be parts of one log";
  for (const [other, expected] of [
    [of(3, 10, "a"), stand],
    [of(4, 10, "a"), stand],
    [of(4, 11, "b"), stand],
    [of(4, 11, "a"), stand],
    [of(4, 10, "b"), null],
    [of(3, 10, "b"), null],
    [of(3, 11, "b"), null],
    [of(3, 11, "a"), null],
    [of(4, 10, "b", "other"), "the anchors are of two origins"],
  ] as const) {
    assert.equal(fault(contradictingEpochs, base, other), expected, JSON.stringify(other.value));
    assert.equal(fault(contradictingEpochs, other, base), expected, JSON.stringify(other.value));
  }
  assert.equal(fault(contradictingEpochs, base, note({})), "both sides must be anchors");
  assert.equal(fault(contradictingEpochs, note({}), base), "both sides must be anchors");
});

test("two notes contradict that are of one origin and size and state two roots", () => {
  const of = (origin: string, size: number, root: string) => note({ origin, size, root });
  const base = of("o", 7, "a");
  for (const [rule, sizes] of [
    [contradictingNotes, "the notes state two sizes, and no divergence is there"],
    [doublyCosigned, "the notes state two sizes"],
  ] as const) {
    assert.equal(fault(rule, base, of("o", 7, "b")), null);
    assert.equal(fault(rule, base, of("o", 7, "a")), "both notes state the same root");
    assert.equal(fault(rule, base, of("o", 8, "b")), sizes);
    assert.equal(fault(rule, base, of("other", 7, "b")), "the notes are of two origins");
    assert.equal(fault(rule, base, anchor({})), "both sides must be texts of notes");
    assert.equal(fault(rule, anchor({}), base), "both sides must be texts of notes");
  }
});

test("a promise is broken that the checkpoint's own policy gave, one millisecond past twice its longest window", () => {
  const left = receipt({ seq_no: 9, received_at: at(100) });
  const due = POLICY.window_max_seconds * 2;
  const made = (created_at: string, more: object = {}) =>
    checkpoint({ policy_digest: policyDigest(kernel, POLICY), to_seq_no: 8, created_at, ...more });
  const late = made(at(100 + due).replace("000Z", "001Z"));
  const fork = { policy: POLICY };
  assert.equal(fault(brokenPromise, left, late, fork), null);
  const inTime = "the checkpoint was made while the promise still had time";
  assert.equal(fault(brokenPromise, left, made(at(100 + due)), fork), inTime);
  const covers = made(at(999), { to_seq_no: 9 });
  assert.equal(fault(brokenPromise, left, covers, fork), "the checkpoint covers the receipt's event");
  const other = { policy: { ...POLICY, policy_version: 2 } };
  assert.equal(fault(brokenPromise, left, late, other), "the policy is not the one that the checkpoint names");
  assert.equal(fault(brokenPromise, left, late), "no policy is there to judge by");
  const sides = "the left side must be a receipt, the right one a checkpoint";
  assert.equal(fault(brokenPromise, late, left, fork), sides);
  assert.equal(fault(brokenPromise, left, left, fork), sides);
  assert.equal(fault(brokenPromise, late, late, fork), sides);
});

test("a divergence shows two leaves at one index that both trees have", () => {
  const leavesOf = (words: string) => [...words].map((word) => kernel.leafHash(hash(word)));
  const hash = (word: string) => new Uint8Array(32).fill(word.charCodeAt(0));
  const hex = (bytes: Uint8Array) => encodeHex(bytes) as HashHex;
  const tree = (words: string) => ({ size: words.length, root: hex(kernel.rootFromLeafHashes(leavesOf(words))) });
  const proven = (words: string, index: number) => ({
    hash: hex(hash(words.charAt(index))),
    path: kernel.proveInclusion(leavesOf(words), index).map(hex),
  });
  const judge = (left: string, right: string, index: number) => {
    const [one, other] = [proven(left, index), proven(right, index)];
    const divergence = {
      index,
      left_hash: one.hash,
      left_path: one.path,
      right_hash: other.hash,
      right_path: other.path,
    };
    return { divergence, fault: divergenceFault(kernel, divergence, tree(left), tree(right)) };
  };
  assert.equal(judge("abc", "xbcde", 0).fault, null);
  assert.equal(judge("abc", "abxde", 2).fault, null, "the last of the smaller tree");
  assert.equal(judge("abc", "xbcde", 1).fault, "the divergence shows the same leaf on both sides");
  const { divergence } = judge("abcde", "abxde", 2);
  const outside = "the divergence is outside the smaller tree";
  assert.equal(divergenceFault(kernel, { ...divergence, index: 3 }, tree("abc"), tree("abxde")), outside);
  assert.equal(divergenceFault(kernel, { ...divergence, index: 3 }, tree("abxde"), tree("abc")), outside);
  const left = "the left path of the divergence does not lead to the left root";
  assert.equal(divergenceFault(kernel, divergence, tree("abc"), tree("abxde")), left);
  const right = "the right path of the divergence does not lead to the right root";
  assert.equal(divergenceFault(kernel, divergence, tree("abcde"), tree("abx")), right);
});
