/**
 * The sentences at the end of a report: for each kind those that are true of it, and no others. The tests do not check
 * their words.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Assurance, Kind, Subject } from "../src/index.ts";
import { describe } from "../src/report/meaning.ts";
import { vaultWords } from "../src/report/vault-words.ts";
import { KINDS as JSON_KINDS } from "./tamper-goods.ts";

const KINDS = ([...JSON_KINDS, "truth-package"] as Kind[]).sort();

const SUBJECT: Subject = { id: null, stream_id: "s", from_seq_no: 3, to_seq_no: 9 };
const NOTHING: Assurance = {
  signed: true,
  included: false,
  complete: false,
  witnessed: { required: 0, valid: 0, pinned: 0 },
  published: "none",
  anchored: "none",
  redacted: 0,
};

const FOUND = { signaturesMissing: false, words: vaultWords };

/** Returns the kinds whose verified objects have a sentence there. */
function kindsWith(
  list: "proves" | "does_not_prove",
  sentence: string,
  assurance: Partial<Assurance> = {},
  subject = SUBJECT,
): Kind[] {
  return KINDS.filter((kind) =>
    describe("verified", kind, subject, { ...NOTHING, ...assurance }, FOUND)[list].some((one) =>
      one.includes(sentence),
    ),
  );
}

const ABOUT_EVENTS = ["bundle", "portable-receipt", "receipt", "stream", "truth-package", "window"];

test("each kind proves something different", () => {
  const first = KINDS.map((kind) => describe("verified", kind, SUBJECT, NOTHING, FOUND).proves[0] ?? "");
  // A receipt and a portable receipt without its later parts say the same.
  assert.equal(new Set(first).size, KINDS.length - 1);
  for (const sentence of first) assert.ok(sentence.length > 10);
});

test("what is not proven stands with the kinds that do not prove it", () => {
  const WITH_TREE = ["bundle", "checkpoint", "consistency", "truth-package"];
  const included = { included: true };
  const seen = { witnessed: { required: 0, valid: 2, pinned: 1 } };
  for (const [sentence, kinds, assurance = {}] of [
    ["true, complete or lawful", ABOUT_EVENTS],
    ["still in the stream that others are shown", ["portable-receipt", "receipt"]],
    ["still in the stream that others are shown", ["receipt"], included],
    ["the stream ends at event 9", ["bundle", "checkpoint", "stream"]],
    ["its streams end there", ["truth-package"]],
    ["what manifest.json says", ["truth-package"]],
    ["that anybody read it", ["truth-package"]],
    ["these events are in the stream", ["window"]],
    ["the checkpoint that it is about is not here", ["witness"]],
    ["the witnesses saw its head", []],
    ["the witnesses saw its head", ["checkpoint"], seen],
    ["anybody signed that root", ["inclusion"]],
    ["which of the two is true", ["fork"]],
    ["the endorsing key was not stolen", ["key"]],
    ["nobody else has that key", ["key-status"]],
    ["nobody signed it", ["provider-result"]],
    ["authorship, origin, ownership or truth", ["provider-result"]],
    ["the construction is sound", ["ivc-epoch"]],
    ["the ids of the checkpoints listed", ["anchor"]],
    ["everybody the same log", ["anchor"]],
    ["everybody the same log", ["anchor"], { published: "included" }],
    ["everybody the same log", [], { published: "witnessed" }],
    ["everybody the same history", WITH_TREE],
    ["everybody the same history", [...WITH_TREE, "disclosure", "portable-receipt"], included],
    ["everybody the same history", [], { ...included, ...seen }],
    ["when it was made: all times are the word of those who signed it", WITH_TREE],
    [
      "when it was made: all times are the word of those who signed it",
      [...WITH_TREE, "disclosure", "portable-receipt"],
      { ...included, anchored: "pending" },
    ],
    ["when it was made: all times are the word of those who signed it", [], { ...included, anchored: "unpinned" }],
    ["when it was made: all times are the word of those who signed it", [], { ...included, anchored: "pinned" }],
    ["its block is in the chain", [...KINDS], { anchored: "unpinned" }],
    ["its block is in the chain", [], { anchored: "pinned" }],
    ["redacted payload", []],
    ["what the 1 redacted payload said", [...KINDS], { redacted: 1 }],
    ["what the 2 redacted payloads said", [...KINDS], { redacted: 2 }],
  ] as readonly (readonly [string, string[], Partial<Assurance>?])[])
    assert.deepEqual(
      kindsWith("does_not_prove", sentence, assurance),
      [...kinds].sort(),
      `${sentence} ${JSON.stringify(assurance)}`,
    );
});

