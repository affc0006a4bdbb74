/** Text of others that is safe to print. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { printable } from "@svc/host/printable";

test("nothing moves the cursor, turns the reading round or hides; the rest stays", () => {
  for (const [text, expected] of [
    ["\u001b[2J", "\\u{1b}[2J"],
    ["\u009b2J", "\\u{9b}2J"],
    ["a\u007fb\rc", "a\\u{7f}b\\u{d}c"],
    ["safe\u202egpj.exe", "safe\\u{202e}gpj.exe"],
    ["a\u200bb\u2028c\u{e0041}", "a\\u{200b}b\\u{2028}c\\u{e0041}"],
    ["\ud800", "\\u{d800}"],
    ["ein Zeuge, — ü 証人\nnext line", "ein Zeuge, — ü 証人\nnext line"],
  ] as const)
    assert.equal(printable(text), expected);
});
