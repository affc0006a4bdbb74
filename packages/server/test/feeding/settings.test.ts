/** `SVC_WITNESSES`: each mistake is reported, and no message repeats a password. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { verificationKey } from "@svc/core";
import { Mistakes } from "@svc/host/settings";
import { testSigner } from "@svc/testkit/evidence/signer";
import { feedingSettings } from "../../src/feeding/settings.ts";
import { kernel } from "../../src/kernel.ts";
import { vkeyOf } from "./fed-deployment.ts";

const [ONE, OTHER] = ["one", "other"].map((name) =>
  vkeyOf({ name: `${name}.example`, publicKeyHex: testSigner(name).publicKeyHex }),
);

function parse(text: string) {
  return feedingSettings.witnesses.parse(text, "SVC_WITNESSES");
}

test("witnesses are read with their addresses", () => {
  const read = parse(` ${ONE} https://one.example/w/ ,\n${OTHER}  http://127.0.0.1:8790`);
  assert.ok(!(read instanceof Mistakes));
  assert.deepEqual(
    (read as { name: string; url: string; publicKeyHex: string }[]).map(({ name, url, publicKeyHex }) => [
      name,
      url,
      publicKeyHex,
    ]),
    [
      ["one.example", "https://one.example/w", testSigner("one").publicKeyHex],
      ["other.example", "http://127.0.0.1:8790", testSigner("other").publicKeyHex],
    ],
  );
  assert.deepEqual(parse(""), []);
});

test("no more witnesses than a note has room for", () => {
  const named = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const name = `w${index}.example`;
      return `${vkeyOf({ name, publicKeyHex: testSigner(name).publicKeyHex })} https://${name}`;
    }).join(", ");
  assert.equal((parse(named(63)) as readonly unknown[]).length, 63);
  const read = parse(named(64));
  assert.match(read instanceof Mistakes ? read.sentences.join() : "", /names 64 witnesses; it must name 63 at most/);
});

test("every mistake is reported", () => {
  const log = verificationKey(kernel, "log.example", testSigner("log").publicKeyHex);
  for (const [text, says] of [
    [`${ONE}`, /without one address/],
    [`${ONE} https://a.example https://b.example`, /without one address/],
    ["https://a.example", /without one address/],
    [`${ONE?.slice(0, -3)}AAA https://a.example`, /must be the verification key/],
    [`${log} https://a.example`, /type 0x04/],
    [`${ONE} ftp://a.example`, /no address/],
    [`${ONE} a.example`, /no address/],
    [`${ONE} https://user:secret@a.example`, /no address/],
    [`${ONE} https://a.example/?x=1`, /with a query/],
    [`${ONE} https://a.example, ${ONE} https://b.example`, /twice/],
  ] as const) {
    const read = parse(text);
    assert.ok(read instanceof Mistakes, text);
    assert.match(read.sentences.join("\n"), says);
    assert.ok(read.sentences.every((sentence) => !sentence.includes("secret")));
  }
  const both = parse(`${ONE} ftp://a.example, x https://b.example`);
  assert.equal(both instanceof Mistakes && both.sentences.length, 2);
});
