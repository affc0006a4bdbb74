/**
 * `svc report`: the verdict of `svc verify`, and beside it a page that shows it, runs nothing, loads nothing and reads
 * no text as HTML.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { builtPage } from "@svc/testkit/built";
import { changed, FOLDER, PIN, put, receipt, svc } from "./svc.ts";

const htmlOf = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)>&amp;\u202e\u0000`;

test("the page says the verdict, and the exit code is that of svc verify", async () => {
  const calls = [
    ["verified.html", PIN, 0, "VERIFIED"],
    ["untrusted.html", [], 2, "UNTRUSTED"],
  ] as const;
  for (const [name, pin, code, word] of calls) {
    const verified = await svc(["verify", "march.bundle.json", ...pin]);
    const report = await svc(["report", "--file", "march.bundle.json", "--html", name, ...pin]);
    const withoutTime = (text: string) => text.replace(/in (under )?[\d.]+ s/, "");
    assert.deepEqual([report.code, report.stderr], [code, ""]);
    assert.equal(withoutTime(report.stdout), withoutTime(verified.stdout));
    const html = htmlOf(name);
    assert.ok(html.includes(word) && html.includes("bundle_01k30000000000000000000001"));
    assert.match(html, /<svg /);
    assert.match(html, /loan\.decided/);
  }
});

test("it has no script, loads nothing, and its policy forbids both", async () => {
  await svc(["report", "--file", "march.bundle.json", "--html", "plain.html"]);
  const html = htmlOf("plain.html");
  assert.match(html, /content="default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'/);
  assert.doesNotMatch(html, /<script|javascript:|\son\w+=|https?:\/\/|<link|<img|@import|url\(/i);
});

test("text of the file, and the file's name, stay text", async () => {
  const hostile = changed(receipt, (copy) => {
    copy.source_ref = HOSTILE;
    copy.event_type = HOSTILE;
  });
  const name = put("<img src=x>.json", hostile);
  const { code } = await svc(["report", "--file", name, "--html", "hostile.html"]);
  assert.equal(code, 1);
  const html = htmlOf("hostile.html");
  assert.doesNotMatch(html, /<script|<img|\u202e|\0/);
  assert.match(html, /&lt;img src=x&gt;/);
  assert.match(html, /\\u\{202e\}/);
});

test("it writes over nothing, unless it is asked to, and never over its input", async () => {
  writeFileSync(join(FOLDER, "there.html"), "mine");
  const call = ["report", "--file", "march.bundle.json", "--html", "there.html", ...PIN];
  const refused = await svc(call);
  assert.equal(refused.code, 64);
  assert.match(refused.stderr, /it is there already/);
  assert.equal(htmlOf("there.html"), "mine");
  assert.equal((await svc([...call, "--force"])).code, 0);
  assert.match(htmlOf("there.html"), /VERIFIED/);
  const before = htmlOf("march.bundle.json");
  const over = await svc(["report", "--file", "march.bundle.json", "--html", "march.bundle.json", "--force"]);
  assert.equal(over.code, 64);
  assert.match(over.stderr, /--html names a file that this call reads/);
  assert.equal(htmlOf("march.bundle.json"), before);
});

test("what is no evidence gives no page", async () => {
  put("empty.json", "");
  const { code } = await svc(["report", "--file", "empty.json", "--html", "none.html"]);
  assert.equal(code, 66);
  assert.equal(existsSync(join(FOLDER, "none.html")), false);
});

test("svc verify page knows the page of the same build, and any other by its published hash", async () => {
  const { html, sha256Hex } = await builtPage();
  put("verify.html", html);
  put("forged.html", html.replace("Nothing is sent", "Nothing is sent!"));
  const same = await svc(["verify", "page", "--file", "verify.html"]);
  assert.equal(same.code, 0, same.stderr);
  assert.match(same.stdout, new RegExp(`^THE SAME   ${sha256Hex}\\n`));
  const forged = await svc(["verify", "page", "--file", "forged.html"]);
  assert.equal(forged.code, 1);
  assert.match(forged.stdout, /^DIFFERENT/);
  assert.ok(forged.stdout.includes(sha256Hex));
  const given = ["verify", "page", "--file", "forged.html", "--sha256"];
  const own = createHash("sha256").update(htmlOf("forged.html")).digest("hex");
  assert.equal((await svc([...given, own])).code, 0);
  assert.equal((await svc([...given, sha256Hex])).code, 1);
  assert.equal((await svc([...given, "abc"])).code, 64);
  assert.equal((await svc(["verify", "page", "--file", "missing.html"])).code, 66);
});
