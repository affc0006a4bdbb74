/** Words that a stranger has to decode are found, also over two lines of a comment; plain uses of them are not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsIn } from "../../plain-words.ts";

const TURNED = [
  "A text that is none.",
  "There are\n * none of them.",
  "for whoever asks",
  "Whoever asks waits.",
  "the operator is told",
  "cannot be\n// told apart",
  "a thread of its own.",
  "a thread of its\n# own, beside the others",
  "each has a key of their own and a name",
  "in a folder of its own when it ends",
  "a name stands twice",
  "what stands\n * in the file",
];
const PLAIN = [
  "null, or none",
  "none of them is",
  "it tells the operator",
  "two histories of its own log",
  "the word of their own choice",
  "its own thread",
  "he told them",
  "one file stands in for another",
  "what remains does not stand in the way",
  "hashed as they stand",
];

for (const text of TURNED)
  test(JSON.stringify(text), () => assert.equal(faultsIn(`\n${text}`).length, 1, faultsIn(text).join()));

for (const text of PLAIN) test(`${JSON.stringify(text)} is plain`, () => assert.deepEqual(faultsIn(text), []));

test("a fault names its line and the words", () => {
  assert.deepEqual(
    faultsIn("\n\na folder of its own.\n").map((fault) => fault.split(" has")[0]),
    ['3: "of its own"'],
  );
});
