/** The demo on PostgreSQL as a visitor runs it: its story comes to its end, and nothing of it is left running. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { NO_POSTGRES } from "@svc/testkit/postgres";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The parts of its output, in their order. */
const STORY = [
  /PostgreSQL 18\.\d+ started/,
  /two servers started/,
  /one server killed, SIGKILL/,
  /primary of the database killed/,
  /standby promoted/,
  /earthquakes recorded +1707/,
  /cosigned up to event 1707/,
  /bundle saved, with every receipt/,
  /servers and databases deleted/,
  /svc, key pinned +VERIFIED, exit 0/,
  /svc, 5-witness-signature +REJECTED, exit 1/,
  /VERIFIED {3}bundle_\w+\n.*events 1 to 1,707 .*complete/,
  /Done in [\d.]+ s\.\n\n$/,
];

test("two servers and a database that lose one each leave a bundle that verifies", {
  skip: NO_POSTGRES,
  timeout: 320_000,
}, async (t) => {
  const words = ["--import", "tsx", "demo/main.ts", "--postgres"];
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
  assert.ok(!/postgres(?:ql)?:\/\//.test(out + err), "the address of the database holds a password");
  const left = readdirSync(new URL("../../demo-out", import.meta.url));
  assert.deepEqual(left.sort(), ["earthquakes.bundle.json", "first.receipt.json", "public-key.hex", "tampered"]);
  // The servers had its address and port: whoever listens there would be left behind.
  const urls = [...out.matchAll(/http:\/\/127\.0\.0\.1:\d+/g)].map(([url]) => url);
  assert.equal(urls.length, 3);
  for (const url of urls) await assert.rejects(fetch(url), TypeError, url);
});
