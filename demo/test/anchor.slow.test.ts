/** The demo with a chain as a visitor runs it: its story comes to its end, and nothing of it is left running. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { RICH_KEY } from "@svc/testkit/chain";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The parts of its output, in their order. */
const STORY = [
  /chain started +eip155:31337/,
  /contract made +0x[0-9a-f]{40}/,
  /its policy requires an anchor/,
  /earthquakes recorded +1707/,
  /cosigned up to event 1707/,
  /chain reorganized +block \d+ is gone/,
  /epoch anchored +block \d+/,
  /bundle saved, with every receipt/,
  /server and chain stopped, all deleted/,
  /svc, key pinned +VERIFIED, exit 0/,
  /svc, block not pinned +VERIFIED, exit 0, anchored: unpinned/,
  /svc, the same, anchor required +REJECTED, exit 1: evidence_missing/,
  /svc, block and contract pinned +VERIFIED, exit 0, anchored: pinned/,
  /svc, 5-witness-signature +REJECTED, exit 1/,
  /svc, 6-older-block +REJECTED, exit 1: anchor_does_not_bind/,
  /Done in [\d.]+ s\.\n\n$/,
];

test("a chain that is deleted leaves a bundle that proves its time", { timeout: 320_000 }, async (t) => {
  const words = ["demo/main.ts", "--anchor"];
  const demo = spawn(process.execPath, words, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  t.after(() => demo.kill("SIGKILL"));
  const [out, err, [code]] = await Promise.all([text(demo.stdout), text(demo.stderr), once(demo, "close")]);
  assert.equal(code, 0, out + err);
  let from = 0;
  for (const part of STORY) {
    const found = part.exec(out.slice(from));
    assert.ok(found, `${part} is missing after:\n${out.slice(0, from)}\nin\n${out.slice(from)}`);
    from += found.index + found[0].length;
  }
  assert.ok(!(out + err).includes(RICH_KEY));
  const left = readdirSync(new URL("../../demo-out", import.meta.url)).filter(
    (name) => !name.startsWith("trust.json."),
  );
  assert.deepEqual(left.sort(), [
    "earthquakes.bundle.json",
    "first.receipt.json",
    "public-key.hex",
    "tampered",
    "trust.json",
  ]);
  for (const [url] of out.matchAll(/http:\/\/127\.0\.0\.1:\d+/g)) await assert.rejects(fetch(url), TypeError, url);
});