test("what witnesses and chains show is said of the kinds that can show it", () => {
  const seen = { witnessed: { required: 0, valid: 2, pinned: 1 } };
  const alone = { witnessed: { required: 0, valid: 1, pinned: 0 } };
  const TREES = ["bundle", "checkpoint", "consistency", "disclosure", "portable-receipt", "truth-package"];
  const CHAINS = ["anchor", "bundle", "disclosure", "portable-receipt", "truth-package"];
  for (const [sentence, kinds, assurance] of [
    ["cosigned", [], {}],
    ["2 witnesses have cosigned it; 1 of them pinned by you", TREES, seen],
    ["1 witness has cosigned it; none of them is one that you pin", TREES, alone],
    ["which no witness pinned by you has cosigned", CHAINS, { published: "included" }],
    ["that a witness pinned by you has cosigned", CHAINS, { published: "witnessed" }],
    ["by the time of a block that you pin", CHAINS, { anchored: "pinned" }],
    ["in a block, which you do not pin", CHAINS, { anchored: "unpinned" }],
    ["block", [], { anchored: "pending" }],
    ["committed to it under a checkpoint", ["portable-receipt"], { included: true }],
    ["with this payload", ["portable-receipt", "receipt"], {}],
    ["whose payload is left out", ["portable-receipt", "receipt"], { redacted: 1 }],
  ] as readonly (readonly [string, string[], Partial<Assurance>])[])
    assert.deepEqual(kindsWith("proves", sentence, assurance), kinds, sentence);
  const { stream_id: _stream, ...ofLog } = SUBJECT;
  assert.deepEqual(kindsWith("proves", "the later epoch", {}, ofLog), ["consistency"]);
  assert.deepEqual(kindsWith("proves", "the later checkpoint", {}, ofLog), []);
  const withBlock = kindsWith("proves", "by the time of a block", { anchored: "pinned" }, ofLog);
  assert.deepEqual(withBlock, [...CHAINS, "consistency"].sort());
});

test("a rejected object proves nothing, and an untrusted one only under a condition", () => {
  for (const kind of KINDS) {
    const said = describe("verified", kind, SUBJECT, NOTHING, FOUND);
    assert.deepEqual(describe("rejected", kind, SUBJECT, NOTHING, FOUND).proves, []);
    assert.equal(describe("rejected", kind, SUBJECT, NOTHING, FOUND).does_not_prove.length, 1);
    for (const missing of [false, true]) {
      const untrusted = describe("untrusted", kind, SUBJECT, NOTHING, { ...FOUND, signaturesMissing: missing });
      if (kind === "inclusion" || kind === "witness" || kind === "provider-result") {
        assert.deepEqual(untrusted, said);
        continue;
      }
      const [condition = "", ...proves] = untrusted.proves;
      const [signer = "", ...limits] = untrusted.does_not_prove;
      assert.deepEqual({ proves, does_not_prove: limits }, said, kind);
      assert.ok(condition.startsWith("only if the signer's key"));
      assert.equal(condition.includes("which could not be checked"), missing);
      assert.ok(signer.startsWith("whose key sealed it"));
    }
  }
  assert.deepEqual(describe("verified", null, SUBJECT, NOTHING, FOUND).proves, []);
});

test("where trust reaches every signer and something else is open, the condition is that alone", () => {
  const said = describe("verified", "key-status", SUBJECT, NOTHING, FOUND);
  const open = describe("untrusted", "key-status", SUBJECT, NOTHING, { ...FOUND, reachesSigners: true });
  const [condition = "", ...proves] = open.proves;
  assert.deepEqual({ proves, does_not_prove: open.does_not_prove }, said);
  assert.ok(condition.includes("which could not be checked"), condition);
});
